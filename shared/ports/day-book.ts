import type { Handoff } from '../domain/handoff.ts';

export interface DayBook {
  /** The handoffs that opened from `from` up to `until`, as they stand now, each once. Cost follows their number and the days between. */
  openedBetween(from: string, until: string): Promise<Handoff[]>;
}
