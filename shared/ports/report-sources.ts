import type { Handoff } from '../domain/handoff.ts';
import type { Signal } from '../domain/signal.ts';

/** Counts kept in the same transactions as what they count (M-03). */
export type Totals = { received: number; ignored: number; linked: number; waiting: number; offered: number; accepted: number; exception: number; closed: number };

export interface AttentionIndex {
  /** Handoffs whose attention time is at or before `until`, each read again consistently. Cost follows their number, not history (M-05). */
  due(until: string): Promise<Handoff[]>;
  /** Signals that were received before `until` and never opened nor ignored. */
  undecidedSignals(until: string): Promise<Signal[]>;
}

export interface TotalsBook {
  totals(): Promise<Totals>;
}
