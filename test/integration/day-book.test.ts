import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbDayBook } from '../../shared/adapters/dynamodb-day-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { createTable, engine, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';
import { aPacket, at, commit, idOf, opening, resolution, step } from '../support/store-fixtures.ts';

describe(`a day book ${engine}`, () => {
  let database: TestDynamodb;
  beforeAll(async () => {
    database = await startDynamodb();
  });
  afterAll(() => database.stop());

  it('M-06: finds every handoff of a period once, as it stands now, across days and shards', async () => {
    const table = await createTable(database.endpoint, 'days');
    const store = dynamodbHandoffStore(table);
    const minutes = Array.from({ length: 30 }, (_, index) => index * 120);
    for (const minute of minutes) {
      const opened = await commit(store, step(undefined, 'open', minute, opening(idOf(`day-${minute}`))), { packet: aPacket() });
      if (minute % 240 === 0) await commit(store, step(opened, 'resolve', minute + 1, resolution));
    }
    const days = dynamodbDayBook(table);

    const all = await days.openedBetween(at(0), at(10_000));
    expect(all.map((one) => one.id).sort()).toEqual(minutes.map((minute) => idOf(`day-${minute}`)).sort());
    expect(all.filter((one) => one.state === 'candidates-resolved')).toHaveLength(15);

    const some = await days.openedBetween(at(120), at(480));
    expect(some.map((one) => one.id).sort()).toEqual([120, 240, 360].map((minute) => idOf(`day-${minute}`)).sort());
    expect(await days.openedBetween(at(-600), at(0))).toEqual([]);
  });
});
