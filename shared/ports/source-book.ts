import type { DeliveryOutcome } from '../domain/delivery-outcome.ts';

/** What a source delivered, for a person who asks whether it works. Refusals are counted in batches, so their numbers are lower bounds. */
export type SourceRecord = {
  source: string;
  received: number;
  lastReceivedAt?: string;
  counts: Partial<Record<DeliveryOutcome, number>>;
  lastRefusedAt?: string;
  lastRefusedBecause?: DeliveryOutcome;
};

export interface SourceBook {
  /** A signal of this source was recorded for the first time. */
  received(source: string, at: string): Promise<void>;
  /** Deliveries that are no signal. */
  counted(source: string, outcome: DeliveryOutcome, count: number, at: string): Promise<void>;
  /** The records of these sources; those that never delivered are left out. */
  read(sources: readonly string[]): Promise<readonly SourceRecord[]>;
}
