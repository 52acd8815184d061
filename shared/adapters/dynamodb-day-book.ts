import { handoffId } from '../domain/ids.ts';
import type { DayBook } from '../ports/day-book.ts';
import { readHandoff } from './dynamodb-handoff-reader.ts';
import { dayShardKey, headKey, SHARDS, sortable } from './dynamodb-keys.ts';
import { readItems, readRange, type Table } from './dynamodb-table.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Handoffs by the day they opened on: the lists name them, the rows say how they stand. */
export function dynamodbDayBook(table: Table): DayBook {
  return {
    async openedBetween(from, until) {
      const lists = daysBetween(from, until).flatMap((day) => SHARDS.map((shard) => dayShardKey(day, shard)));
      const entries = (await Promise.all(lists.map((list) => readRange(table, list, 'h-')))).flat();
      const ids = entries.map((entry) => handoffId(String(entry.sk)));
      const rows = await readItems(table, ids.map(headKey));
      const handoffs = rows.flatMap((row, index) => (row === undefined ? [] : [readHandoff(row, ids[index] ?? '')]));
      return handoffs.filter(({ openedAt }) => sortable(openedAt) >= sortable(from) && sortable(openedAt) < sortable(until));
    },
  };
}

/** An instant of each UTC day that the period touches. */
function daysBetween(from: string, until: string): string[] {
  const days: string[] = [];
  for (let day = Date.parse(`${sortable(from).slice(0, 10)}T00:00:00Z`); day < Date.parse(until); day += DAY_MILLISECONDS) days.push(new Date(day).toISOString());
  return days;
}
