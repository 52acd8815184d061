import type { Resource } from '../../kernel/types.ts';
import { isDeliverable } from '../lambda-destinations.ts';

/** Properties of `AWS::Lambda::EventSourceMapping` and what becomes of them here. */
export const MAPPING_PROPERTIES = {
  'AWS::Lambda::EventSourceMapping': {
    BatchSize: 'used',
    BisectBatchOnFunctionError: 'used',
    DestinationConfig: 'used',
    'DestinationConfig.OnFailure': 'used',
    'DestinationConfig.OnFailure.Destination': 'used: queues and functions',
    Enabled: 'used',
    EventSourceArn: 'used: streams of tables',
    FilterCriteria: 'used',
    'FilterCriteria.Filters': 'used',
    'FilterCriteria.Filters.Pattern': 'used',
    FunctionName: 'used',
    FunctionResponseTypes: 'used: ReportBatchItemFailures',
    MaximumBatchingWindowInSeconds: 'no effect: a batch is handed over at once',
    MaximumRecordAgeInSeconds: 'used',
    MaximumRetryAttempts: 'used',
    ParallelizationFactor: 'no effect: batches of a shard run one after the other',
    StartingPosition: 'used: TRIM_HORIZON or LATEST',
    Tags: 'no effect',
  },
} as const;

/** How a stream's records reach a function. */
export type MappingSettings = {
  id: string;
  streamArn: string;
  functionArn: string;
  batchSize: number;
  enabled: boolean;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  filters: unknown[];
  reportsItems: boolean;
  bisects: boolean;
  /** -1: without end. */
  maximumRetries: number;
  /** -1: without end. */
  maximumAgeSeconds: number;
  onFailure?: string;
};

/** Reads a mapping from its resource. Throws a sentence when it cannot work here. */
export function readMapping({ logicalId, properties }: Resource, functionArn: string): MappingSettings {
  const streamArn = String(properties.EventSourceArn);
  if (!/^arn:aws:dynamodb:.*\/stream\//.test(streamArn)) throw new Error(`event source ${streamArn} is not supported (supported: streams of DynamoDB tables)`);
  const startingPosition = String(properties.StartingPosition);
  if (startingPosition !== 'TRIM_HORIZON' && startingPosition !== 'LATEST')
    throw new Error(`StartingPosition ${startingPosition} is not supported (supported: TRIM_HORIZON, LATEST)`);
  const filters = ((properties.FilterCriteria as { Filters?: { Pattern?: string }[] })?.Filters ?? []).map((filter) => JSON.parse(filter.Pattern ?? '{}') as unknown);
  const onFailure = (properties.DestinationConfig as { OnFailure?: { Destination?: string } })?.OnFailure?.Destination;
  if (onFailure !== undefined && !isDeliverable(onFailure)) throw new Error(`destination ${onFailure} is not supported (supported: SQS queues, Lambda functions)`);
  return {
    id: logicalId,
    streamArn,
    functionArn,
    batchSize: Number(properties.BatchSize ?? 100),
    enabled: String(properties.Enabled ?? true) === 'true',
    startingPosition,
    filters,
    reportsItems: ((properties.FunctionResponseTypes as string[]) ?? []).includes('ReportBatchItemFailures'),
    bisects: String(properties.BisectBatchOnFunctionError) === 'true',
    maximumRetries: Number(properties.MaximumRetryAttempts ?? -1),
    maximumAgeSeconds: Number(properties.MaximumRecordAgeInSeconds ?? -1),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}
