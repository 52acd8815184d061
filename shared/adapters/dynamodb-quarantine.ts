import type { Quarantine } from '../ports/quarantine.ts';
import type { TimeSource } from '../ports/time-source.ts';
import type { Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

const KEPT_SECONDS = 90 * 24 * 60 * 60;
/** An item may hold 400 KB, and a character up to four bytes of it; an event may be larger (EB-06). */
const LARGEST_BODY = 90_000;

/** Quarantine as rows `QUARANTINE#<event id>` / `EVENT` of the handoff table, removed by TTL. */
export function dynamodbQuarantine(table: Table, time: TimeSource): Quarantine {
  return {
    async keep({ eventId, source, body, because }) {
      const at = time.now();
      const expiresAt = Math.floor(Date.parse(at) / 1000) + KEPT_SECONDS;
      await write(table, { kind: 'put', item: { pk: `QUARANTINE#${eventId || 'unnamed'}`, sk: 'EVENT', source, body: body.slice(0, LARGEST_BODY), because, at, expiresAt } });
    },
  };
}
