import { AwsError, REGION } from '../../kernel/types.ts';
import type { EngineClient } from '../dynamodb/client.ts';

export type StreamRecord = {
  eventID: string;
  eventName: string;
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime?: number; [field: string]: unknown };
  [field: string]: unknown;
};

/** A read gives at most so many records, and at most a megabyte of them. */
const MOST_RECORDS = 1000;
const SURELY_WHOLE_BYTES = 500_000;

/** Whether a read has certainly come to the end of its shard, so that only another write makes the next one worth while. */
export function reachedTheEnd(records: readonly StreamRecord[]): boolean {
  const bytes = records.reduce((sum, { dynamodb }) => sum + Number(dynamodb.SizeBytes ?? SURELY_WHOLE_BYTES), 0);
  return records.length < MOST_RECORDS && bytes < SURELY_WHOLE_BYTES;
}

type Shards = { StreamDescription: { Shards: { ShardId: string; ParentShardId?: string }[] } };
type Records = { Records: StreamRecord[]; NextShardIterator?: string };

/** Reads a table's stream, shard by shard, from a position. */
export class StreamReader {
  readonly #client: EngineClient;
  readonly #streamArn: string;
  readonly #iterators = new Map<string, string>();
  /** Known until a shard ends, since its children are not known before. */
  #shards: readonly string[] | undefined;

  constructor(client: EngineClient, streamArn: string) {
    this.#client = client;
    this.#streamArn = streamArn;
  }

  /** Shard ids, parents before their children. */
  async shards(): Promise<readonly string[]> {
    this.#shards ??= await this.#askForShards();
    return this.#shards;
  }

  async #askForShards(): Promise<string[]> {
    const { StreamDescription } = await this.#client.call<Shards>('DescribeStream', { StreamArn: this.#streamArn });
    const shards = StreamDescription.Shards;
    const depth = (id: string | undefined): number => {
      const shard = shards.find((each) => each.ShardId === id);
      return shard ? 1 + depth(shard.ParentShardId) : 0;
    };
    return shards.map((shard) => shard.ShardId).sort((a, b) => depth(a) - depth(b));
  }

  /** The next records of a shard after `position`; empty when there are none now. */
  async read(shardId: string, position: string | undefined, start: 'TRIM_HORIZON' | 'LATEST'): Promise<StreamRecord[]> {
    const known = this.#iterators.get(shardId);
    const iterator = known ?? (await this.#iterator(shardId, position, start));
    try {
      const { Records, NextShardIterator } = await this.#client.call<Records>('GetRecords', { ShardIterator: iterator, Limit: MOST_RECORDS });
      this.#keep(shardId, NextShardIterator);
      return Records.map((record) => ({ ...record, awsRegion: REGION, eventSourceARN: this.#streamArn }));
    } catch (fault) {
      if (known === undefined || !isLostIterator(fault)) throw fault;
      this.#iterators.delete(shardId);
      return this.read(shardId, position, start);
    }
  }

  #keep(shardId: string, iterator: string | undefined): void {
    if (iterator !== undefined) return void this.#iterators.set(shardId, iterator);
    this.#iterators.delete(shardId);
    this.#shards = undefined;
  }

  async #iterator(shardId: string, position: string | undefined, start: 'TRIM_HORIZON' | 'LATEST'): Promise<string> {
    const ask = (how: Record<string, string>) => this.#client.call<{ ShardIterator: string }>('GetShardIterator', { StreamArn: this.#streamArn, ShardId: shardId, ...how });
    if (position === undefined) return (await ask({ ShardIteratorType: start })).ShardIterator;
    try {
      return (await ask({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position })).ShardIterator;
    } catch (fault) {
      if (!isLostIterator(fault)) throw fault;
      return (await ask({ ShardIteratorType: 'TRIM_HORIZON' })).ShardIterator;
    }
  }
}

function isLostIterator(fault: unknown): boolean {
  return fault instanceof AwsError && ['ExpiredIteratorException', 'TrimmedDataAccessException'].includes(fault.code);
}
