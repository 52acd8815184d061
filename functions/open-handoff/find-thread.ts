// Whether a signal follows something that is known: the same call, conversation or meeting, or for what follows by its nature
// the one open handoff of that person. Names of threads leave this file as keyed hashes only.

import { isFollowing, threadsOf } from '../../shared/domain/follow-up.ts';
import { type HandoffId, handoffId } from '../../shared/domain/ids.ts';
import { type MatchEvidence, matchKeys } from '../../shared/domain/matching.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { MatchBook, MatchKey, MatchRow } from '../../shared/ports/match-book.ts';
import { type FindDuplicateDeps, surviving } from './find-duplicate.ts';

/** What a signal follows, and the rows that say from now on that its threads belong to a handoff. */
export type Followed = {
  found: { kind: 'nothing' } | { kind: 'open'; loaded: LoadedHandoff; evidence: readonly MatchEvidence[] } | { kind: 'closed'; of: HandoffId } | { kind: 'several' };
  rowsFor: (id: HandoffId, contract: string) => MatchRow[];
};

type Deps = FindDuplicateDeps & { matches: MatchBook };

/** Earlier handoffs under one thread are few: a thread moves on only when the one before is closed. */
const MOST_ENTRIES = 8;

export async function findThread(deps: Deps, signal: Signal): Promise<Followed> {
  const rows = await deps.matches.rows(await threadKeys(deps, signal));
  const rowsFor = (id: HandoffId, contract: string) =>
    rows.map((row) => ({
      ...row,
      entries: [{ handoffId: id, contract, occurredAt: signal.occurredAt, keys: {} }, ...row.entries.filter((entry) => entry.handoffId !== id)].slice(0, MOST_ENTRIES),
    }));
  const named = (signal.threads ?? []).flatMap((thread) => /^handoff:(h-[0-9a-f]{32})$/.exec(thread)?.[1] ?? []).map(handoffId);
  const byThread = await standing(deps, [...named, ...rows.flatMap((row) => row.entries.map((entry) => entry.handoffId))]);
  const [open] = byThread.filter(isOpen);
  if (open !== undefined) return { found: { kind: 'open', loaded: open, evidence: ['same-thread'] }, rowsFor };
  const [closed] = byThread;
  if (closed !== undefined) return { found: { kind: 'closed', of: closed.handoff.id }, rowsFor };
  return { found: isFollowing(signal) ? await findPerson(deps, signal) : { kind: 'nothing' }, rowsFor };
}

async function threadKeys({ seal }: Deps, signal: Signal): Promise<MatchKey[]> {
  const hashes = await Promise.all(threadsOf(signal).map((thread) => seal.reference({ fallback: `match\nthread\n${thread}` })));
  return hashes.map((hash) => ({ kind: 'thread', hash }));
}

/** The open handoff of whoever has this address, or else this number. Of several, nobody can tell which is meant. */
async function findPerson(deps: Deps, signal: Signal): Promise<Followed['found']> {
  const keys = matchKeys(signal);
  for (const [kind, evidence] of [
    ['email', 'same-email'],
    ['phone', 'same-phone'],
  ] as const) {
    const value = keys[kind];
    if (value === undefined) continue;
    const [row] = await deps.matches.rows([{ kind, hash: await deps.seal.reference({ fallback: `match\n${kind}\n${value}` }) }]);
    const open = (
      await standing(
        deps,
        (row?.entries ?? []).map((entry) => entry.handoffId),
      )
    ).filter(isOpen);
    if (open.length > 1) return { kind: 'several' };
    if (open[0] !== undefined) return { kind: 'open', loaded: open[0], evidence: [evidence] };
  }
  return { kind: 'nothing' };
}

const isOpen = ({ handoff }: LoadedHandoff): boolean => handoff.state !== 'closed';

/** Each once, as what goes on of it. */
async function standing({ handoffs }: Deps, ids: readonly HandoffId[]): Promise<LoadedHandoff[]> {
  const loaded = await Promise.all([...new Set(ids)].slice(0, MOST_ENTRIES).map((id) => surviving(handoffs, id)));
  return [...new Map(loaded.flatMap((one) => (one === undefined ? [] : [[one.handoff.id, one]]))).values()];
}
