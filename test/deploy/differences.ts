// Stories that come out differently on MiniStack 1.5.33, by name, and how a result is judged and shown.

import { WORKAROUNDS } from '../support/workarounds.ts';

export type Difference = {
  cause: 'ours' | 'theirs' | 'documented AWS behaviour';
  because: string;
  /** What the failure says; another failure of the same story is a new difference. */
  shows: RegExp;
};

/** Every other story that is told there holds there. Add one by its full name, with the cause. */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'D: an address is checked by GET and OPTIONS through the front door': {
    cause: 'theirs',
    because: 'an OPTIONS request is answered there, by 403, and never reaches the ANY route; AWS routes it when the API has no CORS settings',
    shows: /expected 403 to be 200/,
  },
  'MS-14 MS-15 CC-04: after STOP an offer goes by e-mail alone, and what SES says of it is noted beside the handoff': {
    cause: 'theirs',
    because: 'SES puts no events of its configuration set on the bus',
    shows: /expected \[\] to deeply equal \[ 'delivered', 'sent' \]/,
  },
};

export type Outcome = { kind: 'told' } | { kind: 'moves-time' } | { kind: 'differs'; fault: unknown };

/** A story fails where it does not hold here, differs there in a way nobody named, or no longer differs as named. */
export function verdict(here: Outcome, there: Outcome, known?: Difference): { kind: 'passes' } | { kind: 'fails'; because: string; fault?: unknown } {
  if (here.kind === 'differs') return { kind: 'fails', because: 'the story does not hold on the local runtime', fault: here.fault };
  if (there.kind === 'differs' && !known?.shows.test(String(there.fault))) return { kind: 'fails', because: 'a difference from MiniStack that nobody named', fault: there.fault };
  if (there.kind === 'told' && known !== undefined) return { kind: 'fails', because: `MiniStack does this now; take it out of the known differences: ${known.because}` };
  return { kind: 'passes' };
}

export type Row = { story: string; local: string; ministack: string; cause: string };

const WORDS = { told: 'holds', 'moves-time': 'moves time', differs: 'differs' } as const;

export function rowOf(story: string, here: Outcome, there: Outcome, known?: Difference): Row {
  return { story, local: WORDS[here.kind], ministack: there.kind === 'moves-time' ? 'not told' : WORDS[there.kind], cause: causeOf(there, known) };
}

function causeOf(there: Outcome, known?: Difference): string {
  if (there.kind === 'moves-time') return 'theirs: no clock to move; test/story tells it on the local runtime';
  if (there.kind === 'told') return '';
  return known === undefined ? `NEW: ${String(there.fault).slice(0, 120)}` : `${known.cause}: ${known.because}`;
}

/** The results, and under them everything that was worked around to get so far. */
export function tableOf(rows: readonly Row[]): string {
  const widest = Math.max(5, ...rows.map(({ story }) => story.length));
  const line = (story: string, here: string, there: string, cause: string) => `${story.padEnd(widest)} | ${here.padEnd(10)} | ${there.padEnd(9)} | ${cause}`.trimEnd();
  const heading = [line('story', 'local', 'MiniStack', 'cause of difference'), line('-'.repeat(widest), '-'.repeat(10), '-'.repeat(9), '-'.repeat(19))];
  const around = WORKAROUNDS.map(({ name, cause, lacks, instead }) => `  ${name} (${cause}): ${lacks}; ${instead}`);
  return [...heading, ...rows.map((row) => line(row.story, row.local, row.ministack, row.cause)), '', 'done differently for MiniStack 1.5.33:', ...around].join('\n');
}
