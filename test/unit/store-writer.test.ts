import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { indexEntries, SHARDS, shardOf, sortable, upTo } from '../../shared/adapters/dynamodb-keys.ts';
import { cancellationReasons, judge, persist } from '../../shared/adapters/dynamodb-retry.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { transitionWrites } from '../../shared/adapters/dynamodb-transition.ts';
import { absent, guard, guardNames, MOST_WRITES, transact, type Write } from '../../shared/adapters/dynamodb-writer.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import type { Alongside } from '../../shared/ports/handoff-store.ts';
import { testClient } from '../support/dynamodb.ts';
import { acceptance, aLink, ana, aPacket, aSignal, at, ben, idOf, opening, request, resolution, step } from '../support/store-fixtures.ts';

const offered = (): Handoff => {
  const opened = step(undefined, 'open', 0, opening(idOf('unit'))).after;
  return step(step(opened, 'resolve', 1, resolution).after, 'request', 2, request(1, ana, 30)).after;
};
const put = (item: Record<string, unknown>): Write => ({ kind: 'put', item: { pk: 'P', sk: 'S', ...item } });
const targets = (writes: readonly Write[]) => writes.map((write) => (write.kind === 'put' ? `${write.item.pk}/${write.item.sk}` : `${write.key.pk}/${write.key.sk}`));

describe('the shape of a transition', () => {
  const fullest: Alongside = {
    wait: { wait: 'offer:2', token: 't', storedAt: at(3) },
    links: [aLink('A'), aLink('B', { channel: 'sms' })],
    notes: [{ seq: 4, kind: 'explanation', text: 'why' }],
    acceptance: { seq: 4, jws: 'j' },
  };

  it('DB-05: each write has an item of its own, and the longest is within ten', () => {
    const late = step(offered(), 'yes', 5, acceptance(1, ana, 120));
    const writes = transitionWrites({ ...late, alongside: { ...fullest, links: [aLink('A')] } });
    expect(new Set(targets(writes)).size).toBe(writes.length);
    expect(writes.length).toBeLessThanOrEqual(10);
    const asking = step(offered(), 'silence', 31, { kind: 'offer.timed-out', offer: 1, to: ana, deadlineAt: at(30) }, request(2, ben, 60));
    const asked = transitionWrites({ ...asking, alongside: { wait: { wait: 'offer:2', token: 't', storedAt: at(3) }, links: [aLink('A'), aLink('B', { channel: 'sms' })] } });
    expect(asked.length).toBeLessThanOrEqual(10);
    expect(() => guard(asked)).not.toThrow();
  });

  it('DB-05: the head carries the condition itself, and every receipt must be new', () => {
    const first = transitionWrites({ ...step(undefined, 'open', 0, opening(idOf('unit'))), alongside: { packet: aPacket(), signal: aSignal('e') } });
    expect(targets(first).map((name) => name.split('/')[1])).toEqual(['HEAD', 'RECEIPT#000001', 'TOTALS', idOf('unit'), 'PACKET#0001', 'SIGNAL']);
    expect(first.filter((write) => write.kind === 'put').every((write) => write.condition?.text === absent.text)).toBe(true);
    const next = transitionWrites({ ...step(offered(), 'yes', 5, acceptance(1, ana, 120)), alongside: {} });
    expect(next[0]).toMatchObject({ kind: 'put', condition: { text: '#version = :version', values: { ':version': 3 } } });
  });

  it('DB-11: no receipt, note or row ever gets a date of deletion; only links do', () => {
    const writes = transitionWrites({ ...step(offered(), 'yes', 5, acceptance(1, ana, 120)), alongside: fullest });
    const dated = writes.filter((write) => write.kind === 'put' && write.item.expiresAt !== undefined);
    expect(targets(dated).every((name) => name.includes('LINK#'))).toBe(true);
    expect(dated).toHaveLength(4);
    const [link] = dated;
    expect(link?.kind === 'put' && link.item.expiresAt).toBe(Date.parse(at(60)) / 1000 + 90 * 86_400);
  });

  it('M-03: a fact that moves nothing on the board counts nothing', () => {
    const writes = transitionWrites({
      ...step(offered(), 'ask', 5, { kind: 'clarification.asked', offer: 1, by: ana, owedBy: ana, expiresAt: '2026-03-02T17:00:00.000Z' }),
      alongside: {},
    });
    expect(targets(writes).some((name) => name.startsWith('TOTALS'))).toBe(false);
  });

  it('L-03: receipts that leave a gap are refused', () => {
    const { before, after, receipts } = step(offered(), 'yes', 5, acceptance(1, ana, 120));
    const gap = receipts.map((receipt) => ({ ...receipt, seq: receipt.seq + 1 }));
    expect(() => transitionWrites({ before, after, receipts: gap, alongside: {} })).toThrow();
    expect(() => transitionWrites({ before, after, receipts: [], alongside: {} })).toThrow();
  });
});

