// What the orphan report costs, among few handoffs and among many: it must follow the orphans (M-05).

import { openTable } from '../support/dynamodb.ts';
import { readsOfReport, startFilled } from '../support/report-reads.ts';
import { type Print, rounded } from './figure.ts';

const ORPHANS = 100;
const SIZES = [1000, 100_000] as const;
const WITHIN = 0.1;

/** Read units of one report about the same orphans, at both sizes, and their ratio. */
export async function reportFigures(print: Print): Promise<void> {
  const units: number[] = [];
  for (const handoffs of SIZES) {
    const begun = performance.now();
    const database = await startFilled('report', { until: handoffs, orphans: ORPHANS });
    try {
      const filled = performance.now();
      const read = await readsOfReport(openTable(database.endpoint, 'report'));
      if (read.listed !== ORPHANS) throw new Error(`the report lists ${read.listed} of ${ORPHANS} orphans`);
      units.push(read.units);
      const ms = { ms: rounded(performance.now() - filled), filledInMs: rounded(filled - begun) };
      print('report-reads', rounded(read.units), 'read units', { orphans: ORPHANS, handoffs, requests: read.requests, ...ms });
    } finally {
      await database.stop();
    }
  }
  const [few = 0, many = 0] = units;
  print('report-reads-ratio', rounded(many / few, 3), 'times', { within: WITHIN, holds: Math.abs(many / few - 1) <= WITHIN });
}
