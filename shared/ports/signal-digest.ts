import type { HandoffId } from '../domain/ids.ts';
import type { Signal } from '../domain/signal.ts';

/** Names and fingerprints that are derived, so that every repetition derives the same ones. */
export interface SignalDigest {
  /** The one handoff a signal can open (SF-12, SF-14): the same source and event id, the same handoff. */
  handoffId(signal: { source: string; eventId: string }): HandoffId;
  /** Fingerprint of what a signal states, without the times of its deliveries: equal for a repetition, different for an edited record (WH-07). */
  bodyHash(signal: Signal): string;
}
