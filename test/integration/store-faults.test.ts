// What networks and DynamoDB do and emulators do not (LR-03), through a proxy that does it.

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { headKey } from '../../shared/adapters/dynamodb-keys.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { TableBusy } from '../../shared/adapters/dynamodb-retry.ts';
import { readItem, readItems } from '../../shared/adapters/dynamodb-table.ts';
import { write } from '../../shared/adapters/dynamodb-writer.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { createTable, engine, openTable, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';
import { cancelled, conflict, type FaultyDynamodb, loseResponse, startFaultyDynamodb, throttled } from '../support/faulty-dynamodb.ts';
import { acceptance, aLink, ana, aPacket, aSignal, at, ben, commit, givenAnOffer, idOf, opening, step } from '../support/store-fixtures.ts';
import { dynamodbStores, type Stores } from '../support/stores.ts';

const NAME = 'store-faults';
let database: TestDynamodb;
let direct: Stores;
let faulty: FaultyDynamodb;
let stores: Stores;
let pauses: number[];
let offered: Handoff;
let round = 0;

beforeAll(async () => {
  database = await startDynamodb();
  direct = dynamodbStores(await createTable(database.endpoint, NAME));
});
afterAll(() => database.stop());

beforeEach(async () => {
  round += 1;
  faulty = await startFaultyDynamodb(database.endpoint);
  pauses = [];
  stores = dynamodbStores(openTable(faulty.endpoint, NAME, async (milliseconds) => void pauses.push(milliseconds)));
  offered = await givenAnOffer(direct.handoffs, idOf(`faults-${round}`));
});
afterEach(() => faulty.stop());

const count = (operation: string) => faulty.calls.filter((call) => call.operation === operation).length;
const yes = (by = ana, command = 'yes') => step(offered, command, 5, acceptance(1, by, 120));
const say = ({ before, after, receipts }: ReturnType<typeof yes>) => stores.handoffs.append(before, after, receipts);

describe('DB-01: a response that got lost', () => {
  it('of a transition: the SDK asks again, the yes counts once, and the person is told so', async () => {
    faulty.next('TransactWriteItems', loseResponse);
    const answer = await say(yes());
    expect(['written', 'already-applied']).toContain(answer.kind);
    expect(count('TransactWriteItems')).toBe(2);
    expect((await direct.handoffs.receipts(offered.id)).filter((receipt) => receipt.kind === 'offer.accepted')).toHaveLength(1);
    expect((await direct.totals.totals()).offered).toBeGreaterThanOrEqual(0);
  });

  it('of a transition, after the ten minutes of its token (DB-02): the condition fails, and reading back tells our own write', async () => {
    await commit(direct.handoffs, yes());
    faulty.next('TransactWriteItems', cancelled('ConditionalCheckFailed', 'ConditionalCheckFailed', 'None'));
    expect(await say(yes())).toEqual({ kind: 'already-applied', handoff: yes().after });
  });

  it('of a transition, with somebody else first: stale, and the winner stands', async () => {
    faulty.next('TransactWriteItems', { kind: 'first', run: async () => void (await commit(direct.handoffs, yes(ben, 'yes-ben'))) });
    expect(await say(yes())).toEqual({ kind: 'stale' });
    expect((await direct.handoffs.load(offered.id))?.handoff.ownership?.owner).toBe(ben);
  });

  it('of a mark on a token: it is still our mark', async () => {
    await direct.waits.remember(offered, { wait: 'offer:1', token: 't-1', storedAt: at(3) });
    faulty.next('UpdateItem', loseResponse);
    expect(await stores.waits.markWoken(offered.id, 't-1', at(6))).toBe(true);
    expect(await stores.waits.markWoken(offered.id, 't-1', at(6))).toBe(false);
  });

  it('of a stored token: it is remembered', async () => {
    faulty.next('TransactWriteItems', loseResponse);
    expect(await stores.waits.remember(offered, { wait: 'offer:1', token: 't-1', storedAt: at(3) })).toBe('remembered');
  });

  it('of a claim and of its takeover: they are still ours', async () => {
    faulty.next('PutItem', loseResponse);
    expect(await stores.claims.claim(offered.id, 'offer:1:email', at(1))).toBe(true);
    expect(await stores.claims.claim(offered.id, 'offer:1:email', at(1))).toBe(false);
    faulty.next('UpdateItem', loseResponse);
    expect(await stores.claims.reclaim({ handoffId: offered.id, effect: 'offer:1:email', claimedAt: at(1), attempts: 0 }, at(9))).toBe(true);
    faulty.next('UpdateItem', loseResponse);
    await stores.claims.settle(offered.id, 'offer:1:email', 'sent', 'm-1', at(10));
  });

  it('of a recorded signal: it is recorded, once', async () => {
    const before = (await direct.totals.totals()).received;
    faulty.next('TransactWriteItems', loseResponse);
    expect(await stores.signals.record(aSignal(`lost-${round}`), 'hash', at(0))).toEqual({ kind: 'recorded' });
    expect((await direct.totals.totals()).received).toBe(before + 1);
  });
});

