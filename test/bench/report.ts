// What the orphan report costs, among few handoffs and among many: it must follow the orphans (M-05).

import { createTable, startDynamodb } from '../support/dynamodb.ts';
import { fillTable, readsOfReport } from '../support/report-reads.ts';
import { type Print, rounded } from './figure.ts';

const ORPHANS = 100;
const SIZES = [1000, 100_000] as const;
const WITHIN = 0.1;

/** Read units of one report about the same orphans, at both sizes, and their ratio. */
export async function reportFigures(print: Print): Promise<void> {
  const database = await startDynamodb();
  try {
    const table = await createTable(database.endpoint, 'report');
    const units: number[] = [];
    let from = 0;
    for (const until of SIZES) {
      await fillTable(table, { from, until, orphans: ORPHANS });
      from = until;
      const begin = performance.now();
      const read = await readsOfReport(table);
      if (read.listed !== ORPHANS) throw new Error(`the report lists ${read.listed} of ${ORPHANS} orphans`);
      units.push(read.units);
      print('report-reads', rounded(read.units), 'read units', { orphans: ORPHANS, handoffs: until, requests: read.requests, ms: rounded(performance.now() - begin) });
    }
    const [few = 0, many = 0] = units;
    print('report-reads-ratio', rounded(many / few, 3), 'times', { within: WITHIN, holds: Math.abs(many / few - 1) <= WITHIN });
  } finally {
    await database.stop();
  }
}
