import { createHash } from 'node:crypto';
import { ACCOUNT, type Caller, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import type { DynamoDb } from './dynamodb.ts';
import { Mapping } from './event-source/mapping.ts';
import { Positions } from './event-source/positions.ts';
import { MAPPING_PROPERTIES, readMapping } from './event-source/settings.ts';
import { StreamReader, type StreamRecord } from './event-source/stream.ts';
import { compilePattern, flattenEvent } from './eventbridge/pattern.ts';
import type { Lambda } from './lambda.ts';

/** Event source mappings: streams of tables into functions. */
export class EventSources implements Provisioner {
  readonly properties = MAPPING_PROPERTIES;
  readonly #parts: { kernel: Kernel; lambda: Lambda; dynamoDb: DynamoDb };
  readonly #positions: Positions;
  readonly #byTable = new Map<string, Mapping[]>();

  constructor(parts: { kernel: Kernel; lambda: Lambda; dynamoDb: DynamoDb }) {
    this.#parts = parts;
    this.#positions = new Positions(parts.kernel.db);
    parts.dynamoDb.onWrite((table) => {
      for (const mapping of this.#byTable.get(table) ?? []) mapping.kick();
    });
  }

  async provision(resource: Resource): Promise<Provisioned> {
    const { kernel, lambda, dynamoDb } = this.#parts;
    const target = lambda.settingsOf(String(resource.properties.FunctionName));
    const settings = readMapping(resource, target.arn);
    const role: Caller = { kind: 'role', roleArn: target.roleArn, name: target.name };
    const mayRead = (): void => {
      for (const action of ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']) kernel.iam.authorize(role, `dynamodb:${action}`, settings.streamArn);
    };
    mayRead();
    const patterns = settings.filters.map((filter) => compilePattern(filter));
    const passes = (record: StreamRecord): boolean => patterns.length === 0 || patterns.some((pattern) => pattern.matches(flattenEvent(record)));
    const mapping = new Mapping({ kernel, settings, passes, role, mayRead, reader: new StreamReader(dynamoDb.client, settings.streamArn), positions: this.#positions });
    const table = /:table\/([^/]+)\/stream\//.exec(settings.streamArn)?.[1] ?? '';
    this.#byTable.set(table, [...(this.#byTable.get(table) ?? []), mapping]);
    const id = createHash('sha256')
      .update(resource.logicalId)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    return { ref: id, attributes: { Id: id, EventSourceMappingArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:event-source-mapping:${id}` } };
  }

  /** Carries on with what was written before the process ended. */
  async resume(): Promise<void> {
    for (const mappings of this.#byTable.values()) for (const mapping of mappings) mapping.kick();
  }

  stop(): void {
    for (const mappings of this.#byTable.values()) for (const mapping of mappings) mapping.stop();
  }
}