describe('DB-03: what a cancelled transaction means', () => {
  it('conflicts and throttling are tried again, with pauses that never exceed the doubling limit', async () => {
    faulty.next('TransactWriteItems', cancelled('None', 'TransactionConflict', 'None'), cancelled('ThrottlingError', 'None', 'TransactionConflict'));
    expect(await say(yes())).toEqual({ kind: 'written' });
    expect(count('TransactWriteItems')).toBe(3);
    expect(pauses).toHaveLength(2);
    expect(pauses.every((pause, index) => pause >= 0 && pause <= 25 * 2 ** index)).toBe(true);
  });

  it('a failed condition beside a conflict is read back first', async () => {
    await commit(direct.handoffs, yes());
    faulty.next('TransactWriteItems', cancelled('ConditionalCheckFailed', 'TransactionConflict', 'None'));
    expect(await say(yes())).toMatchObject({ kind: 'already-applied' });
    expect(faulty.calls.map((call) => call.operation)).toEqual(['TransactWriteItems', 'BatchGetItem']);
    expect(pauses).toEqual([]);
  });

  it('five retries are the end: a fault, not a business answer, and nothing was written', async () => {
    faulty.next('TransactWriteItems', ...Array.from({ length: 6 }, () => cancelled('TransactionConflict', 'None', 'None')));
    await expect(say(yes())).rejects.toThrow(TableBusy);
    expect(count('TransactWriteItems')).toBe(6);
    expect((await direct.handoffs.load(offered.id))?.handoff).toEqual(offered);
  });

  it('any other reason is a fault at once', async () => {
    faulty.next('TransactWriteItems', cancelled('None', 'ValidationError', 'None'));
    await expect(say(yes())).rejects.toThrow(/ValidationError/);
    expect(count('TransactWriteItems')).toBe(1);
  });

  it('a throttled request is repeated by the SDK', async () => {
    faulty.next('TransactWriteItems', throttled);
    expect(await say(yes())).toEqual({ kind: 'written' });
  });

  it('a balance sheet that meets a transition is read again', async () => {
    faulty.next('TransactGetItems', cancelled('TransactionConflict', ...Array.from({ length: 7 }, () => 'None')));
    expect(await stores.totals.totals()).toEqual(await direct.totals.totals());
    expect(count('TransactGetItems')).toBe(2);
  });
});

it('LR-01: nothing asks a failed condition for the item it met, and a failure without it is answered from a consistent read', async () => {
  await commit(direct.handoffs, yes());
  faulty.next('TransactWriteItems', cancelled('ConditionalCheckFailed', 'None', 'None'));
  expect(await say(yes())).toMatchObject({ kind: 'already-applied' });
  const signal = aSignal(`twice-${round}`);
  await stores.signals.record(signal, 'hash', at(0));
  faulty.next('TransactWriteItems', cancelled('ConditionalCheckFailed', 'None'));
  expect(await stores.signals.record(signal, 'hash', at(0))).toMatchObject({ kind: 'known' });
  expect(await stores.claims.claim(offered.id, 'offer:1:email', at(1))).toBe(true);
  expect(await stores.claims.claim(offered.id, 'offer:1:email', at(1))).toBe(false);
  const writes = faulty.calls.filter(({ operation }) => /Put|Update|Delete|Write/.test(operation));
  expect(writes.length).toBeGreaterThan(3);
  expect(JSON.stringify(writes)).not.toContain('ReturnValuesOnConditionCheckFailure');
  expect(faulty.calls.filter(({ operation }) => /^(Batch)?Get/.test(operation)).length).toBeGreaterThan(1);
});

