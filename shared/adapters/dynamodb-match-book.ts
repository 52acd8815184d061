import { parse } from '../contracts/contract-error.ts';
import { MatchItem } from '../contracts/table-items.ts';
import type { MatchBook } from '../ports/match-book.ts';
import { matchKey } from './dynamodb-keys.ts';
import { readItems, type Table } from './dynamodb-table.ts';

/** What arrived under which keys, as rows `MATCH#<kind>#<keyed hash>` / `MATCH`. `dynamodb-transition.ts` writes them. */
export const dynamodbMatchBook = (table: Table): MatchBook => ({
  async rows(keys) {
    if (keys.length === 0) return [];
    const items = await readItems(table, keys.map(matchKey));
    return keys.map((key, index) => {
      const item = items[index];
      return item === undefined ? { key, version: 0, entries: [] } : { key, ...parse(MatchItem, item, `a stored match of ${key.kind}`) };
    });
  },
});
