// The sparse index of everything that wants a look. It may lag, so it only names candidates (DB-06).

import { parse } from '../contracts/contract-error.ts';
import { IndexKeys } from '../contracts/table-items.ts';
import { type Key, openShardKey, SHARDS, WAIT } from './dynamodb-keys.ts';
import { type Item, readAll, readItems, type Table } from './dynamodb-table.ts';

type Kind = 'HANDOFF#' | 'SIGNAL#' | 'CLAIM#';

/** The items of these kinds that the index names below a bound, by kind, each read again as it is now; beside the row of a handoff its wait. The cost follows their number (M-05). */
export async function readOpen<K extends Kind>(table: Table, kinds: readonly K[], below: string): Promise<Record<K, Item[]>> {
  const shards = await Promise.all(SHARDS.map((shard) => readShard(table, shard, below)));
  const keys = shards.flat().filter((key) => kinds.some((kind) => key.pk.startsWith(kind)));
  const beside = keys.filter(({ pk }) => pk.startsWith('HANDOFF#')).map(({ pk }) => ({ pk, sk: WAIT }));
  const items = (await readItems(table, [...keys, ...beside])).filter((item) => item !== undefined);
  const ofKind = (kind: K) => items.filter(({ pk }) => String(pk).startsWith(kind));
  return Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])) as Record<K, Item[]>;
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
