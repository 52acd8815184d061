import type { HandoffId } from '../domain/ids.ts';
import type { Signal } from '../domain/signal.ts';
import type { Tally } from '../domain/tally.ts';

export type SignalStanding =
  | { kind: 'received' }
  | { kind: 'opened'; handoffId: HandoffId }
  /** Another source of a request that is open already. */
  | { kind: 'linked'; handoffId: HandoffId }
  /** Met no start rule, or was a provider's test; kept with the reason (L-01). */
  | { kind: 'ignored'; because: string };

export type Recorded =
  | { kind: 'recorded' }
  /** The same event came before; `standing` says what became of it. */
  | { kind: 'known'; standing: SignalStanding }
  /** Same event id, other content: the first is kept, this one is stored beside it for a person to look at (WH-07). */
  | { kind: 'conflict' };

/** A signal as it was recorded, with what became of it. */
export type RecordedSignal = { signal: Signal; standing: SignalStanding };

export interface SignalLog {
  /** Stores the signal exactly once by source and event id, and counts it as received, in one transaction. */
  record(signal: Signal, bodyHash: string, at: string): Promise<Recorded>;
  /** Marks a received signal as ignored, once, and counts it, and whether its source was unknown. Repeating it changes nothing. */
  ignore(signal: { source: string; eventId: string }, because: string, at: string, counts?: Pick<Tally, 'unknownSource'>): Promise<void>;
}
