// What happened between two readings of the counters: signals, answers, moves and ends, each by its own evidence (M-06, M-08).

import type { Counts } from './balance.ts';
import { OUTCOMES, REJECT_REASONS } from './policy.ts';
import { EVIDENCE_KINDS } from './receipt.ts';
import { MOVED_BECAUSE, type Tally, type TallyName } from './tally.ts';

/** Every counter that only ever grows. */
export type Counted = Pick<Counts, 'received' | 'ignored' | 'linked'> & Tally;

/** A reading of the counters, as a published report of that day saw them. */
export type Reading = { day: string; at: string; counts: Counted };

export type Activity = {
  /** The reading it begins at; without one, everything that was ever counted. */
  since?: { day: string; at: string };
  until: string;
  counts: Counted;
  /** Shares from 0 to 1, absent where there is nothing to take a share of. */
  rates: { unknownSource?: number; unmatchedOutcomes?: number; moved?: number; acceptanceReceipts?: number };
};

/** The counters that only grow, out of all. */
export const countedOf = ({ received, ignored, linked }: Counts, tally: Tally): Counted => ({ received, ignored, linked, ...tally });

/** A counter that an earlier reading does not have began after it. */
export function activityBetween(before: Reading | undefined, { at: until, counts: now }: Omit<Reading, 'day'>): Activity {
  const since = before?.counts;
  const names = Object.keys(now) as (keyof Counted)[];
  const counts = Object.fromEntries(names.map((name) => [name, (now[name] ?? 0) - (since?.[name] ?? 0)])) as Counted;
  const of = (name: keyof Counted) => counts[name] ?? 0;
  const moved = MOVED_BECAUSE.reduce((sum, because) => sum + of(`moved:${because}`), 0);
  const share = <Name extends string>(name: Name, part: number, whole: number) => (whole <= 0 ? {} : ({ [name]: part / whole } as Record<Name, number>));
  const rates = {
    ...share('unknownSource', of('unknownSource'), of('received')),
    ...share('unmatchedOutcomes', of('unmatched'), of('recorded') + of('unmatched')),
    ...share('moved', moved, of('asked') + of('askedBackup')),
    ...share('acceptanceReceipts', of('yes'), of('opened')),
  };
  return { ...(before !== undefined && { since: { day: before.day, at: before.at } }), until, counts, rates };
}

/** A line of the sheet; `part` of the line above it. */
export type ActivityLine = { label: string; count: number; share?: number; part?: true };

const MOVED: Readonly<Record<(typeof MOVED_BECAUSE)[number], string>> = {
  reassigned: 'staff named somebody',
  unavailable: 'the person was not there',
  overdue: 'the promise was not kept',
  safety: 'it became a matter of safety',
};

/** The sheet: each stage by itself, never as the next. What did not occur is left out, but for what a person must not miss. */
export function activityLines({ counts, rates }: Activity): ActivityLine[] {
  const of = (name: keyof Counted) => counts[name] ?? 0;
  const some = (label: string, count: number, share?: number): ActivityLine[] => (count === 0 ? [] : [always(label, count, share)]);
  const parts = (...all: (readonly [string, TallyName, (number | undefined)?])[]) =>
    all.flatMap(([label, name, share]) => some(label, of(name), share).map((one) => ({ ...one, part: true as const })));
  const by = <Kind extends string>(kinds: readonly Kind[], nameOf: (kind: Kind) => TallyName, said: (kind: Kind) => string = (kind) => kind) =>
    kinds.map((kind) => [said(kind), nameOf(kind)] as const);
  const total = (all: readonly (readonly [string, TallyName])[]) => all.reduce((sum, [, name]) => sum + of(name), 0);
  const noes = by(REJECT_REASONS, (reason) => `no:${reason}`);
  const moves = by(
    MOVED_BECAUSE,
    (because) => `moved:${because}`,
    (because) => MOVED[because],
  );
  const confirmed = by(EVIDENCE_KINDS, (evidence) => `done:${evidence}`);
  const ends = by(OUTCOMES, (outcome) => `closed:${outcome}`);
  return [
    always('signals received', of('received')),
    ...parts(['from a source that no contract names', 'unknownSource', rates.unknownSource]),
    ...some('ignored, with the reason', of('ignored')),
    ...some('joined another request', of('linked')),
    always('requests opened', of('opened')),
    ...parts(['with everything the contract requires', 'ready']),
    ...some('requests for acceptance', of('asked') + of('askedBackup')),
    ...parts(['of a backup', 'askedBackup']),
    ...some('time to answer passed', of('timedOut')),
    always('accepted by a person', of('yes'), rates.acceptanceReceipts),
    ...parts(['by a backup', 'yesBackup'], ['taken by the exception owner', 'yesTaken']),
    ...some('turned down', total(noes)),
    ...parts(...noes),
    always('moved to another person', total(moves), rates.moved),
    ...parts(...moves),
    ...some('exceptions raised', of('raised')),
    ...parts(['escalated', 'escalated']),
    ...some('next steps with evidence', total(confirmed)),
    ...parts(...confirmed),
    ...some('closed', total(ends)),
    ...parts(...ends, ['duplicates merged', 'merged'], ['found not to be the same', 'separated']),
    ...some('outcomes stated by a system', of('recorded')),
    always('outcomes that match no request', of('unmatched'), rates.unmatchedOutcomes),
  ];
}

const always = (label: string, count: number, share?: number): ActivityLine => ({ label, count, ...(share !== undefined && { share }) });

/** Since when the sheet counts. */
export const activityTitle = ({ since }: Activity): string => (since === undefined ? 'Since the beginning' : `Since the report of ${since.day}`);

/** The sheet as plain text. */
export function activityText(activity: Activity): string[] {
  return activityLines(activity).map(({ label, count, share, part }) => {
    const percent = share === undefined ? '' : `  ${Math.round(share * 100)} %`;
    return `  ${(part ? `  ${label}` : label).padEnd(42)}${String(count).padStart(8)}${percent}`;
  });
}
