import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamodbSourceBook } from '../../shared/adapters/dynamodb-source-book.ts';
import { createTable, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';

let database: TestDynamodb;
beforeAll(async () => {
  database = await startDynamodb();
});
afterAll(() => database.stop());

test('figures of sources add up, also when they are added at once, and a source that never delivered has none', async () => {
  const book = dynamodbSourceBook(await createTable(database.endpoint, 'figures'));
  await Promise.all([
    ...Array.from({ length: 10 }, () => book.received('tally', '2026-11-30T15:04:05.000Z')),
    book.counted('tally', 'bad-signature', 7, '2026-11-30T15:05:00.000Z'),
  ]);
  await book.counted('tally', 'ignored', 2, '2026-11-30T15:06:00.000Z');
  expect(await book.read(['tally', 'jotform'])).toEqual([
    {
      source: 'tally',
      received: 10,
      lastReceivedAt: '2026-11-30T15:04:05.000Z',
      counts: { 'bad-signature': 7, ignored: 2 },
      lastRefusedAt: '2026-11-30T15:05:00.000Z',
      lastRefusedBecause: 'bad-signature',
    },
  ]);
});
