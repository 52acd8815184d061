import { setTimeout as pause } from 'node:timers/promises';
import type { Provisioned, Resource } from '../../kernel/types.ts';
import { AwsError } from '../../kernel/types.ts';
import { tableArn } from './actions.ts';
import type { EngineClient } from './client.ts';

const SHARED = {
  AttributeDefinitions: 'used',
  'AttributeDefinitions.AttributeName': 'used',
  'AttributeDefinitions.AttributeType': 'used',
  BillingMode: 'no effect: nothing is metered here',
  GlobalSecondaryIndexes: 'used',
  'GlobalSecondaryIndexes.ContributorInsightsSpecification': 'no effect',
  'GlobalSecondaryIndexes.IndexName': 'used',
  'GlobalSecondaryIndexes.KeySchema': 'used',
  'GlobalSecondaryIndexes.KeySchema.AttributeName': 'used',
  'GlobalSecondaryIndexes.KeySchema.KeyType': 'used',
  'GlobalSecondaryIndexes.OnDemandThroughput': 'no effect: nothing is metered here',
  'GlobalSecondaryIndexes.Projection': 'used',
  'GlobalSecondaryIndexes.Projection.NonKeyAttributes': 'used',
  'GlobalSecondaryIndexes.Projection.ProjectionType': 'used',
  'GlobalSecondaryIndexes.ProvisionedThroughput': 'no effect: nothing is metered here',
  'GlobalSecondaryIndexes.WarmThroughput': 'no effect: nothing is metered here',
  'GlobalSecondaryIndexes.WriteOnDemandThroughputSettings': 'no effect: nothing is metered here',
  KeySchema: 'used',
  'KeySchema.AttributeName': 'used',
  'KeySchema.KeyType': 'used',
  LocalSecondaryIndexes: 'used',
  'LocalSecondaryIndexes.IndexName': 'used',
  'LocalSecondaryIndexes.KeySchema': 'used',
  'LocalSecondaryIndexes.KeySchema.AttributeName': 'used',
  'LocalSecondaryIndexes.KeySchema.KeyType': 'used',
  'LocalSecondaryIndexes.Projection': 'used',
  'LocalSecondaryIndexes.Projection.NonKeyAttributes': 'used',
  'LocalSecondaryIndexes.Projection.ProjectionType': 'used',
  SSESpecification: 'no effect: nothing is encrypted at rest here',
  StreamSpecification: 'used',
  'StreamSpecification.StreamViewType': 'used',
  TableName: 'used',
  TimeToLiveSpecification: 'used',
  'TimeToLiveSpecification.AttributeName': 'used',
  'TimeToLiveSpecification.Enabled': 'used',
  WarmThroughput: 'no effect: nothing is metered here',
} as const;

export const TABLE_PROPERTIES = {
  'AWS::DynamoDB::Table': {
    ...SHARED,
    ContributorInsightsSpecification: 'no effect',
    DeletionProtectionEnabled: 'no effect: nothing deletes a table here',
    OnDemandThroughput: 'no effect: nothing is metered here',
    PointInTimeRecoverySpecification: 'no effect: there are no backups here',
    ProvisionedThroughput: 'no effect: nothing is metered here',
    TableClass: 'no effect',
    Tags: 'no effect',
  },
  'AWS::DynamoDB::GlobalTable': {
    ...SHARED,
    Replicas: 'no effect: there is one Region here',
    WriteOnDemandThroughputSettings: 'no effect: nothing is metered here',
    WriteProvisionedThroughputSettings: 'no effect: nothing is metered here',
  },
} as const;

