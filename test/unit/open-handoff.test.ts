import { describe, expect, test } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { ContractError, parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { aCalendar, aContract, aPolicy, INA, later, NOW } from '../support/builders.ts';
import { memoryContactBooks, memoryMatchBook } from '../support/memory-books.ts';
import { memoryHandoffStore } from '../support/memory-handoff-store.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { memoryPolicyBook } from '../support/memory-policy-book.ts';
import { memorySignalLog } from '../support/memory-report-sources.ts';
import { memoryTable } from '../support/memory-table.ts';

const aSignal = (more: Partial<Signal> = {}): Signal => ({
  source: 'website',
  eventId: 'form-1',
  kind: 'form.submitted',
  occurredAt: NOW,
  receivedAt: later(NOW, 2),
  contact: { name: 'Ada', email: 'ada@example.com' },
  request: { words: 'The roof leaks.' },
  location: {},
  consent: {},
  more: { note: 'as sent' },
  ...more,
});

function intake({ contract = {}, published = true }: { contract?: Partial<Contract>; published?: boolean } = {}) {
  const table = memoryTable();
  const { roster, calendars } = aPolicy();
  if (published) table.policy.active = { contracts: [aContract(contract)], roster, calendars };
  const workflow = memoryWorkflow();
  const time = memoryTime(later(NOW, 10));
  const handoffs = memoryHandoffStore(table);
  const deps = {
    signals: memorySignalLog(table),
    policies: memoryPolicyBook(table),
    handoffs,
    matches: memoryMatchBook(table),
    workflow,
    seal: memoryContactSeal,
    digest: signalDigest,
    time,
    ...memoryContactBooks(table),
  };
  const deliver = (signal: Signal) => openHandoff(deps, { schemaVersion: '1', signal });
  return { table, workflow, handoffs, time, deliver, deps };
}

const id = signalDigest.handoffId(aSignal());

describe('E-04: what goes before everything else', () => {
  const SAFETY = { safety: { categories: ['gas-leak'], words: ['smell of gas', 'live wire'] } };
  const raisedFor = async (request: Signal['request'], contract: Partial<Contract> = SAFETY, more: Partial<Signal> = {}) => {
    const world = intake({ contract });
    await world.deliver(aSignal({ request, ...more }));
    return (await world.handoffs.load(id))?.handoff.toRaise;
  };

  test.each([
    ['its category', { words: 'Help', category: 'Gas Leak' }, 'gas-leak is a matter of safety'],
    ['words that the firm chose, however they are written', { words: 'There is a SMELL of gas!' }, 'the words name “smell of gas”, which is a matter of safety'],
    ['the word of the source', { words: 'Help', safety: 'yes' }, 'the source states that it is a matter of safety'],
  ] as const)('%s makes it a matter of safety', async (_, request, because) => {
    expect(await raisedFor(request)).toEqual({ class: 'safety-urgent', because });
  });

  test.each([
    ['words within other words', { words: 'We alive wired the house; small of gas' }],
    ['a word of the source that says no', { words: 'Help', safety: 'no' }],
    ['nothing of the kind', { words: 'The roof leaks' }],
  ] as const)('%s makes it none', async (_, request) => {
    expect(await raisedFor(request)).toBeUndefined();
  });

  test('what the customer wrote does not enter the reason, and a contract without the section still heeds the source', async () => {
    expect(JSON.stringify(await raisedFor({ words: 'A smell of gas at Ada’s, call +15035550100' }))).not.toContain('5550100');
    expect(await raisedFor({ words: 'Help', safety: 'yes' }, {})).toMatchObject({ class: 'safety-urgent' });
    expect(await raisedFor({ words: 'A smell of gas' }, {})).toBeUndefined();
  });

  test('it comes before a missing fact, and opens also in a category that the contract does not start on', async () => {
    const contract = { ...SAFETY, requires: [{ anyOf: ['location.postalCode'] }], starts: [{ on: 'form.submitted', from: ['website'], category: ['roof-repair'] }] } as const;
    expect(await raisedFor({ words: 'Help', category: 'gas-leak' }, contract)).toMatchObject({ class: 'safety-urgent' });
    expect(await raisedFor({ words: 'Help', category: 'other' }, contract)).toBeUndefined();
    expect(await raisedFor({ words: 'Help', category: 'gas-leak' }, contract, { source: 'elsewhere' })).toBeUndefined();
  });

  test('D-01: it never waits as one more source of another request; its owner is told of that one', async () => {
    const world = intake({ contract: SAFETY });
    const first = aSignal({ eventId: 'first', request: { words: 'The roof leaks.', category: 'roof' } });
    await world.deliver(first);
    const opened = await world.deliver(aSignal({ occurredAt: later(NOW, 60), receivedAt: later(NOW, 61), request: { words: 'Now there is a smell of gas', category: 'roof' } }));
    expect(opened).toEqual({ kind: 'opened', handoffId: id });
    expect((await world.handoffs.load(id))?.handoff).toMatchObject({ toRaise: { class: 'safety-urgent' }, possibleDuplicate: { of: signalDigest.handoffId(first) } });
  });

  test('a contact who asked for no contact is left alone first, and then a person is asked', async () => {
    const world = intake();
    const because = 'keyword' as const;
    await world.deps.suppressions.note({ kind: 'contact.opted-out', source: 'sns', eventId: 's-1', occurredAt: NOW, channel: 'email', address: 'ada@example.com', because });
    const order: string[] = [];
    const { deps } = world;
    const pause: typeof deps.pauses.pause = async (...args) => {
      order.push(`pause ${String((await world.handoffs.load(id)) !== undefined)}`);
      return deps.pauses.pause(...args);
    };
    await openHandoff({ ...deps, pauses: { pause } }, { schemaVersion: '1', signal: aSignal() });
    expect(order).toEqual(['pause false']);
    const handoff = (await world.handoffs.load(id))?.handoff;
    expect(handoff?.toRaise).toEqual({ class: 'prior-opt-out', because: 'had asked for no contact by email' });
    expect(await deps.pauses.pauses()).toMatchObject([{ scope: { of: 'contact', contactRef: handoff?.contactRef }, audience: 'customers' }]);
    expect((await world.handoffs.receipts(id))[0]).toMatchObject({ optedOut: ['email'] });
  });

  test('a delivery that died between the two is finished by the next one, with one pause', async () => {
    const world = intake();
    await world.deps.suppressions.note({
      kind: 'contact.opted-out',
      source: 'sns',
      eventId: 's-1',
      occurredAt: NOW,
      channel: 'email',
      address: 'ada@example.com',
      because: 'keyword',
    });
    const broken = { ...world.deps.handoffs, append: () => Promise.reject(new Error('gone')) };
    await expect(openHandoff({ ...world.deps, handoffs: broken }, { schemaVersion: '1', signal: aSignal() })).rejects.toThrow('gone');
    await world.deliver(aSignal());
    expect(await world.deps.pauses.pauses()).toHaveLength(1);
    expect((await world.handoffs.load(id))?.handoff.toRaise?.class).toBe('prior-opt-out');
  });
});

describe('a signal that meets a start rule', () => {
  test('C-08: one that arrives while the contract’s calendar is closed says so in its receipt, with the message for the customer and the opening', async () => {
    const hours = { calendar: 'office', hours: [aCalendar()], closedHours: { startsAt: 'next-opening', tellCustomer: 'we-answer-when-we-open' } } as const;
    const closed = intake({ contract: hours });
    await closed.deliver(aSignal({ occurredAt: later(NOW, -1), receivedAt: NOW }));
    expect((await closed.handoffs.receipts(id))[0]).toMatchObject({ closed: { opensAt: NOW, tellCustomer: 'we-answer-when-we-open' } });
    const open = intake({ contract: hours });
    await open.deliver(aSignal());
    expect((await open.handoffs.receipts(id))[0]).not.toHaveProperty('closed');
  });

  test('L-05: opens one handoff, in the hands of the intake lead, on the version in force, from the moment the customer acted', async () => {
    const { deliver, handoffs, workflow } = intake();
    expect(await deliver(aSignal())).toEqual({ kind: 'opened', handoffId: id });
    const [receipt] = await handoffs.receipts(id);
    expect(receipt).toMatchObject({
      kind: 'handoff.opened',
      seq: 1,
      occurredAt: NOW,
      at: later(NOW, 10),
      contract: 'roof-inspection',
      contractVersion: 'c1',
      intakeLead: INA,
      missing: [],
    });
    expect((await handoffs.load(id))?.handoff).toMatchObject({ custodian: INA, state: 'ready', version: 1 });
    expect(workflow.started).toEqual([id]);
  });

  test('SF-14: a handoff is named by a digest, whatever its source calls the event', () => {
    const names = ['a/b:c', 'ada@example.com', 'x'.repeat(300), '✓', 'form-1'].map((eventId) => signalDigest.handoffId({ source: 'website', eventId }));
    for (const name of names) expect(name).toMatch(/^h-[0-9a-f]{32}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test('P-01: the packet says what was stated, where it came from, and what nobody stated', async () => {
    const { deliver, handoffs } = intake();
    await deliver(aSignal());
    expect((await handoffs.load(id))?.packet).toEqual({
      version: 1,
      contact: { name: 'Ada', email: 'ada@example.com' },
      request: { words: 'The roof leaks.' },
      location: {},
      consent: {},
      more: { note: 'as sent' },
      sources: [{ system: 'website', eventId: 'form-1', kind: 'form.submitted', occurredAt: NOW }],
      unknown: [
        'contact.phone',
        'contact.language',
        'contact.prefers',
        'request.category',
        'request.product',
        'request.timing',
        'location.postalCode',
        'location.city',
        'location.region',
        'location.country',
        'consent.email',
        'consent.sms',
      ],
    });
  });

  test('C-01: facts the contract requires and nobody stated stand on the receipt, alternatives as one', async () => {
    const requires = [
      { anyOf: ['contact.email', 'contact.phone'] },
      { anyOf: ['location.postalCode'] },
      { anyOf: ['request.product', 'request.category'] },
      { anyOf: ['more.note'] },
    ];
    const { deliver, handoffs } = intake({ contract: { requires } });
    await deliver(aSignal());
    expect((await handoffs.receipts(id))[0]).toMatchObject({ missing: ['location.postalCode', 'request.product or request.category'] });
    expect((await handoffs.load(id))?.handoff.toRaise?.class).toBe('missing-context');
  });

  test('PI-01: nothing personal stands on the receipt or in the name of the workflow', async () => {
    const { deliver, handoffs, workflow } = intake();
    await deliver(aSignal());
    expect(JSON.stringify([await handoffs.receipts(id), workflow.started])).not.toMatch(/Ada|ada@example|roof leaks/);
  });

  test('a partner may write instants with an offset, and cannot act ahead of the arrival', async () => {
    const { deliver, handoffs } = intake();
    await deliver(aSignal({ occurredAt: '2026-03-02T08:00:00-08:00', receivedAt: '2026-03-02T17:00:02+01:00' }));
    expect((await handoffs.load(id))?.handoff.occurredAt).toBe('2026-03-02T16:00:00.000Z');
    const ahead = aSignal({ eventId: 'form-2', contact: { email: 'ben@example.com' }, occurredAt: '2030-01-01T00:00:00Z' });
    await deliver(ahead);
    expect((await handoffs.load(signalDigest.handoffId(ahead)))?.handoff.occurredAt).toBe(later(NOW, 2));
  });
});

describe('a signal that comes again', () => {
  test('EB-01, D-01: ten parallel deliveries make one handoff and one workflow', async () => {
    const { deliver, table, workflow } = intake();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => deliver(aSignal())));
    expect(outcomes.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
    expect(table.handoffs.size).toBe(1);
    expect(workflow.started).toEqual([id]);
    expect(table.totals).toMatchObject({ received: 1, waiting: 1 });
  });

  test('a provider that signs each attempt anew changes only the time of arrival: the same signal', async () => {
    const { deliver } = intake();
    await deliver(aSignal());
    expect(await deliver(aSignal({ receivedAt: later(NOW, 300), occurredAt: later(NOW, 300) }))).toEqual({ kind: 'opened-before', handoffId: id });
  });

  test('WH-07: the same id with other content is kept beside the first and opens nothing', async () => {
    const { deliver, table, workflow } = intake();
    await deliver(aSignal());
    expect(await deliver(aSignal({ request: { words: 'Something else.' } }))).toEqual({ kind: 'conflict' });
    expect(table.handoffs.size).toBe(1);
    expect([...table.signals.values()][0]?.conflicts.size).toBe(1);
    expect(workflow.started).toEqual([id]);
  });
});

describe('a signal that opens nothing', () => {
  test.each([
    ['no contract starts on it', aSignal({ source: 'nobody' }), /no contract starts/],
    ['it is a trial', aSignal({ test: true }), /test delivery/],
    ['its source calls it an opt-out', aSignal({ notALead: 'opt-out' }), /^opt-out$/],
  ])('L-01: when %s, it stays recorded with the reason', async (_name, signal, because) => {
    const { deliver, table, workflow } = intake();
    expect(await deliver(signal)).toEqual({ kind: 'ignored', because: expect.stringMatching(because) });
    expect([...table.signals.values()]).toMatchObject([{ standing: { kind: 'ignored' } }]);
    expect(await deliver(signal)).toMatchObject({ kind: 'ignored' });
    expect(table.handoffs.size + workflow.started.length).toBe(0);
    expect(table.totals).toMatchObject({ received: 1, ignored: 1 });
  });

  test('without any policy the signal stays undecided and the fault is loud', async () => {
    const { deliver, table } = intake({ published: false });
    await expect(deliver(aSignal())).rejects.toThrow('no policy');
    expect([...table.signals.values()]).toMatchObject([{ standing: { kind: 'received' } }]);
  });
});

describe('the contract of signal.received', () => {
  const event = (signal: object) => ({ schemaVersion: '1', signal: { ...aSignal(), ...signal } });

  test('unknown fields of a partner are accepted', () => {
    expect(parse(SignalEvent, { ...event({ score: 7 }), trace: 'x' }, 'it').signal).toMatchObject({ eventId: 'form-1' });
  });

  test.each([
    ['no source', { source: '' }],
    ['a source that is no name', { source: 'Web Site' }],
    ['a blank event id', { eventId: '' }],
    ['an event id with a line break', { eventId: 'a\nb' }],
    ['an unknown kind', { kind: 'form.opened' }],
    ['a time without an offset', { occurredAt: '2026-03-02T08:00:00' }],
    ['a number as a phone', { contact: { phone: '503 555 0142' } }],
    ['an address without an @', { contact: { email: 'ada' } }],
    ['null for a fact', { contact: { name: null } }],
    ['a blank name', { contact: { name: '' } }],
    ['consent as a truth value', { consent: { sms: true } }],
    ['something other than texts in more', { more: { a: 1 } }],
    ['no contact part', { contact: undefined }],
  ])('LA-04: %s is refused, not repaired', (_name, wrong) => {
    expect(() => parse(SignalEvent, event(wrong), 'it')).toThrow(ContractError);
  });
});
