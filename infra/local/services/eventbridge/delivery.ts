import { AwsError, type Kernel } from '../../kernel/types.ts';
import { type Delivery, type DeliveryRow, type DeliveryTable, deliveryTable } from './delivery-table.ts';

export type Deliveries = {
  /** Writes deliveries down; they are carried out even when the process dies right after. Call `start` with the ids once that is committed. */
  record(deliveries: readonly Delivery[]): number[];
  start(ids: readonly number[]): void;
  /** Takes up everything that was under way when the process ended. */
  resume(): void;
  pending(): number;
};

type Outcome = { kind: 'done' } | { kind: 'later'; at: number } | { kind: 'dead'; condition: string };

const LONGEST_PAUSE = 600_000;
const ERROR_CODES: Record<string, string> = { AccessDeniedException: 'NO_PERMISSIONS', ResourceNotFoundException: 'NO_RESOURCE', QueueDoesNotExist: 'NO_RESOURCE' };
const RETRYABLE = /Throttl|TooManyRequests|ServiceUnavailable|InternalError|InternalFailure|ServiceException|LimitExceeded/;

/** AWS retries faults and throttling; a missing permission or target goes straight to the dead-letter queue (EB-08). */
const isRetryable = (error: unknown): boolean => !(error instanceof AwsError) || error.status >= 500 || error.status === 429 || RETRYABLE.test(error.code);

const pause = (attempts: number): number => Math.min(1000 * 2 ** Math.max(attempts - 1, 0), LONGEST_PAUSE);

const errorCode = (error: unknown): string => (error instanceof AwsError ? (ERROR_CODES[error.code] ?? error.code) : 'INTERNAL_ERROR');
const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Hands a payload to a target by what its ARN names. */
export type Send = (delivery: Delivery) => Promise<void>;

class JournaledDeliveries implements Deliveries {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #table: DeliveryTable;
  readonly #send: Send;

  constructor(kernel: Kernel, name: string, send: Send) {
    this.#kernel = kernel;
    this.#name = name;
    this.#table = deliveryTable(kernel.db, name);
    this.#send = send;
  }

  record(deliveries: readonly Delivery[]): number[] {
    const now = this.#kernel.time.now();
    return deliveries.map((delivery) => this.#table.insert(delivery, now));
  }

  start(ids: readonly number[]): void {
    for (const id of ids) void this.#kernel.work.track(`${this.#name}:${id}`, () => this.#attempt(id));
  }

  resume(): void {
    for (const { id, nextAt } of this.#table.all()) this.#kernel.agenda.at(nextAt, `${this.#name}:${id}`, () => this.#attempt(id));
  }

  pending(): number {
    return this.#table.all().length;
  }

  async #attempt(id: number): Promise<void> {
    const row = this.#table.find(id);
    if (row === undefined) return;
    const last = this.#expired(row) && row.attempts > 0 ? new AwsError('EventTooOld', row.lastError ?? 'The event is older than its maximum age') : undefined;
    const error = last ?? (await this.#try(row));
    if (error === undefined) return this.#table.remove(id);
    const attempts = row.attempts + (last === undefined ? 1 : 0);
    const outcome = this.#outcome({ ...row, attempts }, error);
    if (outcome.kind === 'dead') return this.#bury(row, attempts, error, outcome.condition);
    if (outcome.kind === 'later') {
      this.#table.postpone(id, attempts, outcome.at, errorMessage(error));
      this.#kernel.agenda.at(outcome.at, `${this.#name}:${id}`, () => this.#attempt(id));
    }
  }

  async #try(row: DeliveryRow): Promise<unknown> {
    try {
      await this.#send(row.delivery);
      return undefined;
    } catch (error) {
      this.#kernel.log({ service: this.#name, message: `delivery failed: ${errorMessage(error)}`, target: row.delivery.target, attempt: row.attempts + 1 });
      return error ?? new Error('delivery failed');
    }
  }

  #expired(row: DeliveryRow): boolean {
    return this.#kernel.time.now() - row.queuedAt >= row.delivery.maximumAgeSeconds * 1000;
  }

  #outcome(row: DeliveryRow, error: unknown): Outcome {
    if (error instanceof AwsError && error.code === 'EventTooOld') return { kind: 'dead', condition: 'MaximumEventAgeInSeconds' };
    if (!isRetryable(error)) return { kind: 'dead', condition: '' };
    if (row.attempts > row.delivery.maximumAttempts) return { kind: 'dead', condition: 'MaximumRetryAttempts' };
    if (this.#expired(row)) return { kind: 'dead', condition: 'MaximumEventAgeInSeconds' };
    const end = row.queuedAt + row.delivery.maximumAgeSeconds * 1000;
    return { kind: 'later', at: Math.min(this.#kernel.time.now() + pause(row.attempts), end) };
  }

  async #bury(row: DeliveryRow, attempts: number, error: unknown, condition: string): Promise<void> {
    const { delivery } = row;
    const attributes: Record<string, string> = {
      ...delivery.labels,
      ERROR_CODE: errorCode(error),
      ERROR_MESSAGE: errorMessage(error),
      RETRY_ATTEMPTS: String(Math.max(attempts - 1, 0)),
      ...(condition === '' ? {} : { EXHAUSTED_RETRY_CONDITION: condition }),
    };
    try {
      if (delivery.deadLetterArn !== undefined) await this.#kernel.services.queues.send(delivery.deadLetterArn, delivery.original, attributes, delivery.deadLetterCaller);
      this.#kernel.log({ service: this.#name, message: delivery.deadLetterArn ? 'sent to the dead-letter queue' : 'dropped: there is no dead-letter queue', ...attributes });
    } catch (fault) {
      this.#kernel.log({ service: this.#name, message: `dropped: the dead-letter queue refused it: ${errorMessage(fault)}`, ...attributes });
    }
    this.#table.remove(row.id);
  }
}

/** Deliveries of one service, kept in the journal under `name` until they are done or buried. */
export const deliveries = (kernel: Kernel, name: string, send: Send): Deliveries => new JournaledDeliveries(kernel, name, send);