type Index = { IndexName: string; KeySchema: unknown; Projection: unknown };
type TableProperties = {
  AttributeDefinitions: unknown;
  KeySchema: unknown;
  GlobalSecondaryIndexes?: Index[];
  LocalSecondaryIndexes?: Index[];
  StreamSpecification?: { StreamViewType?: string };
  TimeToLiveSpecification?: { AttributeName?: string; Enabled?: boolean | string };
  TableName?: string;
};
type Description = {
  TableStatus: string;
  LatestStreamArn?: string;
  TableId?: string;
  KeySchema: unknown;
  GlobalSecondaryIndexes?: Index[];
  StreamSpecification?: { StreamViewType?: string };
};

/** A table of the template that exists now. */
export type LocalTable = { name: string; arn: string; streamArn?: string; expiryAttribute?: string };

/** Creates the table a resource describes, or finds the one of an earlier boot. Throws when that one has another shape. */
export async function makeTable(client: EngineClient, resource: Resource): Promise<LocalTable> {
  const properties = resource.properties as TableProperties;
  const name = properties.TableName ?? resource.logicalId;
  const before = await describe(client, name);
  if (!before) await client.call('CreateTable', creation(name, properties));
  const description = before ?? (await untilActive(client, name));
  if (before) refuseOtherShape(name, before, properties);
  const expiry = properties.TimeToLiveSpecification;
  const expires = String(expiry?.Enabled) === 'true' && expiry?.AttributeName !== undefined;
  return {
    name,
    arn: tableArn(name),
    ...(description.LatestStreamArn === undefined ? {} : { streamArn: description.LatestStreamArn }),
    ...(expires && expiry.AttributeName ? { expiryAttribute: expiry.AttributeName } : {}),
  };
}

export function provisionedTable({ name, arn, streamArn }: LocalTable): Provisioned {
  return { ref: name, attributes: { Arn: arn, TableId: name, ...(streamArn === undefined ? {} : { StreamArn: streamArn }) } };
}

function creation(name: string, properties: TableProperties): Record<string, unknown> {
  const bare = (indexes: Index[] | undefined) => indexes?.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));
  const stream = properties.StreamSpecification?.StreamViewType;
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.AttributeDefinitions,
    KeySchema: properties.KeySchema,
    GlobalSecondaryIndexes: bare(properties.GlobalSecondaryIndexes),
    LocalSecondaryIndexes: bare(properties.LocalSecondaryIndexes),
    ...(stream === undefined ? {} : { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
  };
}

async function describe(client: EngineClient, name: string): Promise<Description | undefined> {
  try {
    return (await client.call<{ Table: Description }>('DescribeTable', { TableName: name })).Table;
  } catch (fault) {
    if (fault instanceof AwsError && fault.code === 'ResourceNotFoundException') return undefined;
    throw fault;
  }
}

async function untilActive(client: EngineClient, name: string): Promise<Description> {
  for (let tries = 0; tries < 500; tries += 1) {
    const description = await describe(client, name);
    if (description?.TableStatus === 'ACTIVE') return description;
    await pause(10);
  }
  throw new Error(`table ${name} does not become active`);
}

function refuseOtherShape(name: string, { KeySchema, GlobalSecondaryIndexes, StreamSpecification }: Description, properties: TableProperties): void {
  const shape = (keys: unknown, indexes: Index[] | undefined, view: unknown) =>
    canonical({
      keys,
      indexes: (indexes ?? []).map((index) => canonical({ name: index.IndexName, keys: index.KeySchema, projection: index.Projection })).sort(),
      view: view ?? null,
    });
  const wanted = shape(properties.KeySchema, properties.GlobalSecondaryIndexes, properties.StreamSpecification?.StreamViewType);
  if (shape(KeySchema, GlobalSecondaryIndexes, StreamSpecification?.StreamViewType) === wanted) return;
  throw new Error(
    `table ${name} was made by an earlier template with other keys, indexes or stream; the local runtime does not migrate tables, so start with an empty data folder`,
  );
}

/** JSON with sorted keys, and lists in one order: neither carries meaning in a table's shape. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${key}:${canonical(entry)}`)
    .sort()
    .join()}}`;
}
