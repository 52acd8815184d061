import { parse } from '../contracts/contract-error.ts';
import { LinkItem } from '../contracts/table-items.ts';
import type { LinkBook } from '../ports/handoff-store.ts';
import { headKey, linkKey } from './dynamodb-keys.ts';
import { readItem, readRange, type Table } from './dynamodb-table.ts';

/** Far above any link id; a longer text would not fit into a key. */
const LONGEST_ID = 200;

/** Links by their id and by their offer. Deletion lags expiry by days, so `expiresAt` is compared by whoever asks (DB-09). */
export function dynamodbLinkBook(table: Table): LinkBook {
  return {
    async find(linkId) {
      if (linkId === '' || linkId.length > LONGEST_ID) return undefined;
      const item = await readItem(table, linkKey(linkId));
      return item === undefined ? undefined : parse(LinkItem, item, 'a stored link').link;
    },

    async issuedFor(id, purpose, number, person) {
      const items = await readRange(table, headKey(id).pk, `LINK#${purpose}#${number}#${person}#`);
      return items.map((item) => parse(LinkItem, item, `a stored link of ${id}`).link);
    },
  };
}
