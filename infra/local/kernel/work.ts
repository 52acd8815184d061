import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Work } from './types.ts';

/** Knows what is under way in this process, by label. */
export class WorkUnderWay implements Work {
  readonly #running = new Map<symbol, string>();
  #waiting: (() => void)[] = [];

  async track<T>(label: string, run: () => Promise<T>): Promise<T> {
    const ticket = Symbol(label);
    this.#running.set(ticket, label);
    try {
      return await run();
    } finally {
      this.#running.delete(ticket);
      if (this.#running.size === 0) this.#release();
    }
  }

  /** Resolves once nothing is under way, also not after what just ended had the chance to start more. */
  async idle(): Promise<void> {
    do {
      if (this.#running.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      await nextTurn();
    } while (this.#running.size > 0);
  }

  /** Labels of what is under way, for a person who wonders why time does not move. */
  labels(): string[] {
    return [...this.#running.values()];
  }

  #release(): void {
    const released = this.#waiting;
    this.#waiting = [];
    for (const resolve of released) resolve();
  }
}
