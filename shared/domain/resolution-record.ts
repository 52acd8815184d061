// What a resolution leaves in the log: small enough for a receipt, complete enough to work the answer out again.

import { type Load, NO_LOAD } from './load.ts';
import type { Policy } from './policy.ts';
import type { Considered, ReceiptOf, Weighed } from './receipt.ts';
import type { Resolution } from './resolver.ts';

type Resolved = Omit<ReceiptOf<'candidates.resolved'>, 'seq' | 'at' | 'commandId' | 'actor' | 'packetVersion' | 'contractVersion'>;

/** A receipt is one item of the table and one event of the bus, each with a limit of its size. */
const MOST_LISTED = 300;
const MOST_WEIGHED = 100;

/** The fact of a resolution. Of a large roster, everybody eligible is listed, and of the others as many as there is room for. */
export function recordOf(
  resolution: Resolution,
  seen: { policy: Policy; openCounts: Readonly<Record<string, number>>; loads: Readonly<Record<string, Load>>; now: string },
): Resolved {
  const { candidates, considered, objection } = resolution;
  const { listed, unlisted } = shortened(considered);
  const weighed = weighedOf(considered, seen);
  const turn = turnOf(resolution, seen);
  return {
    kind: 'candidates.resolved',
    candidates,
    considered: listed,
    rosterVersion: seen.policy.roster.version,
    ...(unlisted.length > 0 && { unlisted }),
    ...(weighed.length > 0 && { weighed }),
    ...(turn !== undefined && { turn }),
    ...(objection !== undefined && { raise: objection }),
  };
}

function shortened(considered: readonly Considered[]): { listed: readonly Considered[]; unlisted: { failed: string; people: number }[] } {
  if (considered.length <= MOST_LISTED) return { listed: considered, unlisted: [] };
  const eligible = considered.filter((one) => one.eligible).slice(0, MOST_LISTED);
  let room = MOST_LISTED - eligible.length;
  const counts = new Map<string, number>();
  const kept = new Set<Considered>(eligible);
  for (const one of considered) {
    if (one.eligible) {
      if (!kept.has(one)) count(counts, 'eligible, behind those who are listed');
    } else if (room > 0 && !one.failed.startsWith('not asked')) {
      kept.add(one);
      room -= 1;
    } else count(counts, one.failed.split(':')[0] ?? one.failed);
  }
  return { listed: considered.filter((one) => kept.has(one)), unlisted: [...counts].map(([failed, people]) => ({ failed, people })) };
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** Nothing to say about whoever carries nothing. */
function weighedOf(considered: readonly Considered[], { openCounts, loads }: { openCounts: Readonly<Record<string, number>>; loads: Readonly<Record<string, Load>> }): Weighed[] {
  return considered
    .flatMap(({ person }): Weighed[] => {
      const open = openCounts[person] ?? 0;
      const { held, turnAt, excludedUntil } = loads[person] ?? NO_LOAD;
      if (open === 0 && held === 0 && turnAt === undefined && excludedUntil === undefined) return [];
      return [{ person, open, held, ...(turnAt !== undefined && { turnAt }), ...(excludedUntil !== undefined && { excludedUntil }) }];
    })
    .slice(0, MOST_WEIGHED);
}

/** The first candidate's turn, when their step takes turns. Its mark is later than every mark among those who were eligible, however slowly time passes. */
function turnOf({ candidates, considered }: Resolution, { policy, loads, now }: { policy: Policy; loads: Readonly<Record<string, Load>>; now: string }): Resolved['turn'] {
  const [first] = candidates;
  if (first === undefined || policy.contract.ask[first.step]?.order !== 'fair-turn') return undefined;
  const marks = considered.flatMap(({ person, eligible }) => {
    const last = eligible ? loads[person]?.turnAt : undefined;
    return last === undefined ? [] : [Date.parse(last) + 1];
  });
  const at = marks.reduce((latest, mark) => Math.max(latest, mark), Date.parse(now));
  const after = loads[first.person]?.turnAt;
  return { person: first.person, at: new Date(at).toISOString(), ...(after !== undefined && { after }) };
}
