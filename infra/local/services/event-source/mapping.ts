import { randomUUID } from 'node:crypto';
import { AwsError, type Caller, type Kernel } from '../../kernel/types.ts';
import { sendToDestination } from '../lambda-destinations.ts';
import { type Batch, failureRecord, nextAfter, readVerdict, resumed, retryingOf, toBatches, type Verdict } from './batch.ts';
import type { Positions } from './positions.ts';
import type { MappingSettings } from './settings.ts';
import { reachedTheEnd, type StreamReader, type StreamRecord } from './stream.ts';

export type MappingParts = {
  kernel: Kernel;
  settings: MappingSettings;
  reader: StreamReader;
  positions: Positions;
  passes: (record: StreamRecord) => boolean;
  /** The function's role: the mapping reads and reports failures under it. */
  role: Caller;
  /** Throws when the role may not read the stream, as Lambda's poller finds out with every poll. */
  mayRead: () => void;
};

/** Carries records of a stream to a function: in order, filtered, at least once, position in the journal. */
export class Mapping {
  readonly #parts: MappingParts;
  readonly #waiting = new Map<string, Batch[]>();
  /** Shards of which the journal may hold retries. */
  readonly #kept = new Set<string>();
  /** Shards that were read to their end since the last write was heard of. */
  readonly #exhausted = new Set<string>();
  #running = false;
  #again = false;
  #stopped = false;

  constructor(parts: MappingParts) {
    this.#parts = parts;
  }

  /** Looks into the stream now. While it is looking already, it looks once more afterwards. */
  kick(): void {
    if (!this.#parts.settings.enabled || this.#stopped) return;
    this.#again = true;
    if (this.#running) return;
    this.#running = true;
    const { kernel, settings } = this.#parts;
    void kernel.work.track(`stream to ${settings.functionArn}`, () => this.#drain()).catch((fault: unknown) => this.#lookAgainLater(fault));
  }

  stop(): void {
    this.#stopped = true;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        this.#exhausted.clear();
        this.#parts.mayRead();
        for (const shardId of await this.#parts.reader.shards()) await this.#drainShard(shardId);
      }
    } finally {
      this.#running = false;
    }
  }

  #lookAgainLater(fault: unknown): void {
    if (this.#stopped) return;
    const { kernel, settings } = this.#parts;
    kernel.log({ service: 'streams', message: `mapping ${settings.id} could not go on: ${fault instanceof Error ? fault.message : String(fault)}` });
    kernel.agenda.at(kernel.time.now() + 1000, `stream again ${settings.id}`, async () => this.kick());
  }

  async #drainShard(shardId: string): Promise<void> {
    const { kernel, settings } = this.#parts;
    for (let batch = await this.#head(shardId); batch; batch = await this.#head(shardId)) {
      if (batch.notBefore > kernel.time.now()) {
        kernel.agenda.at(batch.notBefore, `stream retry ${settings.id} ${shardId}`, async () => this.kick());
        return;
      }
      await this.#handOver(shardId, batch);
    }
  }

  /** The batch that is next in its shard, read from the stream when none is waiting. */
  async #head(shardId: string): Promise<Batch | undefined> {
    const { reader, positions, settings, passes } = this.#parts;
    for (;;) {
      const waiting = this.#waiting.get(shardId)?.[0];
      if (waiting) return waiting;
      if (this.#exhausted.has(shardId)) return undefined;
      const records = await reader.read(shardId, positions.of(settings.id, shardId), settings.startingPosition);
      if (records.length === 0) return undefined;
      if (reachedTheEnd(records)) this.#exhausted.add(shardId);
      const read = records.map((record) => this.#inRuntimeTime(record));
      const kept = positions.retries(settings.id, shardId);
      if (kept.length > 0) this.#kept.add(shardId);
      const batches = resumed(toBatches(shardId, read, passes, settings.batchSize), kept);
      this.#waiting.set(shardId, batches);
      if (batches.length === 0) positions.remember(settings.id, shardId, records.at(-1)?.dynamodb.SequenceNumber ?? '');
    }
  }

  /** The database stamps records with the real clock; functions live in the runtime's. */
  #inRuntimeTime(record: StreamRecord): StreamRecord {
    const stamped = record.dynamodb.ApproximateCreationDateTime;
    if (stamped === undefined) return record;
    const ahead = Math.floor((this.#parts.kernel.time.now() - Date.now()) / 1000);
    return { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: stamped + ahead } };
  }

  async #handOver(shardId: string, batch: Batch): Promise<void> {
    const { kernel, settings } = this.#parts;
    const verdict = await this.#invoke(batch);
    const rest = (this.#waiting.get(shardId) ?? []).slice(1);
    if (verdict === 'throttled') {
      const pause = Math.min(1000 * 2 ** batch.throttles, 60_000);
      this.#wait(shardId, [{ ...batch, throttles: batch.throttles + 1, notBefore: kernel.time.now() + pause }, ...rest]);
      return;
    }
    const next = nextAfter(batch, verdict, settings, kernel.time.now());
    if (next.kind === 'retry') {
      if (next.doneUntil !== undefined) this.#done(shardId, next.doneUntil);
      this.#wait(shardId, [...next.batches, ...rest]);
      return;
    }
    if (next.kind === 'given-up') await this.#report(batch, next.condition);
    this.#done(shardId, batch.end);
    this.#wait(shardId, rest);
  }

  /** What waits in a shard, and in the journal what of it was tried before, so that a restart does not begin to count again. */
  #wait(shardId: string, waiting: Batch[]): void {
    this.#waiting.set(shardId, waiting);
    const retrying = retryingOf(waiting);
    if (retrying.length === 0 && !this.#kept.delete(shardId)) return;
    if (retrying.length > 0) this.#kept.add(shardId);
    this.#parts.positions.keepRetries(this.#parts.settings.id, shardId, retrying);
  }

  async #invoke(batch: Batch): Promise<Verdict | 'throttled'> {
    const { kernel, settings } = this.#parts;
    try {
      const result = await kernel.services.lambda.invoke(settings.functionArn, { Records: batch.records }, { kind: 'operator' });
      return result.functionError ? { kind: 'failed' } : readVerdict(result.payload, batch, settings.reportsItems);
    } catch (fault) {
      if (fault instanceof AwsError && fault.status === 429) return 'throttled';
      throw fault;
    }
  }

  async #report(batch: Batch, condition: string): Promise<void> {
    const { kernel, settings, role } = this.#parts;
    const record = failureRecord(batch, condition, { streamArn: settings.streamArn, functionArn: settings.functionArn, requestId: randomUUID(), now: kernel.time.now() });
    kernel.log({ service: 'streams', message: `gave up a batch of ${batch.records.length}: ${condition}`, mapping: settings.id });
    if (settings.onFailure) await sendToDestination(kernel, settings.onFailure, record, role);
  }

  #done(shardId: string, position: string): void {
    this.#parts.positions.remember(this.#parts.settings.id, shardId, position);
  }
}
