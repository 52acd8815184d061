import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamodbOutcomeBook } from '../../shared/adapters/dynamodb-outcome-book.ts';
import { dynamodbQuarantine, dynamodbQuarantineShelf } from '../../shared/adapters/dynamodb-quarantine.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import type { Table } from '../../shared/adapters/dynamodb-table.ts';
import { createTable, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';
import { aSignal, at } from '../support/store-fixtures.ts';

let database: TestDynamodb;
let table: Table;
let count = 0;
beforeAll(async () => {
  database = await startDynamodb();
});
beforeEach(async () => {
  count += 1;
  table = await createTable(database.endpoint, `quarantine-${count}`);
});
afterAll(() => database.stop());

const keep = (event: { eventId: string; body: string }, minute: number) =>
  dynamodbQuarantine(table, { now: () => at(minute) }).keep({ source: 'baton.intake', because: 'no contract', ...event });

describe('what was set aside', () => {
  it('nothing is listed where nothing was', async () => {
    const shelf = dynamodbQuarantineShelf(table);
    expect(await shelf.list()).toEqual([]);
    expect(await shelf.contents('e-1')).toEqual([]);
  });

  it('LA-04: an event is listed once, without its content, at the time it came first, and can be read', async () => {
    await keep({ eventId: 'e-1', body: '{"detail":{"email":"ada@example.com"}}' }, 1);
    await keep({ eventId: 'e-1', body: '{"detail":{"email":"ada@example.com"}}' }, 2);
    await keep({ eventId: 'e-2', body: '{"broken' }, 3);
    const shelf = dynamodbQuarantineShelf(table);
    const listed = await shelf.list();
    expect(listed.map(({ id, at: when }) => [id, when])).toEqual([
      ['e-2', at(3)],
      ['e-1', at(1)],
    ]);
    expect(JSON.stringify(listed)).not.toContain('ada@');
    expect(await shelf.contents('e-1')).toEqual([{ what: 'event', content: { detail: { email: 'ada@example.com' } } }]);
    expect(await shelf.contents('e-2')).toEqual([{ what: 'event', content: '{"broken' }]);
  });

  it('WH-07: other content under one id is listed once, and read beside what was taken', async () => {
    const signals = dynamodbSignalLog(table);
    const other = { ...aSignal('e-1'), contact: { email: 'else@example.org' } };
    await signals.record(aSignal('e-1'), 'hash-a', at(0));
    await signals.record(other, 'hash-b', at(1));
    await signals.record(other, 'hash-b', at(2));
    const shelf = dynamodbQuarantineShelf(table);
    const { source } = aSignal('e-1');
    expect(await shelf.list()).toEqual([{ kind: 'conflict', id: `${source}#e-1`, source, because: 'other content under an id that was used', at: at(1) }]);
    expect(await shelf.contents(`${source}#e-1`)).toEqual([
      { what: 'taken', content: aSignal('e-1') },
      { what: 'not taken', content: other },
    ]);
  });

  it('X-05 M-06: an outcome of a handoff that does not exist is listed once, with the system that stated it, and can be read', async () => {
    const outcome = { orderId: 'crm-1', handoffId: `h-${'0'.repeat(32)}`, system: 'crm', result: 'won', revenue: { minorUnits: 5, currency: 'USD' }, at: at(1) };
    const outcomes = dynamodbOutcomeBook(table);
    await outcomes.unmatched(outcome);
    await outcomes.unmatched({ ...outcome, at: at(2) });
    const shelf = dynamodbQuarantineShelf(table);
    expect(await shelf.list()).toEqual([{ kind: 'outcome', id: 'crm-1', source: 'crm', because: `states won of h-${'0'.repeat(32)}, which does not exist`, at: at(1) }]);
    expect(await shelf.contents('crm-1')).toEqual([{ what: 'outcome', content: outcome }]);
  });

  it('what was taken without a conflict is nothing that was set aside', async () => {
    await dynamodbSignalLog(table).record(aSignal('e-1'), 'hash-a', at(0));
    expect(await dynamodbQuarantineShelf(table).contents(`${aSignal('e-1').source}#e-1`)).toEqual([]);
  });
});
