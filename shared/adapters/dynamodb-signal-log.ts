import { randomUUID } from 'node:crypto';
import { parse } from '../contracts/contract-error.ts';
import { SignalItem } from '../contracts/table-items.ts';
import type { Signal } from '../domain/signal.ts';
import type { RecordedSignal, SignalLog } from '../ports/signal-log.ts';
import { conflictKey, openEntry, signalKey } from './dynamodb-keys.ts';
import { enter } from './dynamodb-quarantine.ts';
import { readItem, type Table } from './dynamodb-table.ts';
import { countWrite, named, settleSignal } from './dynamodb-transition.ts';
import { absent, transact, write } from './dynamodb-writer.ts';

/** Signals by source and event id, stored once and counted in the same transaction (M-03). */
export function dynamodbSignalLog(table: Table): SignalLog & { find(signal: { source: string; eventId: string }): Promise<RecordedSignal | undefined> } {
  return {
    find: (signal) => findSignal(table, signal),

    async record(signal, bodyHash, at) {
      const recordedBy = randomUUID();
      const key = signalKey(signal);
      const item = { ...key, signal: named(signal), bodyHash, recordedAt: at, recordedBy, standing: { kind: 'received' }, ...openEntry(signal.receivedAt, key.pk) };
      const written = await transact(table, [{ kind: 'put', item, condition: absent }, countWrite(key.pk, { received: 1 })]);
      if (written.kind === 'written') return { kind: 'recorded' };
      const first = await findSignal(table, signal);
      if (first === undefined) throw new Error(`signal ${key.pk} was refused but is not there`);
      if (first.recordedBy === recordedBy) return { kind: 'recorded' }; // our own write, whose answer got lost (DB-01)
      if (first.bodyHash === bodyHash) return { kind: 'known', standing: first.standing };
      await keepConflict(table, signal, { bodyHash, at });
      return { kind: 'conflict' };
    },

    async ignore(signal, because, at, counts) {
      const settle = settleSignal(signal, { kind: 'ignored', because });
      const written = await transact(table, [settle, countWrite(signalKey(signal).pk, { ignored: 1, ...counts })]);
      if (written.kind === 'written') return;
      if ((await findSignal(table, signal)) === undefined) throw new Error(`signal ${signalKey(signal).pk} cannot be ignored at ${at}: it was never recorded`);
    },
  };
}

async function findSignal(table: Table, signal: { source: string; eventId: string }) {
  const item = await readItem(table, signalKey(signal));
  return item === undefined ? undefined : parse(SignalItem, item, `the stored signal ${signalKey(signal).pk}`);
}

/** The other content under the same id, for a person to look at (WH-07). The first of each content stays. */
async function keepConflict(table: Table, signal: Signal, { bodyHash, at }: { bodyHash: string; at: string }): Promise<void> {
  await write(table, { kind: 'put', item: { ...conflictKey(signal, bodyHash), signal: named(signal), bodyHash, conflictAt: at }, condition: absent });
  const { source, eventId } = signal;
  await enter(table, { kind: 'conflict', id: `${source}#${eventId}`, source, because: 'other content under an id that was used', at });
}
