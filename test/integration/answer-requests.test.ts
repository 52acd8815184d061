// What the POST of a yes asks of the table, counted at the client.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbAbsenceBook } from '../../shared/adapters/dynamodb-absence-book.ts';
import { dynamodbCaseBook } from '../../shared/adapters/dynamodb-case-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import type { Table } from '../../shared/adapters/dynamodb-table.ts';
import { personId } from '../../shared/domain/ids.ts';
import { anOfferedWorld, get, post, staff, textOf } from '../support/answering.ts';
import { aPolicy, later, NOW, ROSA } from '../support/builders.ts';
import { createTable, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';

const YES = { action: 'accept', nextAction: 'call', due: '2026-03-02T15:00' };

let database: TestDynamodb;
beforeAll(async () => {
  database = await startDynamodb();
}, 60_000);
afterAll(() => database.stop());

/** Rosa was asked, on a real table; each call of its client is noted, with the number of items it names. */
async function anOffer(name: string) {
  const table = await createTable(database.endpoint, name);
  const calls: string[] = [];
  table.documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        calls.push(`${commandName.replace(/Command$/, '')} ${itemsOf(args.input, table)}`);
        return next(args);
      },
    { step: 'initialize' },
  );
  const on = { store: dynamodbHandoffStore(table), links: dynamodbLinkBook(table), press: dynamodbPolicyPress(table), cases: dynamodbCaseBook(table) };
  const world = await anOfferedWorld({ policy: aPolicy({ people: staff() }), on });
  return { table, world, calls, link: await world.linkOf(ROSA) };
}

function itemsOf(input: object, table: Table): number {
  const { RequestItems, TransactItems } = input as { RequestItems?: Record<string, { Keys: unknown[] }>; TransactItems?: unknown[] };
  return RequestItems?.[table.name]?.Keys.length ?? TransactItems?.length ?? 1;
}

describe('the POST of a yes', () => {
  it('O-06: a yes that wins at once reads the link, reads what the link names, and writes once', async () => {
    const { world, calls, link } = await anOffer('answer-wins');
    await get(world, link);
    calls.length = 0;
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
    const page = ['GetItem 1', 'BatchGetItem 4'];
    const thisTestsOwnLook = ['BatchGetItem 2'];
    expect(calls).toEqual([...page, 'GetItem 1', 'BatchGetItem 4', expect.stringMatching(/^TransactWriteItems \d+$/), ...thisTestsOwnLook]);
  });

  it('C-04: the first answer of an instance reads each version of the policy once, and no later one does', async () => {
    const { world, calls, link } = await anOffer('answer-first');
    calls.length = 0;
    await get(world, link);
    expect(calls).toEqual(['GetItem 1', 'BatchGetItem 4', 'GetItem 1', 'GetItem 1', 'GetItem 1']);
    calls.length = 0;
    await get(world, link);
    expect(calls).toEqual(['GetItem 1', 'BatchGetItem 4']);
  });

  it('C-04: a roster that is published, and an absence that is noted, count from the next click on', async () => {
    const { table, world, link } = await anOffer('answer-fresh');
    expect(textOf((await get(world, link)).body)).toContain('Rosa');
    const people = staff().map((person) => (person.id === ROSA ? { ...person, speaks: 'en' as const } : person));
    const { contract, calendars } = world.policy;
    await dynamodbPolicyPress(table).publish({ contracts: [contract], roster: { ...world.policy.roster, version: 'roster-2', people }, calendars }, 'dana', NOW);
    await dynamodbAbsenceBook(table).note({ person: personId('sam'), from: NOW, until: later(NOW, 60) });
    const opened = await dynamodbCaseBook(table).open(world.id);
    expect(opened?.policy.roster.people.find(({ id }) => id === 'sam')?.unavailable).toHaveLength(1);
    expect((await get(world, link)).body).toContain('lang="en"');
  });
});
