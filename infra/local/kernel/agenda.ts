import { type DueItem, DueQueue } from './due-queue.ts';
import type { SteerableTime } from './time.ts';
import type { Agenda } from './types.ts';
import type { WorkUnderWay } from './work.ts';

/** `setTimeout` fires at once for longer delays. */
const LONGEST_TIMER = 2 ** 31 - 1;

type Parts = { time: SteerableTime; work: WorkUnderWay; onFault: (id: string, fault: unknown) => void };

/** Runs work when it becomes due: in real time by one timer, or in order of due time while the clock is being advanced. */
export class RuntimeAgenda implements Agenda {
  readonly #queue = new DueQueue();
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #advancing = false;
  #advances: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  at(dueAt: number, id: string, run: () => Promise<void>): void {
    this.#queue.put({ dueAt, id, run });
    this.#arm();
  }

  cancel(id: string): void {
    this.#queue.remove(id);
  }

  /** Begins to run what is due. Until then entries only gather, so that nothing fires into a half-built runtime. */
  start(): void {
    this.#started = true;
    this.#arm();
  }

  stop(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  /** When the next entry is due, and which one it is. */
  next(): { dueAt: number; id: string } | undefined {
    return this.#queue.peek();
  }

  get size(): number {
    return this.#queue.size;
  }

  /** Moves the clock by `seconds`, carrying out in order everything that becomes due on the way and all work it causes. */
  advance(seconds: number): Promise<void> {
    const advance = this.#advances.then(() => this.#advance(seconds));
    this.#advances = advance.catch(() => {});
    return advance;
  }

  async #advance(seconds: number): Promise<void> {
    this.#advancing = true;
    clearTimeout(this.#timer);
    try {
      await this.#runUntil(this.#parts.time.now() + seconds * 1000);
    } finally {
      this.#advancing = false;
      this.#arm();
    }
  }

  async #runUntil(target: number): Promise<void> {
    const { time, work } = this.#parts;
    await work.idle();
    for (let item = this.#queue.takeDue(target); item; item = this.#queue.takeDue(target)) {
      time.jumpTo(item.dueAt);
      await this.#run(item);
      await work.idle();
    }
    time.jumpTo(target);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#queue.peek();
    if (!this.#started || this.#advancing || !next) return;
    const delay = Math.min(Math.max(next.dueAt - this.#parts.time.now(), 0), LONGEST_TIMER);
    this.#timer = setTimeout(() => this.#runDue(), delay);
  }

  #runDue(): void {
    const now = this.#parts.time.now();
    for (let item = this.#queue.takeDue(now); item; item = this.#queue.takeDue(now)) void this.#run(item);
    this.#arm();
  }

  async #run(item: DueItem): Promise<void> {
    try {
      await this.#parts.work.track(item.id, item.run);
    } catch (fault) {
      this.#parts.onFault(item.id, fault);
    }
  }
}
