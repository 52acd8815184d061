import { randomUUID } from 'node:crypto';
import { AwsError, type Caller, type Kernel } from '../kernel/types.ts';
import { type AsyncEnd, deadLetterAttributes, destinationRecord, sendToDestination } from './lambda-destinations.ts';
import type { FunctionSettings } from './lambda-function.ts';
import type { InvocationOutcome } from './lambda-messages.ts';

export type AsyncSettings = { maximumRetryAttempts: number; maximumEventAgeSeconds: number; onFailure?: string; onSuccess?: string };

export const ASYNC_DEFAULTS: AsyncSettings = { maximumRetryAttempts: 2, maximumEventAgeSeconds: 21_600 };
const RETRY_SECONDS = [60, 120];
const MOST_BYTES = 1024 * 1024;

type Queued = { id: string; functionArn: string; payload: string; enqueuedAt: number; attempts: number; throttles: number; dueAt: number };
type Known = { settings: FunctionSettings; async: AsyncSettings };
type Parts = {
  kernel: Kernel;
  find: (functionArn: string) => Known | undefined;
  run: (functionArn: string, payload: string, requestId: string) => Promise<InvocationOutcome>;
};

const callerOf = ({ settings }: Known): Caller => ({ kind: 'role', roleArn: settings.roleArn, name: settings.name });

/** Asynchronous invocations: journaled before they are acknowledged, tried up to three times, then handed to the failure destination. */
export class AsyncInvocations {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.kernel.db.exec(`CREATE TABLE IF NOT EXISTS lambda_async (
      id TEXT PRIMARY KEY, function_arn TEXT NOT NULL, payload TEXT NOT NULL, enqueued_at REAL NOT NULL,
      attempts INTEGER NOT NULL, throttles INTEGER NOT NULL, due_at REAL NOT NULL) STRICT`);
  }

  /** Resolves with the request id once the event is in the journal. */
  async enqueue(functionArn: string, payload: string): Promise<string> {
    if (Buffer.byteLength(payload) > MOST_BYTES) {
      throw new AwsError(
        'RequestEntityTooLargeException',
        `${Buffer.byteLength(payload)} byte payload is too large for the Event invocation type (limit ${MOST_BYTES} bytes)`,
        413,
      );
    }
    const now = this.#parts.kernel.time.now();
    const queued: Queued = { id: randomUUID(), functionArn, payload, enqueuedAt: now, attempts: 0, throttles: 0, dueAt: now };
    this.#parts.kernel.db
      .prepare('INSERT INTO lambda_async (id, function_arn, payload, enqueued_at, attempts, throttles, due_at) VALUES (?, ?, ?, ?, 0, 0, ?)')
      .run(queued.id, functionArn, payload, now, now);
    void this.#attempt(queued);
    return queued.id;
  }

  /** Takes up again what an earlier process left behind. An invocation it was in the middle of runs once more: delivery is at least once. */
  resume(): void {
    const rows = this.#parts.kernel.db.prepare('SELECT id, function_arn, payload, enqueued_at, attempts, throttles, due_at FROM lambda_async ORDER BY due_at').all();
    for (const row of rows) {
      this.#schedule({
        id: String(row.id),
        functionArn: String(row.function_arn),
        payload: String(row.payload),
        enqueuedAt: Number(row.enqueued_at),
        attempts: Number(row.attempts),
        throttles: Number(row.throttles),
        dueAt: Number(row.due_at),
      });
    }
  }

  get waiting(): number {
    return Number(this.#parts.kernel.db.prepare('SELECT count(*) AS n FROM lambda_async').get()?.n ?? 0);
  }

  #schedule(queued: Queued): void {
    this.#parts.kernel.agenda.at(queued.dueAt, `lambda async ${queued.id}`, () => this.#attempt(queued));
  }

  #attempt(queued: Queued): Promise<void> {
    return this.#parts.kernel.work
      .track(`async ${queued.functionArn}`, () => this.#try(queued))
      .catch((fault: unknown) => {
        this.#parts.kernel.log({ service: 'lambda', message: `async invocation ${queued.id} broke: ${String(fault)}` });
      });
  }

  async #try(queued: Queued): Promise<void> {
    const known = this.#parts.find(queued.functionArn);
    if (!known) return this.#forget(queued);
    if (this.#parts.kernel.time.now() - queued.enqueuedAt > known.async.maximumEventAgeSeconds * 1000) return this.#finish(queued, known, 'EventAgeExceeded');
    try {
      const outcome = await this.#parts.run(queued.functionArn, queued.payload, queued.id);
      await this.#settle({ ...queued, attempts: queued.attempts + 1 }, known, outcome);
    } catch (fault) {
      if (!(fault instanceof AwsError) || fault.status !== 429) throw fault;
      const seconds = Math.min(2 ** queued.throttles, 300);
      this.#postpone({ ...queued, throttles: queued.throttles + 1 }, seconds);
    }
  }

  async #settle(queued: Queued, known: Known, outcome: InvocationOutcome): Promise<void> {
    if (outcome.kind === 'answered') return this.#finish(queued, known, 'Success', outcome);
    if (queued.attempts > known.async.maximumRetryAttempts) return this.#finish(queued, known, 'RetriesExhausted', outcome);
    this.#postpone(queued, RETRY_SECONDS[queued.attempts - 1] ?? 120);
  }

  #postpone(queued: Queued, seconds: number): void {
    const later = { ...queued, dueAt: this.#parts.kernel.time.now() + seconds * 1000 };
    this.#parts.kernel.db.prepare('UPDATE lambda_async SET attempts = ?, throttles = ?, due_at = ? WHERE id = ?').run(later.attempts, later.throttles, later.dueAt, later.id);
    this.#schedule(later);
  }

  async #finish(queued: Queued, known: Known, end: AsyncEnd, outcome?: InvocationOutcome): Promise<void> {
    const { kernel } = this.#parts;
    const destination = end === 'Success' ? known.async.onSuccess : known.async.onFailure;
    const finished = { requestId: queued.id, functionArn: queued.functionArn, payload: queued.payload, attempts: queued.attempts, end, ...(outcome ? { outcome } : {}) };
    if (destination) await sendToDestination(kernel, destination, destinationRecord(finished, kernel.time.now()), callerOf(known));
    const { deadLetterArn } = known.settings;
    if (end !== 'Success' && deadLetterArn) {
      kernel.iam.authorize(callerOf(known), 'sqs:SendMessage', deadLetterArn);
      await kernel.services.queues.send(deadLetterArn, queued.payload, deadLetterAttributes(queued.id, outcome?.kind === 'failed' ? outcome.error : undefined));
    }
    this.#forget(queued);
  }

  #forget(queued: Queued): void {
    this.#parts.kernel.db.prepare('DELETE FROM lambda_async WHERE id = ?').run(queued.id);
  }
}
