import { parse } from '../contracts/contract-error.ts';
import { ReportItem } from '../contracts/table-items.ts';
import { reportKey } from './dynamodb-keys.ts';
import { readItem, type Table } from './dynamodb-table.ts';

/** The summary of a day's published report, from the table alone: whoever mails it needs no bucket. */
export async function reportSummary(table: Table, day: string): Promise<Record<string, unknown> | undefined> {
  const item = await readItem(table, reportKey(day));
  return item === undefined ? undefined : parse(ReportItem, item, `the stored report of ${day}`).summary;
}