describe('the central writer', () => {
  it.each(['', null, 7, [], {}])('DB-15: refuses %j in any key attribute, and lets it be left out', (value) => {
    for (const name of ['pk', 'sk', 'openPk', 'openSk', 'personPk', 'personSk']) expect(() => guard([put({ [name]: value })])).toThrow(name);
    expect(() => guard([put({ openPk: undefined, personPk: undefined })])).not.toThrow();
    expect(() => guard([put({ pk: undefined })])).toThrow('pk');
  });

  it('DB-15: refuses an empty key in an update and in a check too', () => {
    const key = { pk: 'P', sk: '' };
    expect(() => guard([{ kind: 'update', key, change: 'SET #a = :a', names: { '#a': 'a' }, values: { ':a': 1 } }])).toThrow('sk');
    expect(() => guard([{ kind: 'check', key, condition: absent }])).toThrow('sk');
  });

  it('LR-02: refuses a nameless attribute at any depth', () => {
    expect(() => guard([put({ a: { b: [{ '': 1 }] } })])).toThrow(/name/);
  });

  it('DB-05: refuses two writes on one item, and too many writes', () => {
    expect(() => guard([put({}), put({ a: 1 })])).toThrow(/P \/ S/);
    expect(() => guard(Array.from({ length: MOST_WRITES + 1 }, (_, index) => put({ sk: `S${index}` })))).toThrow();
  });

  it.each(['status = :s', 'SET #a = :a, name = :n', 'attribute_exists(ttl)', '#a.date = :d'])('DB-16: refuses the bare name in "%s"', (expression) => {
    expect(() => guardNames(expression)).toThrow(/placeholder/);
  });

  it.each(['#status = :s', 'SET #a = :a REMOVE #b, #c', 'attribute_not_exists(#pk) OR (#a <> :a AND #b <= :b)', 'ADD #c0 :c0', '#a.#b = :c'])(
    'DB-16: lets "%s" pass',
    (expression) => {
      expect(() => guardNames(expression)).not.toThrow();
    },
  );

  describe('DB-02: the token of a request', () => {
    const documents = mockClient(DynamoDBDocumentClient);
    beforeEach(() => void documents.reset());
    const tokens = () => documents.commandCalls(TransactWriteCommand).map((call) => call.args[0].input.ClientRequestToken);
    const table = dynamodbTable('T', { client: testClient('http://127.0.0.1:9'), pause: async () => {} });

    it('is the same for the same content and another for any other, so that it never meets other parameters', async () => {
      documents.on(TransactWriteCommand).resolves({});
      const write = (minute: number) => transact(table, transitionWrites({ ...step(offered(), 'yes', minute, acceptance(1, ana, 120)), alongside: {} }));
      for (const minute of [5, 5, 6]) await write(minute);
      const [one, again, other] = tokens();
      expect(one).toBe(again);
      expect(other).not.toBe(one);
      expect(one).toMatch(/^[0-9a-f]{36}$/);
    });

    it('stays the same from one retry to the next', async () => {
      const busy = Object.assign(new Error('cancelled'), { name: 'TransactionCanceledException', CancellationReasons: [{ Code: 'TransactionConflict' }] });
      documents.on(TransactWriteCommand).rejectsOnce(busy).resolves({});
      expect(await transact(table, [put({})])).toEqual({ kind: 'written' });
      expect(new Set(tokens()).size).toBe(1);
      expect(tokens()).toHaveLength(2);
    });

    it('DB-03: a cancellation without reasons is a fault, and so is an error nobody knows', async () => {
      documents
        .on(TransactWriteCommand)
        .rejectsOnce(Object.assign(new Error('cancelled'), { name: 'TransactionCanceledException' }))
        .rejects(new Error('something else'));
      await expect(transact(table, [put({})])).rejects.toThrow(/refused a transaction/);
      await expect(transact(table, [put({})])).rejects.toThrow('something else');
    });
  });
});

