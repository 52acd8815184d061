import { parse } from '../contracts/contract-error.ts';
import { SourceStatsItem } from '../contracts/source-stats-item.ts';
import { DELIVERY_OUTCOMES, type DeliveryOutcome } from '../domain/delivery-outcome.ts';
import type { SourceBook, SourceRecord } from '../ports/source-book.ts';
import { sourceStatsKey } from './dynamodb-keys.ts';
import { type Item, readItems, type Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

/** One item a source, added to without a condition: figures for a person, on which nothing is decided. */
export function dynamodbSourceBook(table: Table): SourceBook {
  const add = async (source: string, counter: string, count: number, marks: Readonly<Record<string, string>>) => {
    const set = Object.keys(marks).map((_, index) => `#m${index} = :m${index}`);
    await write(table, {
      kind: 'update',
      key: sourceStatsKey(source),
      change: `SET #source = :source${set.map((one) => `, ${one}`).join('')} ADD #counter :count`,
      names: { '#source': 'source', '#counter': counter, ...Object.fromEntries(Object.keys(marks).map((name, index) => [`#m${index}`, name])) },
      values: { ':source': source, ':count': count, ...Object.fromEntries(Object.values(marks).map((value, index) => [`:m${index}`, value])) },
    });
  };
  return {
    received: (source, at) => add(source, 'received', 1, { lastReceivedAt: at }),
    counted: (source, outcome, count, at) => add(source, outcome, count, outcome === 'ignored' ? {} : { lastRefusedAt: at, lastRefusedBecause: outcome }),
    async read(sources) {
      const items = await readItems(table, sources.map(sourceStatsKey));
      return items.flatMap((item) => (item === undefined ? [] : [recordOf(item)]));
    },
  };
}

function recordOf(item: Item): SourceRecord {
  const { source, received = 0, lastReceivedAt, lastRefusedAt, lastRefusedBecause } = parse(SourceStatsItem, item, 'the stored figures of a source');
  const counts = Object.fromEntries(DELIVERY_OUTCOMES.flatMap((outcome): [DeliveryOutcome, number][] => (typeof item[outcome] === 'number' ? [[outcome, item[outcome]]] : [])));
  return {
    source,
    received,
    counts,
    ...(lastReceivedAt !== undefined && { lastReceivedAt }),
    ...(lastRefusedAt !== undefined && { lastRefusedAt }),
    ...(lastRefusedBecause !== undefined && { lastRefusedBecause }),
  };
}
