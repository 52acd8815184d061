import { attentionAt } from '../../shared/domain/next-step.ts';
import type { StoredWait } from '../../shared/ports/handoff-store.ts';
import type { OutcomeBook } from '../../shared/ports/outcome-book.ts';
import type { AttentionIndex, TotalsBook } from '../../shared/ports/report-sources.ts';
import type { SignalLog } from '../../shared/ports/signal-log.ts';
import type { TallyBook } from '../../shared/ports/tally-book.ts';
import { addTo, copy, type MemoryTable, signalName } from './memory-table.ts';

export function memorySignalLog(table: MemoryTable): SignalLog {
  return {
    async record(signal, bodyHash) {
      const known = table.signals.get(signalName(signal));
      if (known === undefined) {
        table.signals.set(signalName(signal), { signal: copy(signal), bodyHash, standing: { kind: 'received' }, conflicts: new Map() });
        table.totals.received += 1;
        return { kind: 'recorded' };
      }
      if (known.bodyHash === bodyHash) return copy({ kind: 'known', standing: known.standing });
      if (!known.conflicts.has(bodyHash)) known.conflicts.set(bodyHash, copy(signal));
      return { kind: 'conflict' };
    },
    async ignore(signal, because, _at, counts = {}) {
      const known = table.signals.get(signalName(signal));
      if (known === undefined) throw new Error(`signal ${signalName(signal)} cannot be ignored: it was never recorded`);
      if (known.standing.kind !== 'received') return;
      known.standing = { kind: 'ignored', because };
      table.totals.ignored += 1;
      addTo(table, counts);
    },
  };
}

export function memoryAttentionIndex(table: MemoryTable): AttentionIndex {
  const undecidedSignals = async (until: string) => {
    const undecided = [...table.signals.values()].filter(({ signal, standing }) => standing.kind === 'received' && Date.parse(signal.receivedAt) < Date.parse(until));
    return copy(undecided.map(({ signal }) => signal).sort((a, b) => Date.parse(a.receivedAt) - Date.parse(b.receivedAt)));
  };
  return {
    undecidedSignals,
    async attention(until) {
      const due = [...table.handoffs.values()].flatMap(({ head, wait }) => {
        const attention = attentionAt(head);
        return attention !== undefined && Date.parse(attention) <= Date.parse(until) ? [{ head, wait, at: Date.parse(attention) }] : [];
      });
      const watched = due.sort((a, b) => a.at - b.at || (a.head.id < b.head.id ? -1 : 1)).map(({ head, wait }) => ({ handoff: head, ...(wait && { wait: withoutToken(wait) }) }));
      const claims = [...table.claims.values()].filter((claim) => claim.result === undefined && Date.parse(claim.claimedAt) < Date.parse(until));
      return copy({ watched, signals: await undecidedSignals(until), claims });
    },
  };
}

function withoutToken({ token: _, ...wait }: StoredWait): Omit<StoredWait, 'token'> {
  return wait;
}

export const memoryTotalsBook = (table: MemoryTable): TotalsBook => ({
  totals: async () => ({ ...table.totals }),
  counted: async () => copy({ totals: table.totals, tally: table.tally }),
});

export const memoryTallyBook = (table: MemoryTable): TallyBook => ({
  note: async (reading) => void table.readings.set(reading.day, copy(reading)),
  noted: async (from, to) => copy([...table.readings.values()].filter(({ day }) => day >= from && day <= to).sort((a, b) => (a.day < b.day ? -1 : 1))),
});

export const memoryOutcomeBook = (table: MemoryTable): OutcomeBook => ({
  async unmatched(outcome) {
    if (table.unmatched.has(outcome.orderId)) return;
    table.unmatched.set(outcome.orderId, copy(outcome));
    addTo(table, { unmatched: 1 });
  },
});
