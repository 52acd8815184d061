import type { Reading } from '../domain/activity.ts';

export interface TallyBook {
  /** Keeps the reading that a day's report was made of; a repeated run of the same day replaces it. */
  note(reading: Reading): Promise<void>;
  /** The readings of these days, first and last included, oldest first. Cost follows the days. */
  noted(from: string, to: string): Promise<Reading[]>;
}
