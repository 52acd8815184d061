import type { Revenue } from '../domain/receipt.ts';

/** What a system stated about a handoff that we do not have. */
export type UnmatchedOutcome = { orderId: string; handoffId: string; system: string; result: string; revenue?: Revenue; at: string };

export interface OutcomeBook {
  /** Keeps and counts it, once by the id of the order. */
  unmatched(outcome: UnmatchedOutcome): Promise<void>;
}
