import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { aContract, aPolicy, later, NOW, ROSA } from '../support/builders.ts';
import { memoryPauseBook } from '../support/memory-books.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { aReviewersDesk, householdSignal, idOf as idOfSignal } from '../support/merging.ts';
import { aPacket, at, idOf, opening, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

const { roster, calendars } = aPolicy();
const policies = { active: async () => ({ contracts: [aContract()], roster, calendars }), at: async () => aPolicy() };
const ROUNDS = 100;
const MERGES = 12;

const form = (round: number, channel: string): Signal => ({
  source: 'website',
  eventId: `${channel}-${round}`,
  kind: 'form.submitted',
  occurredAt: later(NOW, round),
  receivedAt: later(NOW, round),
  contact: { email: `ada-${round}@example.com` },
  request: { words: channel },
  location: {},
  consent: {},
  more: {},
});

describe.each(storeKinds('match-book'))('a book of matches $name', ({ start }) => {
  let stores: Stores;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await start();
    stop = started.stop;
    stores = await started.fresh();
  });
  afterAll(() => stop());

  it('a key that nobody wrote has no entries, and rows come in the order asked', async () => {
    const keys = [
      { kind: 'email', hash: 'c-none' },
      { kind: 'phone', hash: 'c-none' },
    ] as const;
    expect(await stores.matches.rows(keys)).toEqual(keys.map((key) => ({ key, version: 0, entries: [] })));
    expect(await stores.matches.rows([])).toEqual([]);
  });

  it('ID-11: a key that moved since it was read lets nothing of the transaction through', async () => {
    const key = { kind: 'email', hash: 'c-moved' } as const;
    const write = (name: string) => {
      const { after, receipts } = step(undefined, name, 0, opening(idOf(name)));
      const entries = [{ handoffId: after.id, contract: 'roof-inspection', occurredAt: at(0), keys: { email: 'c-moved' } }];
      return stores.handoffs.append(undefined, after, receipts, { packet: aPacket(), matches: [{ key, version: 0, entries }] });
    };
    expect(await write('match-first')).toEqual({ kind: 'written' });
    expect(await write('match-second')).toEqual({ kind: 'stale' });
    expect(await stores.handoffs.load(idOf('match-second'))).toBeUndefined();
    expect(await stores.matches.rows([key])).toMatchObject([{ version: 1, entries: [{ handoffId: idOf('match-first') }] }]);
  });

  it(`ID-11: two channels at once, ${ROUNDS} times over: one handoff each time, the other joins it, and the sheet adds up`, async () => {
    const before = await stores.totals.totals();
    const deps = { ...stores, policies, workflow: memoryWorkflow(), seal: memoryContactSeal, digest: signalDigest, time: memoryTime(later(NOW, 1000)), pauses: memoryPauseBook() };
    for (let round = 0; round < ROUNDS; round++) {
      const both = [form(round, 'form'), form(round, 'automation')];
      const outcomes = await Promise.all(both.map((signal) => openHandoff(deps, { schemaVersion: '1', signal })));
      expect(outcomes.map(({ kind }) => kind).sort(), `round ${round}`).toEqual(['linked', 'opened']);
      const [id] = outcomes.flatMap((one) => (one.kind === 'linked' ? [one.handoffId] : []));
      const loaded = id === undefined ? undefined : await stores.handoffs.load(id);
      expect(loaded?.packet.sources.map((one) => one.eventId).sort()).toEqual([`automation-${round}`, `form-${round}`]);
    }
    const after = await stores.totals.totals();
    expect({ received: after.received - before.received, linked: after.linked - before.linked, waiting: after.waiting - before.waiting }).toEqual({
      received: 2 * ROUNDS,
      linked: ROUNDS,
      waiting: ROUNDS,
    });
  }, 60_000);

  it('D-01 ID-11: a signal that arrives while a reviewer merges is never lost, and later ones find the handoff that goes on', async () => {
    const desk = aReviewersDesk(stores);
    for (let round = 1; round <= MERGES; round++) {
      const [ann, ben, again, later] = (['ann', 'ben', 'ben', 'ben'] as const).map((name, which) => householdSignal(String(1000 + round), name, `${name}-${which}`));
      if (ann === undefined || ben === undefined || again === undefined || later === undefined) throw new Error('four signals');
      await desk.deliver(ann);
      await desk.deliver(ben);
      await desk.review(idOfSignal(ben));
      await Promise.all([desk.decide(idOfSignal(ben), 'merge'), desk.deliver(again)]);
      const merged = (await desk.load(idOfSignal(ben))).handoff;
      expect(merged, `round ${round}`).toMatchObject({ state: 'closed', mergedInto: idOfSignal(ann) });
      expect(await desk.deliver(later)).toEqual({ kind: 'linked', handoffId: idOfSignal(ann) });
      const { handoff, packet } = await desk.load(idOfSignal(ann));
      expect(handoff.state).not.toBe('closed');
      expect(packet.sources.map(({ eventId }) => eventId).sort()).toEqual([ann, ben, again, later].map(({ eventId }) => eventId).sort());
    }
  }, 60_000);

  it('D-01: two reviewers merge two requests into each other at once: exactly one of them goes on, with every source', async () => {
    const desk = aReviewersDesk(stores);
    for (let round = 1; round <= MERGES; round++) {
      const [ann, ben] = [householdSignal(String(2000 + round), 'ann'), householdSignal(String(2000 + round), 'ben')];
      await desk.deliver(ann);
      await desk.deliver(ben);
      await desk.review(idOfSignal(ben));
      const first = (await desk.load(idOfSignal(ann))).handoff;
      await markAsPossible(stores, first, idOfSignal(ben));
      await desk.review(idOfSignal(ann));
      await Promise.all([desk.decide(idOfSignal(ben), 'merge'), desk.decide(idOfSignal(ann), 'merge')]);
      const both = await Promise.all([desk.load(idOfSignal(ann)), desk.load(idOfSignal(ben))]);
      const open = both.filter(({ handoff }) => handoff.state !== 'closed');
      expect(open, `round ${round}`).toHaveLength(1);
      expect(open[0]?.packet.sources).toHaveLength(2);
    }
  }, 60_000);

  it('D-01: what a reviewer kept apart stays apart: each goes on with the arrivals under its own address', async () => {
    const desk = aReviewersDesk(stores);
    const [ann, ben] = [householdSignal('3001', 'ann'), householdSignal('3001', 'ben')];
    await desk.deliver(ann);
    await desk.deliver(ben);
    await desk.review(idOfSignal(ben));
    await desk.decide(idOfSignal(ben), 'separate');
    for (const [name, of] of [
      ['ann', ann],
      ['ben', ben],
    ] as const)
      expect(await desk.deliver(householdSignal('3001', name, `${name}-again`))).toEqual({ kind: 'linked', handoffId: idOfSignal(of) });
  });
});

/** A seller said of the first request that it is the second one: both are reviewed now. */
async function markAsPossible(stores: Stores, handoff: Handoff, of: HandoffId) {
  const stamp = { at: handoff.changedAt, actor: { kind: 'system' as const, component: 'test' }, packetVersion: handoff.packetVersion, contractVersion: handoff.contractVersion };
  const facts = [
    { kind: 'candidates.resolved', candidates: [], considered: [], rosterVersion: 'r' },
    { kind: 'acceptance.requested', offer: 1, to: ROSA, step: 0, rule: 'r', deadlineAt: later(NOW, 1e6) },
    { kind: 'duplicate.marked', offer: 1, by: ROSA, of, raise: 'possible-duplicate' },
  ] as const;
  const { receipts, handoff: after } = apply(handoff, facts, { ...stamp, commandId: commandId('mark') });
  await stores.handoffs.append(handoff, after, receipts);
}
