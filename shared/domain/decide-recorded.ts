// What a system outside says about the end of a handoff: kept as its word, never as a step of ours.

import type { RecordOutcome } from './command.ts';
import { type Decision, decided } from './decision.ts';
import type { Handoff } from './handoff.ts';
import type { Revenue } from './receipt.ts';

/** An observation, in every state: owner, clock and state stay as they are; the same word again is no news. */
export function decideRecorded(handoff: Handoff, { system, result, revenue }: RecordOutcome): Decision {
  const { recorded } = handoff;
  const money = ({ minorUnits, currency }: Partial<Revenue> = {}) => `${minorUnits} ${currency}`;
  if (recorded?.system === system && recorded.result === result && money(recorded.revenue) === money(revenue)) return { kind: 'already-done' };
  return decided({ kind: 'outcome.recorded', system, result, ...(revenue !== undefined && { revenue }) });
}
