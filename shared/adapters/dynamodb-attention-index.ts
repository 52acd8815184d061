import { parse } from '../contracts/contract-error.ts';
import { ClaimItem, HeadItem, SignalItem, WaitItem } from '../contracts/table-items.ts';
import { attentionAt } from '../domain/next-step.ts';
import type { Signal } from '../domain/signal.ts';
import type { Claim } from '../ports/claim-book.ts';
import type { AttentionIndex, Watched } from '../ports/report-sources.ts';
import { sortable, upTo, WAIT } from './dynamodb-keys.ts';
import { readOpen } from './dynamodb-open-index.ts';
import type { Item, Table } from './dynamodb-table.ts';

/** What wants a look, longest overdue first. The index names candidates; only the row itself counts (DB-06). */
export function dynamodbAttentionIndex(table: Table): AttentionIndex {
  return {
    undecidedSignals: async (until) => undecidedSignals((await readOpen(table, ['SIGNAL#'], sortable(until)))['SIGNAL#'], until),
    async attention(until) {
      const items = await readOpen(table, ['HANDOFF#', 'SIGNAL#', 'CLAIM#'], upTo(until));
      return { watched: watchedHandoffs(items['HANDOFF#'], until), signals: undecidedSignals(items['SIGNAL#'], until), claims: unsettledClaims(items['CLAIM#'], until) };
    },
  };
}

function watchedHandoffs(items: readonly Item[], until: string): Watched[] {
  const waits = new Map(items.filter(({ sk }) => sk === WAIT).map((item) => [item.pk, waitIn(item)]));
  return items
    .filter(({ sk }) => sk !== WAIT)
    .map((item) => ({ handoff: parse(HeadItem, item, 'a stored row').handoff, wait: waits.get(item.pk) }))
    .map(({ handoff, wait }) => ({ watched: { handoff, ...(wait && { wait }) }, attention: attentionAt(handoff) }))
    .flatMap(({ watched, attention }) => (attention !== undefined && sortable(attention) <= sortable(until) ? [{ watched, attention: sortable(attention) }] : []))
    .sort((a, b) => compare(a.attention, b.attention) || compare(a.watched.handoff.id, b.watched.handoff.id))
    .map(({ watched }) => watched);
}

function waitIn(item: Item): NonNullable<Watched['wait']> {
  const { token: _, wokenBy: __, ...wait } = parse(WaitItem, item, 'a stored wait');
  return wait;
}

function undecidedSignals(items: readonly Item[], until: string): Signal[] {
  return items
    .map((item) => parse(SignalItem, item, 'a stored signal'))
    .filter(({ signal, standing }) => standing.kind === 'received' && sortable(signal.receivedAt) < sortable(until))
    .map(({ signal }) => signal)
    .sort((a, b) => compare(sortable(a.receivedAt), sortable(b.receivedAt)));
}

function unsettledClaims(items: readonly Item[], until: string): Claim[] {
  const claims = items.map((item) => parse(ClaimItem, item, 'a stored claim').claim);
  return claims.filter((claim) => claim.result === undefined && sortable(claim.claimedAt) < sortable(until));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
