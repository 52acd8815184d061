import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from '../contracts/contract-error.ts';
import { TotalsItem } from '../contracts/table-items.ts';
import { TALLY, type Tally } from '../domain/tally.ts';
import type { Totals, TotalsBook } from '../ports/report-sources.ts';
import { SHARDS, totalsKey } from './dynamodb-keys.ts';
import { cancellationReasons, isBusy, judge, persist } from './dynamodb-retry.ts';
import type { Item, Table } from './dynamodb-table.ts';

/** The balance sheet (M-03). All shards are read at one instant: a signal is counted in one and its handoff in another. */
export function dynamodbTotalsBook(table: Table): TotalsBook {
  const counted = async () => {
    const items = await readShards(table);
    return { totals: items.map((item) => parse(TotalsItem, item ?? {}, 'the stored totals')).reduce(sum), tally: tallied(items) };
  };
  return { counted, totals: async () => (await counted()).totals };
}

/** What no shard ever counted is not there. */
function tallied(items: readonly (Item | undefined)[]): Tally {
  const sums = TALLY.map((name) => [name, items.reduce((total, item) => total + Number(item?.[name] ?? 0), 0)] as const);
  return Object.fromEntries(sums.filter(([, total]) => total !== 0));
}

async function readShards(table: Table): Promise<(Item | undefined)[]> {
  const command = new TransactGetCommand({ TransactItems: SHARDS.map((shard) => ({ Get: { TableName: table.name, Key: totalsKey(shard) } })) });
  return persist(table, async () => {
    try {
      const { Responses: responses = [] } = await table.documents.send(command);
      return { kind: 'done', value: responses.map((response) => response.Item) };
    } catch (error) {
      if (isBusy(error) || judge(cancellationReasons(error) ?? []) === 'busy') return { kind: 'again', cause: error };
      throw error;
    }
  });
}

function sum(one: Totals, other: Totals): Totals {
  return {
    received: one.received + other.received,
    ignored: one.ignored + other.ignored,
    linked: one.linked + other.linked,
    waiting: one.waiting + other.waiting,
    offered: one.offered + other.offered,
    accepted: one.accepted + other.accepted,
    exception: one.exception + other.exception,
    closed: one.closed + other.closed,
  };
}
