import { parse } from '../contracts/contract-error.ts';
import { ConflictItem, QuarantinedEventItem, QuarantineEntryItem, SignalItem } from '../contracts/table-items.ts';
import type { Quarantine, Quarantined, QuarantineShelf } from '../ports/quarantine.ts';
import type { TimeSource } from '../ports/time-source.ts';
import { quarantinedEventKey, quarantineEntryKey, unmatchedKey } from './dynamodb-keys.ts';
import { readItem, readRange, type Table } from './dynamodb-table.ts';
import { absent, write } from './dynamodb-writer.ts';

const KEPT_SECONDS = 90 * 24 * 60 * 60;
/** An item may hold 400 KB, and a character up to four bytes of it; an event may be larger (EB-06). */
const LARGEST_BODY = 90_000;

/** Quarantine as rows `QUARANTINE#<event id>` / `EVENT` of the handoff table, removed by TTL, each with an entry in the list that people read. */
export function dynamodbQuarantine(table: Table, time: TimeSource): Quarantine {
  return {
    async keep({ eventId, source, body, because }) {
      const at = time.now();
      const id = eventId || 'unnamed';
      await write(table, { kind: 'put', item: { ...quarantinedEventKey(id), source, body: body.slice(0, LARGEST_BODY), because, at, expiresAt: expiry(at) } });
      await enter(table, { kind: 'event', id, source, because, at });
    },
  };
}

/** Puts something into the list, once: the first time stays. The content is stored before, so that no entry points nowhere. */
export async function enter(table: Table, entry: Quarantined): Promise<void> {
  await write(table, { ...entryWrite(entry), condition: absent });
}

/** An entry of the list, for the transaction that keeps its content. */
export const entryWrite = (entry: Quarantined) => ({ kind: 'put' as const, item: { ...quarantineEntryKey(entry), ...entry, expiresAt: expiry(entry.at) } });

const expiry = (at: string): number => Math.floor(Date.parse(at) / 1000) + KEPT_SECONDS;

/** What was set aside, for a person at a keyboard. */
export function dynamodbQuarantineShelf(table: Table): QuarantineShelf {
  return {
    async list() {
      const items = await readRange(table, quarantineEntryKey({ kind: 'event', id: '' }).pk);
      return items
        .map((item) => parse(QuarantineEntryItem, item, 'an entry of the quarantine'))
        .map(({ kind, id, source, because, at }) => ({ kind, id, source, because, at }))
        .sort((one, other) => other.at.localeCompare(one.at));
    },

    async contents(id) {
      const event = await readItem(table, quarantinedEventKey(id));
      if (event !== undefined) return [{ what: 'event', content: jsonOr(parse(QuarantinedEventItem, event, 'a quarantined event').body) }];
      const stated = await readItem(table, unmatchedKey(id));
      if (stated !== undefined) return [{ what: 'outcome', content: stated.outcome }];
      const rows = await readRange(table, `SIGNAL#${id}`);
      const conflicts = rows.filter(({ sk }) => String(sk).startsWith('CONFLICT#')).map((row) => parse(ConflictItem, row, 'a signal in conflict').signal);
      if (conflicts.length === 0) return [];
      const taken = rows.filter(({ sk }) => sk === 'SIGNAL').map((row) => parse(SignalItem, row, 'a stored signal').signal);
      return [...taken.map((content) => ({ what: 'taken' as const, content })), ...conflicts.map((content) => ({ what: 'not taken' as const, content }))];
    },
  };
}

/** A body that was too long to be kept whole is no JSON any more. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
