import { parse } from '../contracts/contract-error.ts';
import { HeadItem, SignalItem } from '../contracts/table-items.ts';
import { attentionAt } from '../domain/next-step.ts';
import type { AttentionIndex } from '../ports/report-sources.ts';
import { sortable, upTo } from './dynamodb-keys.ts';
import { readOpen } from './dynamodb-open-index.ts';
import type { Table } from './dynamodb-table.ts';

/** What wants a look, longest overdue first. The index names candidates; only the row itself counts (DB-06). */
export function dynamodbAttentionIndex(table: Table): AttentionIndex {
  return {
    async due(until) {
      const items = await readOpen(table, 'HANDOFF#', upTo(until));
      const handoffs = items.map((item) => parse(HeadItem, item, 'a stored row').handoff).map((handoff) => ({ handoff, attention: attentionAt(handoff) }));
      return handoffs
        .flatMap(({ handoff, attention }) => (attention !== undefined && sortable(attention) <= sortable(until) ? [{ handoff, attention: sortable(attention) }] : []))
        .sort((a, b) => compare(a.attention, b.attention) || compare(a.handoff.id, b.handoff.id))
        .map(({ handoff }) => handoff);
    },

    async undecidedSignals(until) {
      const items = await readOpen(table, 'SIGNAL#', sortable(until));
      return items
        .map((item) => parse(SignalItem, item, 'a stored signal'))
        .filter(({ signal, standing }) => standing.kind === 'received' && sortable(signal.receivedAt) < sortable(until))
        .map(({ signal }) => signal)
        .sort((a, b) => compare(sortable(a.receivedAt), sortable(b.receivedAt)));
    },
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
