export type ThrottleLimits = { rate: number; burst: number };

/** A token bucket: `burst` requests at once, refilled at `rate` a second of the runtime's time. */
export class Throttle {
  readonly #limits: ThrottleLimits;
  #tokens: number;
  #filledAt: number;

  constructor(limits: ThrottleLimits, now: number) {
    this.#limits = limits;
    this.#tokens = limits.burst;
    this.#filledAt = now;
  }

  /** Takes one token; false when there is none. */
  take(now: number): boolean {
    const gained = (Math.max(0, now - this.#filledAt) / 1000) * this.#limits.rate;
    this.#tokens = Math.min(this.#limits.burst, this.#tokens + gained);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
