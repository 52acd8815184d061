import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, engine, openTable, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';
import { fillTable, readsOfReport, startFilled } from '../support/report-reads.ts';

describe('the cost of the orphan report', () => {
  let database: TestDynamodb;
  beforeAll(async () => {
    database = await startDynamodb();
  });
  afterAll(() => database.stop());

  it('M-05: does not grow with closed handoffs: the same requests and read units among 50 and among 2,000', async () => {
    const table = await createTable(database.endpoint, 'closed');
    await fillTable(table, { until: 50, orphans: 20 });
    const few = await readsOfReport(table);
    await fillTable(table, { from: 50, until: 2000, orphans: 20 });
    expect(few).toMatchObject({ listed: 20 });
    expect(few.units).toBeGreaterThan(0);
    expect(await readsOfReport(table)).toEqual(few);
  });

  it.skipIf(engine !== 'dynoxide')('M-05: costs the same among rows that came in as an export as among rows that were written', async () => {
    const table = await createTable(database.endpoint, 'written');
    await fillTable(table, { until: 300, orphans: 20 });
    const filled = await startFilled('exported', { until: 300, orphans: 20 });
    try {
      expect(await readsOfReport(openTable(filled.endpoint, 'exported'))).toEqual(await readsOfReport(table));
    } finally {
      await filled.stop();
    }
  });

  it('M-05: grows with the orphans', async () => {
    const table = await createTable(database.endpoint, 'orphans');
    await fillTable(table, { until: 20, orphans: 20 });
    const few = await readsOfReport(table);
    await fillTable(table, { from: 20, until: 200, orphans: 200 });
    const many = await readsOfReport(table);
    expect(many.listed).toBe(200);
    expect(many.units).toBeGreaterThan(5 * few.units);
  });
});