it('DB-04: a plain write that meets a transaction is tried again', async () => {
  faulty.next('PutItem', conflict);
  expect(await stores.claims.claim(offered.id, 'offer:1:sms', at(1))).toBe(true);
  faulty.next('UpdateItem', conflict, conflict);
  await stores.claims.settle(offered.id, 'offer:1:sms', 'sent', 'm-1', at(2));
  expect(pauses).toHaveLength(3);
  expect((await direct.attention.attention(at(1000))).claims).not.toContainEqual(expect.objectContaining({ handoffId: offered.id }));
});

it('DB-06: an index that stands still names old candidates; only rows that are still due are reported', async () => {
  const others = await Promise.all(['b', 'c'].map((name) => givenAnOffer(direct.handoffs, idOf(`faults-${round}-${name}`))));
  const three = [offered, ...others];
  const mine = async () => (await stores.attention.attention(at(30))).watched.map(({ handoff }) => handoff).filter((handoff) => three.some((one) => one.id === handoff.id));
  expect(await mine()).toHaveLength(3);
  faulty.freezeIndexes();
  for (const handoff of others) await commit(direct.handoffs, step(handoff, 'yes', 5, acceptance(1, ana, 120)));
  expect(await mine()).toEqual([offered]);
});

it('DB-07: every read that is not of an index is consistent', async () => {
  const signal = aSignal(`reads-${round}`);
  await stores.signals.record(signal, 'hash', at(0));
  await stores.signals.record(signal, 'hash', at(0));
  const opened = await commit(stores.handoffs, step(undefined, 'open', 0, opening(idOf(`reads-${round}`))), { packet: aPacket(), signal, links: [aLink(`R${round}`)] });
  await say(yes());
  await say(yes());
  await stores.handoffs.load(opened.id);
  await Promise.all([stores.handoffs.receipts(opened.id), stores.handoffs.notes(opened.id), stores.handoffs.acceptances(opened.id), stores.handoffs.openCounts([ana])]);
  await Promise.all([
    stores.links.find(`R${round}`),
    stores.links.issuedFor(opened.id, 'offer', 1, ana),
    stores.waits.find(opened.id),
    stores.waits.markWoken(opened.id, 't', at(1)),
  ]);
  await Promise.all([stores.attention.undecidedSignals(at(100)), stores.attention.attention(at(100)), stores.totals.totals(), stores.reports.find('2026-03-02')]);
  await stores.policies.active().catch(() => undefined);
  const reads = faulty.calls.filter((call) => ['GetItem', 'Query', 'BatchGetItem'].includes(call.operation) && call.body.IndexName === undefined);
  expect(reads.length).toBeGreaterThan(12);
  for (const { body } of reads) expect(body.ConsistentRead ?? (body.RequestItems as Record<string, { ConsistentRead?: boolean }>)[NAME]?.ConsistentRead).toBe(true);
  expect(faulty.calls.map((call) => call.operation)).not.toContain('Scan');
});

it('M-05: one look at everything asks each shard of the index once, and reads what it names in one request', async () => {
  await stores.claims.claim(offered.id, 'offer:1:email', at(1));
  faulty.calls.length = 0;
  const { watched, claims } = await stores.attention.attention(at(30));
  expect([watched.length, claims.length].every((count) => count > 0)).toBe(true);
  expect(faulty.calls.map((call) => call.operation).sort()).toEqual(['BatchGetItem', ...Array.from({ length: 8 }, () => 'Query')]);
});

