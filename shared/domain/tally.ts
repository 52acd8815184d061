// What is counted for good, in the very transaction that makes it so: the figures of a period are the difference of two readings (M-06, M-08).

import { OUTCOMES, REJECT_REASONS } from './policy.ts';
import { EVIDENCE_KINDS, type Receipt } from './receipt.ts';

/** Why a request went from one person to another: staff said so, the person was not there, the promise was not kept, it became a matter of safety. */
export const MOVED_BECAUSE = ['reassigned', 'unavailable', 'overdue', 'safety'] as const;

const no = REJECT_REASONS.map((reason) => `no:${reason}` as const);
const moved = MOVED_BECAUSE.map((because) => `moved:${because}` as const);
const done = EVIDENCE_KINDS.map((evidence) => `done:${evidence}` as const);
const closed = OUTCOMES.map((outcome) => `closed:${outcome}` as const);

/**
 * Names of the counters, short because each row of the table holds them all. `ready`: opened with all that the contract requires.
 * `unknownSource`: a signal of a source that no contract names. `unmatched`: an outcome that a system stated of no handoff we know.
 */
export const TALLY = [
  ...(['opened', 'ready', 'asked', 'askedBackup', 'timedOut', 'yes', 'yesBackup', 'yesTaken', 'raised', 'escalated', 'merged', 'separated', 'recorded'] as const),
  ...(['unknownSource', 'unmatched'] as const),
  ...[...no, ...moved, ...done, ...closed],
] as const;
export type TallyName = (typeof TALLY)[number];
export type Tally = Readonly<Partial<Record<TallyName, number>>>;

/** What receipts that are written together add. */
export function tallyOf(receipts: readonly Receipt[]): Tally {
  const taken = receipts.some((one) => one.kind === 'exception.resolved' && one.resolution === 'taken');
  const sum: Partial<Record<TallyName, number>> = {};
  for (const name of receipts.flatMap((one) => namesOf(one, taken))) sum[name] = (sum[name] ?? 0) + 1;
  return sum;
}

function namesOf(receipt: Receipt, taken: boolean): TallyName[] {
  switch (receipt.kind) {
    case 'handoff.opened':
      return receipt.missing.length === 0 ? ['opened', 'ready'] : ['opened'];
    case 'offer.accepted':
      return [...(['yes'] as const), ...(taken ? (['yesTaken'] as const) : receipt.offer > 1 ? (['yesBackup'] as const) : [])];
    case 'offer.rejected':
      return [`no:${receipt.reason}`];
    case 'offer.withdrawn':
    case 'ownership.ended':
      return receipt.because === 'withdrawn' || receipt.because === 'reassigned' ? [] : [`moved:${receipt.because}`]; // whom staff named is a receipt of its own
    case 'next-step.confirmed':
      return [`done:${receipt.evidence}`];
    case 'handoff.closed':
      return [`closed:${receipt.outcome}`];
    default:
      return SIMPLE[receipt.kind] ?? [];
  }
}

const SIMPLE: Readonly<Partial<Record<Receipt['kind'], TallyName[]>>> = {
  'acceptance.requested': ['asked'],
  'backup.requested': ['askedBackup'],
  'offer.timed-out': ['timedOut'],
  'handoff.reassigned': ['moved:reassigned'],
  'exception.raised': ['raised'],
  'exception.escalated': ['escalated'],
  'duplicate.merged': ['merged'],
  'duplicate.separated': ['separated'],
  'outcome.recorded': ['recorded'],
};
