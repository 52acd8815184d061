import type { TimeSource } from '../ports/time-source.ts';

/** The machine's clock. */
export const systemTime: TimeSource = { now: () => new Date().toISOString() };