it('DB-16: no expression on the wire names an attribute without a placeholder', async () => {
  await stores.signals.record(aSignal(`names-${round}`), 'hash', at(0));
  await stores.signals.ignore(aSignal(`names-${round}`), 'why', at(1));
  await say(yes());
  await stores.waits.remember(yes().after, { wait: `next-step:${at(120)}`, token: 't', storedAt: at(6) });
  await stores.waits.markWoken(offered.id, 't', at(7));
  await Promise.all([stores.handoffs.openCounts([ana]), stores.attention.attention(at(1)), stores.handoffs.receipts(offered.id)]);
  const expressions = faulty.calls.flatMap((call) => [...JSON.stringify(call.body).matchAll(/"(?:\w+Expression)":"([^"]*)"/g)].map((match) => match[1] ?? ''));
  expect(expressions.length).toBeGreaterThan(10);
  for (const expression of expressions)
    expect(expression.replaceAll(/[#:]\w+/g, '').match(/\b(?!AND|OR|SET|ADD|REMOVE|begins_with|attribute_not_exists|attribute_exists)[a-z]\w*/gi)).toBeNull();
});

describe('DB-17: a batch that is left half done', () => {
  const leaving = (...ids: string[]) =>
    ({
      kind: 'answer',
      status: 200,
      body: { Responses: {}, UnprocessedKeys: { [NAME]: { Keys: ids.map((id) => ({ pk: { S: `HANDOFF#${id}` }, sk: { S: 'HEAD' } })), ConsistentRead: true } } },
    }) as const;

  it('is asked for the rest until nothing is left', async () => {
    const other = await givenAnOffer(direct.handoffs, idOf(`faults-${round}-other`));
    faulty.next('BatchGetItem', leaving(offered.id, other.id), leaving(offered.id, other.id));
    const table = openTable(faulty.endpoint, NAME, async (milliseconds) => void pauses.push(milliseconds));
    const items = await readItems(table, [headKey(other.id), headKey(offered.id)]);
    expect(items.map((item) => item?.version)).toEqual([3, 3]);
    expect(count('BatchGetItem')).toBe(3);
    expect(pauses).toHaveLength(2);
  });

  it('is a fault when it never ends', async () => {
    faulty.next('BatchGetItem', ...Array.from({ length: 6 }, () => leaving(offered.id)));
    await expect(stores.handoffs.load(offered.id)).rejects.toThrow(TableBusy);
  });
});

describe('what an answer costs', () => {
  it('a pointer that may be some seconds old is read again only when it is older', async () => {
    let elapsed = 0;
    const policies = dynamodbPolicyBook(openTable(faulty.endpoint, NAME), { pointerSeconds: 10, elapsed: () => elapsed });
    const publish = (roster: string) => direct.press.publish({ contracts: [], roster: { version: roster, people: [] }, calendars: [] }, 'chen', at(0));
    await publish(`old-${round}`);
    expect((await policies.active()).roster.version).toBe(`old-${round}`);
    await publish(`new-${round}`);
    elapsed = 9_999;
    expect((await policies.active()).roster.version).toBe(`old-${round}`);
    elapsed = 10_000;
    expect((await policies.active()).roster.version).toBe(`new-${round}`);
  });

  it('reading what a link names is one read, the handoff with its packet another, the yes one transaction', async () => {
    await stores.links.find('NONE');
    await stores.handoffs.load(offered.id);
    await say(yes());
    expect(faulty.calls.map((call) => call.operation)).toEqual(['GetItem', 'BatchGetItem', 'TransactWriteItems']);
  });

  it('policy versions are read once, the pointer each time', async () => {
    await direct.press.publish({ contracts: [], roster: { version: `r-${round}`, people: [] }, calendars: [] }, 'chen', at(0));
    await stores.policies.active();
    expect([count('GetItem'), count('BatchGetItem')]).toEqual([2, 1]);
    await stores.policies.active();
    expect([count('GetItem'), count('BatchGetItem')]).toEqual([2, 2]);
  });
});

it('LR-03: where the engines differ: a nameless attribute inside a map passes Dynoxide and is refused by DynamoDB, so our own writer refuses it', async () => {
  const table = openTable(database.endpoint, NAME);
  const item = { pk: `nameless-${round}`, sk: 'S', more: { '': 'x' } };
  const stored = table.documents.send(new PutCommand({ TableName: NAME, Item: item }));
  if (engine === 'dynoxide') await stored;
  else await expect(stored).rejects.toThrow(/Empty attribute name/);
  await expect(write(table, { kind: 'put', item })).rejects.toThrow(/without a name/);
});

it('a row that does not meet its contract never leaves the adapter, and the message repeats nothing of it', async () => {
  const table = openTable(database.endpoint, NAME);
  const head = await readItem(table, headKey(offered.id));
  await table.documents.send(new PutCommand({ TableName: NAME, Item: { ...head, handoff: { ...offered, custodian: 7, contactRef: 'secret-ref' } } }));
  await expect(stores.handoffs.load(offered.id)).rejects.toThrow(/custodian/);
  await expect(stores.handoffs.load(offered.id)).rejects.not.toThrow(/secret-ref/);
});
