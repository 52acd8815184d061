import type { Handoff } from '../domain/handoff.ts';
import type { Signal } from '../domain/signal.ts';
import type { Tally } from '../domain/tally.ts';
import type { Claim } from './claim-book.ts';
import type { StoredWait } from './handoff-store.ts';

/** Counts kept in the same transactions as what they count (M-03). */
export type Totals = { received: number; ignored: number; linked: number; waiting: number; offered: number; accepted: number; exception: number; closed: number };

/** A handoff that is due, and the wait that its workflow stored. The token stays in the table. */
export type Watched = { handoff: Handoff; wait?: Omit<StoredWait, 'token'> };

/** What stands open: handoffs that are due, signals that were never decided, claims whose outcome is unknown. */
export type Attention = { watched: Watched[]; signals: Signal[]; claims: Claim[] };

export interface AttentionIndex {
  /** Signals that were received before `until` and never opened nor ignored. */
  undecidedSignals(until: string): Promise<Signal[]>;
  /**
   * Handoffs whose attention time is at or before `until`, longest overdue first, and signals and claims from before it: one
   * reading of the index, each item read again consistently. Cost follows their number, not history (M-05).
   */
  attention(until: string): Promise<Attention>;
}

export interface TotalsBook {
  totals(): Promise<Totals>;
  /** The same, and whatever else was counted (M-06), all at one instant. */
  counted(): Promise<{ totals: Totals; tally: Tally }>;
}
