// Whether a signal is another source of a request that is here already (D-01). Identifiers leave this file as keyed hashes only.

import type { HandoffId } from '../../shared/domain/ids.ts';
import { FINDING_KEYS, isOldNews, type Match, type MatchEntry, type MatchEvidence, type MatchKeys, matchesOf, matchKeys } from '../../shared/domain/matching.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { HandoffStore, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { MatchBook, MatchRow } from '../../shared/ports/match-book.ts';
import type { ContactSeal } from '../../shared/ports/seal.ts';

export type Verdict =
  | { kind: 'new' }
  | { kind: 'same'; loaded: LoadedHandoff; evidence: readonly MatchEvidence[] }
  | { kind: 'perhaps'; of: HandoffId; evidence: readonly MatchEvidence[] }
  /** News from before what a closed handoff dealt with. */
  | { kind: 'old-news'; of: HandoffId };

/** A verdict, and the rows that say from now on that this arrival belongs to a handoff. */
export type Judged = { verdict: Verdict; rowsFor: (id: HandoffId) => MatchRow[] };

export type FindDuplicateDeps = { matches: MatchBook; handoffs: Pick<HandoffStore, 'load'>; seal: ContactSeal };

/** A crowd behind one key, such as a firm, is cut to its newest: older ones can still be found by their other keys. */
const MOST_ENTRIES = 20;
const MOST_COMPARED = 8;

/** Compares a signal, which would open the handoff `own`, with everything that stands under its keys. */
export async function findDuplicate(deps: FindDuplicateDeps, signal: Signal, contract: Contract, own: HandoffId): Promise<Judged> {
  const keys = await sealed(deps.seal, matchKeys(signal));
  const { category } = signal.request;
  const arriving: MatchEntry = { handoffId: own, contract: contract.name, occurredAt: signal.occurredAt, keys, ...(category !== undefined && { category }) };
  const names = FINDING_KEYS.flatMap((kind) => (keys[kind] === undefined ? [] : [{ kind, hash: keys[kind] }]));
  const rows = await deps.matches.rows(names);
  const rowsFor = (id: HandoffId) => rows.map((row) => ({ ...row, entries: [{ ...arriving, handoffId: id }, ...row.entries].slice(0, MOST_ENTRIES) }));
  const matches = onePerHandoff(
    matchesOf(
      arriving,
      rows.flatMap((row) => row.entries),
    ),
  ).slice(0, MOST_COMPARED);
  return { verdict: await judge(deps, arriving, matches), rowsFor };
}

/** The strongest match that still stands decides. */
async function judge({ handoffs }: FindDuplicateDeps, arriving: MatchEntry, matches: readonly Match[]): Promise<Verdict> {
  const found = await Promise.all(matches.map(async (match) => ({ match, loaded: await surviving(handoffs, match.entry.handoffId) })));
  for (const { match, loaded } of found) {
    if (loaded === undefined) continue;
    const { strength, evidence } = match;
    const { id: of, state } = loaded.handoff;
    if (of === arriving.handoffId) continue;
    if (state !== 'closed') return strength === 'strong' ? { kind: 'same', loaded, evidence } : { kind: 'perhaps', of, evidence };
    if (isOldNews(arriving, match)) return { kind: 'old-news', of };
  }
  return { kind: 'new' };
}

/** How often one handoff may have gone on in another: longer chains are no work of people. */
const MOST_MERGES = 8;

/** The handoff that goes on with the sources of this one: what a person merged counts as one request from then on, also for arrivals under the keys of the merged one. */
export async function surviving(handoffs: Pick<HandoffStore, 'load'>, id: HandoffId): Promise<LoadedHandoff | undefined> {
  let loaded = await handoffs.load(id);
  for (let merges = 0; merges < MOST_MERGES && loaded?.handoff.mergedInto !== undefined; merges++) loaded = (await handoffs.load(loaded.handoff.mergedInto)) ?? loaded;
  return loaded;
}

/** Matches come strongest first; a handoff with several arrivals counts once. */
function onePerHandoff(matches: readonly Match[]): Match[] {
  const seen = new Set<HandoffId>();
  return matches.filter(({ entry }) => !seen.has(entry.handoffId) && seen.add(entry.handoffId));
}

async function sealed(seal: ContactSeal, keys: MatchKeys): Promise<MatchKeys> {
  const hashes = await Promise.all(Object.entries(keys).map(async ([kind, value]) => [kind, await seal.reference({ fallback: `match\n${kind}\n${value}` })] as const));
  return Object.fromEntries(hashes);
}