describe('asking again', () => {
  it.each([
    [['ConditionalCheckFailed', 'None'], 'refused'],
    [['ConditionalCheckFailed', 'TransactionConflict'], 'refused'],
    [['None', 'TransactionConflict'], 'busy'],
    [['ThrottlingError', 'ProvisionedThroughputExceeded'], 'busy'],
    [['TransactionConflict', 'ItemCollectionSizeLimitExceeded'], 'fault'],
    [['None', 'None'], 'fault'],
    [[], 'fault'],
  ] as const)('DB-03: %j means %s', (reasons, meaning) => {
    expect(judge(reasons)).toBe(meaning);
  });

  it('DB-03: pauses grow, are jittered over their whole length, and end after the fifth', async () => {
    const pauses: number[] = [];
    const waiting = { pause: async (milliseconds: number) => void pauses.push(milliseconds), chance: () => 1 };
    const attempt = async () => ({ kind: 'again', cause: new Error('busy') }) as const;
    await expect(persist(waiting, attempt)).rejects.toMatchObject({ name: 'TableBusy', cause: new Error('busy') });
    expect(pauses).toEqual([25, 50, 100, 200, 400]);
    pauses.length = 0;
    await persist({ ...waiting, chance: () => 0 }, attempt).catch(() => undefined);
    expect(pauses).toEqual([0, 0, 0, 0, 0]);
  });

  it('only a cancelled transaction has reasons', () => {
    expect(cancellationReasons(new Error('x'))).toBeUndefined();
    expect(cancellationReasons('x')).toBeUndefined();
  });
});

describe('keys', () => {
  it('DB-13: ten thousand handoffs, and as many other ids, spread evenly over the shards', () => {
    for (const name of [(index: number) => idOf(`spread-${index}`), (index: number) => `SIGNAL#website#${index}`]) {
      const counts = SHARDS.map(() => 0);
      for (let index = 0; index < 10_000; index += 1) counts[shardOf(name(index))] = (counts[shardOf(name(index))] ?? 0) + 1;
      expect(Math.max(...counts)).toBeLessThan(2000);
      expect(Math.min(...counts)).toBeGreaterThan(500);
    }
  });

  it('DB-15: a row that nobody has to look at, and that nobody holds, is in no index', () => {
    const closed = step(offered(), 'end', 5, acceptance(1, ana, 120), { kind: 'handoff.closed', outcome: 'completed', by: ana }).after;
    expect(indexEntries(closed)).toEqual({});
    const confirmed = step(offered(), 'real', 5, acceptance(1, ana, 120), { kind: 'next-step.confirmed', by: ana, evidence: 'call' }).after;
    expect(indexEntries(confirmed)).toEqual({ personPk: 'OWNER#ana', personSk: at(120) });
    expect(Object.keys(indexEntries(step(undefined, 'open', 0, opening(idOf('unit'))).after))).toEqual(['openPk', 'openSk']);
  });

  it('TM-01: instants sort as text whatever their form, and a bound includes its own instant', () => {
    expect(sortable('2026-03-02T09:00:00+01:00')).toBe(at(0));
    expect(sortable('2026-03-02T08:00:00Z')).toBe(at(0));
    expect(`${at(0)}#h-1` < upTo(at(0))).toBe(true);
    expect(`${at(1)}#h-1` < upTo(at(0))).toBe(false);
    expect(() => sortable('tomorrow')).toThrow();
  });
});
