import type { RuntimeTime } from './types.ts';

/**
 * The runtime's one clock: the real clock plus an offset that only grows.
 * The offset lives in shared memory, so that worker threads follow it without being told.
 */
export class SteerableTime implements RuntimeTime {
  readonly shared: SharedArrayBuffer;
  readonly #offset: Float64Array;
  readonly #remember: (offset: number) => void;

  constructor(offset = 0, remember: (offset: number) => void = () => {}) {
    this.shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
    this.#offset = new Float64Array(this.shared);
    this.#offset[0] = offset;
    this.#remember = remember;
  }

  now(): number {
    return Date.now() + (this.#offset[0] ?? 0);
  }

  /** Moves the clock forward to `instant`; a moment that has passed leaves it alone, because time never runs backwards. */
  jumpTo(instant: number): void {
    const step = instant - this.now();
    if (step <= 0) return;
    const offset = (this.#offset[0] ?? 0) + step;
    this.#remember(offset);
    this.#offset[0] = offset;
  }
}
