// The sparse index of everything that wants a look. It may lag, so it only names candidates (DB-06).

import { parse } from '../contracts/contract-error.ts';
import { IndexKeys } from '../contracts/table-items.ts';
import { type Key, openShardKey, SHARDS } from './dynamodb-keys.ts';
import { type Item, readAll, readItems, type Table } from './dynamodb-table.ts';

/** The items of one kind that the index names below a bound, each read again as it is now. The cost follows their number (M-05). */
export async function readOpen(table: Table, kind: 'HANDOFF#' | 'SIGNAL#' | 'CLAIM#', below: string): Promise<Item[]> {
  const shards = await Promise.all(SHARDS.map((shard) => readShard(table, shard, below)));
  const keys = shards.flat().filter((key) => key.pk.startsWith(kind));
  const items = await readItems(table, keys);
  return items.filter((item) => item !== undefined);
}

async function readShard(table: Table, shard: number, below: string): Promise<Key[]> {
  const items = await readAll(table, {
    IndexName: 'open',
    KeyConditionExpression: '#shard = :shard AND #attention < :below',
    ExpressionAttributeNames: { '#shard': 'openPk', '#attention': 'openSk' },
    ExpressionAttributeValues: { ':shard': openShardKey(shard), ':below': below },
  });
  return items.map((item) => parse(IndexKeys, item, 'an entry of the open index'));
}
