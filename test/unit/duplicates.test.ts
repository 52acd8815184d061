// Several sources of one request, from the signal to the row.

import { describe, expect, test } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { commandId } from '../../shared/domain/ids.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { aContract, aPolicy, INA, later, NOW } from '../support/builders.ts';
import { memoryContactBooks, memoryMatchBook } from '../support/memory-books.ts';
import { memoryHandoffStore } from '../support/memory-handoff-store.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { memoryPolicyBook } from '../support/memory-policy-book.ts';
import { memorySignalLog } from '../support/memory-report-sources.ts';
import { memoryTable } from '../support/memory-table.ts';

const DAY = 24 * 60 * 60;
const ADA = { name: 'Ada Marchetti', email: 'ada@marchetti.test', phone: '+15035550101' };

const aSignal = (eventId: string, more: Partial<Signal> = {}): Signal => ({
  source: 'website',
  eventId,
  kind: 'form.submitted',
  occurredAt: NOW,
  receivedAt: NOW,
  contact: ADA,
  request: { words: 'The roof leaks.', category: 'roof-repair' },
  location: {},
  consent: {},
  more: {},
  ...more,
});
const idOf = (signal: Signal) => signalDigest.handoffId(signal);

function intake() {
  const table = memoryTable();
  const { roster, calendars } = aPolicy();
  table.policy.active = { contracts: [aContract()], roster, calendars };
  table.policy.contracts.set('c1', aContract());
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
  async function close(signal: Signal) {
    const before = (await handoffs.load(idOf(signal)))?.handoff;
    if (before === undefined) throw new Error('not there');
    const stamp = {
      at: time.now(),
      commandId: commandId('close'),
      actor: { kind: 'system' as const, component: 'test' },
      packetVersion: 1,
      contractVersion: before.contractVersion,
    };
    const { receipts, handoff } = apply(
      before,
      [
        { kind: 'candidates.resolved', candidates: [], considered: [], rosterVersion: 'r' },
        { kind: 'handoff.closed', outcome: 'completed', by: INA },
      ],
      stamp,
    );
    await handoffs.append(before, handoff, receipts);
  }
  return { table, workflow, handoffs, deliver, close };
}

describe('a strong match', () => {
  test('D-01: another form of the same person joins the open handoff, with both sources, and is counted as linked', async () => {
    const { deliver, table, workflow, handoffs } = intake();
    const [first, second] = [aSignal('1'), aSignal('2', { occurredAt: later(NOW, 300), contact: { ...ADA, email: 'ADA@Marchetti.test', phone: '+15035550199' } })];
    await deliver(first);
    expect(await deliver(second)).toEqual({ kind: 'linked', handoffId: idOf(first) });
    expect((await handoffs.receipts(idOf(first))).at(-1)).toMatchObject({
      kind: 'signal.linked',
      sourceEventId: '2',
      packetVersion: 2,
      evidence: ['same-email', 'same-name', 'same-firm'],
      conflicting: ['contact.phone'],
    });
    expect((await handoffs.load(idOf(first)))?.packet.sources.map((one) => one.eventId)).toEqual(['1', '2']);
    expect(table.handoffs.size).toBe(1);
    expect(workflow.started).toEqual([idOf(first)]);
    expect(table.totals).toMatchObject({ received: 2, linked: 1, waiting: 1 });
  });

  test('EB-01: the joining signal again changes nothing', async () => {
    const { deliver, table, handoffs } = intake();
    await deliver(aSignal('1'));
    for (let count = 0; count < 3; count++) expect(await deliver(aSignal('2'))).toEqual({ kind: 'linked', handoffId: idOf(aSignal('1')) });
    expect(await handoffs.receipts(idOf(aSignal('1')))).toHaveLength(2);
    expect(table.totals.linked).toBe(1);
  });

  test('ID-11: ten forms at once, each with an id of its own, are one handoff and nine sources of it', async () => {
    const { deliver, table, workflow } = intake();
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, n) => deliver(aSignal(`form-${n}`))));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([...Array.from({ length: 9 }, () => 'linked'), 'opened']);
    expect(table.handoffs.size).toBe(1);
    expect(workflow.started).toHaveLength(1);
    expect(table.totals).toMatchObject({ received: 10, linked: 9, waiting: 1 });
  });

  test('ID-12: after the handoff is closed a new wish opens another; what came no later than the one dealt with does not', async () => {
    const { deliver, close, table } = intake();
    await deliver(aSignal('1'));
    await close(aSignal('1'));
    const replay = aSignal('0', { occurredAt: later(NOW, -20 * DAY) });
    expect(await deliver(replay)).toMatchObject({ kind: 'ignored', because: expect.stringContaining(idOf(aSignal('1'))) });
    expect((await deliver(aSignal('2', { occurredAt: later(NOW, 5), receivedAt: later(NOW, 6) }))).kind).toBe('opened');
    expect(table.totals).toMatchObject({ received: 3, ignored: 1, closed: 1, waiting: 1 });
  });

  test('ID-12: thirty days to the second are inside, one second more is not', async () => {
    for (const [seconds, kind] of [
      [30 * DAY, 'linked'],
      [30 * DAY + 1, 'opened'],
    ] as const) {
      const { deliver } = intake();
      await deliver(aSignal('1'));
      const at = later(NOW, seconds);
      expect((await deliver(aSignal('2', { occurredAt: at, receivedAt: at }))).kind).toBe(kind);
    }
  });
});

describe('a weak match', () => {
  test('D-01 ID-06: the same phone and another name opens its own handoff, for a person to compare, and asks nobody', async () => {
    const { deliver, handoffs, table } = intake();
    await deliver(aSignal('1'));
    const other = aSignal('2', { contact: { name: 'Ben Marchetti', phone: ADA.phone } });
    expect((await deliver(other)).kind).toBe('opened');
    const { possibleDuplicate, toRaise } = (await handoffs.load(idOf(other)))?.handoff ?? {};
    expect(possibleDuplicate).toEqual({ of: idOf(aSignal('1')), evidence: ['same-phone'] });
    expect(toRaise?.class).toBe('possible-duplicate');
    expect(table.totals).toMatchObject({ received: 2, linked: 0, waiting: 2 });
  });

  test('PI-01: the book of matches and the receipts hold no name, address or number', async () => {
    const { deliver, handoffs, table } = intake();
    await deliver(aSignal('1'));
    await deliver(aSignal('2', { contact: { phone: ADA.phone } }));
    const written = JSON.stringify([[...table.matches], await handoffs.receipts(idOf(aSignal('1'))), await handoffs.receipts(idOf(aSignal('2')))]);
    expect(written).not.toMatch(/marchetti|5550101|Ada/i);
  });

  test('a request that has been closed is compared with nothing', async () => {
    const { deliver, close, handoffs } = intake();
    await deliver(aSignal('1'));
    await close(aSignal('1'));
    const other = aSignal('2', { contact: { phone: ADA.phone } });
    await deliver(other);
    expect((await handoffs.load(idOf(other)))?.handoff).not.toHaveProperty('possibleDuplicate');
  });
});
