import { parse } from '../contracts/contract-error.ts';
import { TallyItem } from '../contracts/table-items.ts';
import { plusDays } from '../domain/local-time.ts';
import type { TallyBook } from '../ports/tally-book.ts';
import { tallyKey } from './dynamodb-keys.ts';
import { readItems, type Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

/** Readings of the counters beside the summaries of the reports, and apart from them: a summary is large, and every read of it costs as much. */
export function dynamodbTallyBook(table: Table): TallyBook {
  return {
    async note(reading) {
      await write(table, { kind: 'put', item: { ...tallyKey(reading.day), reading } });
    },
    async noted(from, to) {
      const items = await readItems(table, daysFrom(from, to).map(tallyKey));
      return items.flatMap((item) => (item === undefined ? [] : [parse(TallyItem, item, 'the stored reading of a day').reading]));
    },
  };
}

function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day);
  return days;
}
