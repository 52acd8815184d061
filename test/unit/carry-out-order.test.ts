import { describe, expect, test } from 'vitest';
import { carryOutOrder, noteUndelivered } from '../../functions/carry-out-order/carry-out-order.ts';
import { notePrepared } from '../../functions/carry-out-order/note-prepared.ts';
import { compileReport } from '../../functions/report-orphans/report-orphans.ts';
import { GeneratorEvent } from '../../shared/contracts/generator-event.ts';
import { type Order, OrderEvent } from '../../shared/contracts/order-event.ts';
import { handoffId, type PersonId } from '../../shared/domain/ids.ts';
import { anOfferedWorld, get, post, seal, staff, textOf, type World } from '../support/answering.ts';
import { aContract, aPolicy, INA, later, NOW, ROSA, SAM } from '../support/builders.ts';
import { memoryMessageLedger, memoryPauseBook } from '../support/memory-books.ts';
import { memoryAttentionIndex, memoryOutcomeBook, memoryTallyBook, memoryTotalsBook } from '../support/memory-report-sources.ts';

const english = () => aPolicy({ people: staff().map((person) => ({ ...person, speaks: 'en' as const })) });
const YES = { action: 'accept', nextAction: 'call', due: '2026-03-02T15:00' };

/** Who holds what is looked up in the table itself here. */
const deps = (world: World) => ({
  store: world.store,
  policies: world.policies,
  absences: { note: async (absence: World['table']['absences'][number]) => void world.table.absences.push(absence) },
  pauses: memoryPauseBook(),
  ledger: memoryMessageLedger(world.table),
  outcomes: memoryOutcomeBook(world.table),
  people: { heldBy: async (person: PersonId) => [...world.table.handoffs.values()].filter(({ head }) => JSON.stringify(head).includes(person)).map(({ head }) => head.id) },
  seal,
  time: world.time,
});
const order = (world: World, one: Order, orderId = 'o-1') => carryOutOrder(deps(world), { schemaVersion: '1', orderId, order: one });

describe('outcomes that systems state', () => {
  const won = (handoffId: World['id'], minorUnits?: number): Order => ({
    kind: 'outcome.recorded',
    handoffId,
    system: 'crm',
    result: 'won',
    ...(minorUnits !== undefined && { revenue: { minorUnits, currency: 'USD' } }),
  });

  test('X-05 M-06: of a handoff that nobody knows is kept and counted, once by its id however often it comes', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const nobody = handoffId(`h-${'9'.repeat(32)}`);
    expect(await order(world, won(nobody), 'crm-1')).toMatchObject([{ outcome: 'unknown-handoff' }]);
    await order(world, won(nobody), 'crm-1');
    await order(world, won(nobody, 5), 'crm-2');
    await order(world, { kind: 'human.takeover', handoffId: nobody, person: SAM }, 'take');
    expect(world.table.tally.unmatched).toBe(2);
    expect([...world.table.unmatched.values()]).toMatchObject([{ orderId: 'crm-1', handoffId: nobody, system: 'crm', result: 'won' }, { revenue: { minorUnits: 5 } }]);
    expect(await world.store.load(nobody)).toBeUndefined();
  });

  test('X-05 M-06: what it brought goes with it, a corrected sum is news, and the same again is none', async () => {
    const world = await anOfferedWorld({ policy: english() });
    await order(world, won(world.id, 100), 'a');
    expect(await order(world, won(world.id, 100), 'b')).toMatchObject([{ outcome: 'already-done' }]);
    await order(world, won(world.id, 90), 'c');
    expect((await world.row()).recorded).toMatchObject({ system: 'crm', result: 'won', revenue: { minorUnits: 90, currency: 'USD' } });
    expect(world.table.tally).toMatchObject({ recorded: 2 });
    expect(world.table.tally.unmatched).toBeUndefined();
  });

  test('X-05: money that is no whole number of cents, or in no currency, is refused before anything is read', () => {
    const event = (revenue: object) => ({
      schemaVersion: '1',
      orderId: 'o',
      order: { kind: 'outcome.recorded', handoffId: `h-${'9'.repeat(32)}`, system: 'crm', result: 'won', revenue },
    });
    expect(OrderEvent.safeParse(event({ minorUnits: 1, currency: 'USD' })).success).toBe(true);
    for (const wrong of [{ minorUnits: 1.5, currency: 'USD' }, { minorUnits: 1, currency: 'usd' }, { minorUnits: '1', currency: 'USD' }, { currency: 'USD' }])
      expect(OrderEvent.safeParse(event(wrong)).success).toBe(false);
  });
});

describe('orders of staff', () => {
  test('CC-07: reassigned, the old link says so at once, with the reason beside the log and out of it', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    expect(await order(world, { kind: 'handoff.reassign', handoffId: world.id, by: INA, to: SAM, why: 'Rosa is ill.' })).toEqual([{ handoffId: world.id, outcome: 'written' }]);
    expect(textOf((await get(world, link)).body)).toContain('no longer with you');
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await world.row()).ownership).toBeUndefined();
    expect(await world.store.notes(world.id)).toEqual([{ seq: 5, kind: 'explanation', text: 'Rosa is ill.' }]);
    expect(JSON.stringify(await world.store.receipts(world.id))).not.toContain('ill');
  });

  test('EB-02: the same order twice is one', async () => {
    const world = await anOfferedWorld({ policy: english() });
    await order(world, { kind: 'human.takeover', handoffId: world.id, person: SAM });
    expect(await order(world, { kind: 'human.takeover', handoffId: world.id, person: SAM })).toMatchObject([{ outcome: 'already-done' }]);
    expect((await world.row()).takenOver?.person).toBe(SAM);
  });

  test('L-08: somebody who drops out is asked nothing from now on, and what they hold goes on', async () => {
    const world = await anOfferedWorld({ policy: english() });
    await order(world, { kind: 'person.unavailable', person: ROSA, from: '2026-03-02T08:00:00-08:00', until: later(NOW, 3600) });
    expect((await world.row()).offers).toMatchObject([{ status: 'withdrawn' }]);
    const { roster } = await world.policies.at(world.policy.contract.name, world.policy.contract.version);
    expect(roster.people.find((one) => one.id === ROSA)?.unavailable).toEqual([{ from: NOW, until: later(NOW, 3600) }]);
    await world.wish('request-acceptance');
    expect((await world.row()).offers.at(-1)?.to).toBe(SAM);
  });

  test('L-08 M-02: the meetings of somebody who drops out are named at once, and stand on the report until somebody accepts', async () => {
    const policy = aPolicy({ people: english().roster.people, contract: { accept: { ...aContract().accept, nextActions: ['call', 'meeting'] } } });
    const world = await anOfferedWorld({ policy });
    await post(world, await world.linkOf(ROSA), { ...YES, nextAction: 'meeting' });
    const carried = await order(world, { kind: 'person.unavailable', person: ROSA, from: NOW, until: later(NOW, 3600) });
    expect(carried).toMatchObject([{ outcome: 'written', meeting: { from: 'promise', heldBy: ROSA } }]);
    const report = async () => {
      const read = { attention: memoryAttentionIndex(world.table), totals: memoryTotalsBook(world.table), tallies: memoryTallyBook(world.table), time: world.time, zone: 'UTC' };
      return (await compileReport(read)).rows.map(({ section, custodian }) => [section, custodian]);
    };
    expect(await report()).toEqual([['meeting-without-seller', INA]]);
    await world.wish('request-acceptance');
    expect(await report()).toEqual([['meeting-without-seller', INA]]);
    await post(world, await world.linkOf(SAM, { number: 2 }), YES);
    expect(await report()).toEqual([]);
  });

  test('L-08: an absence that is still ahead takes nothing away now', async () => {
    const world = await anOfferedWorld({ policy: english() });
    expect(await order(world, { kind: 'person.unavailable', person: ROSA, from: later(NOW, 600), until: later(NOW, 3600) })).toEqual([]);
    expect((await world.row()).offers).toMatchObject([{ status: 'pending' }]);
  });

  test('L-07: evidence may come as an event, of the owner’s own step and nobody else’s', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const evidence = (person: PersonId) => order(world, { kind: 'next-step.evidence', handoffId: world.id, person, evidence: 'call' }, `e-${person}`);
    expect(await evidence(ROSA)).toMatchObject([{ outcome: 'not-in-this-state' }]);
    await post(world, await world.linkOf(ROSA), YES);
    expect(await evidence(SAM)).toMatchObject([{ outcome: 'owned-by-another' }]);
    expect(await evidence(ROSA)).toMatchObject([{ outcome: 'written' }]);
    expect((await world.row()).state).toBe('next-step-confirmed');
  });

  test('D-05 C-02: who has no authority pauses and resumes nothing, and leaves no receipt of it', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const all = deps(world);
    const say = (one: Order, orderId: string) => carryOutOrder(all, { schemaVersion: '1', orderId, order: one });
    const pause = (by: PersonId) => ({ kind: 'sending.pause', by, scope: { of: 'all' }, audience: 'everyone' }) as const;
    expect(await say(pause(ROSA), 'p-1')).toEqual([{ outcome: 'refused', because: 'no-authority' }]);
    expect([await all.pauses.pauses(), await all.pauses.notes()]).toEqual([[], []]);
    expect(await say(pause(INA), 'p-2')).toEqual([]);
    expect(await say({ kind: 'sending.resume', by: SAM, scope: { of: 'all' } }, 'r-1')).toEqual([{ outcome: 'refused', because: 'no-authority' }]);
    expect(await all.pauses.pauses()).toHaveLength(1);
  });

  test('L-08: withdrawn, it is closed for everybody', async () => {
    const world = await anOfferedWorld({ policy: english() });
    await order(world, { kind: 'handoff.withdraw', handoffId: world.id, by: INA });
    expect((await world.row()).outcome).toMatchObject({ kind: 'withdrawn', by: INA });
  });

  test.each([
    ['a person nobody knows', { kind: 'handoff.reassign', by: INA, to: 'nobody' }, 'unknown-person'],
    ['somebody without authority', { kind: 'handoff.reassign', by: SAM, to: ROSA }, 'no-authority'],
  ])('WH-13: %s changes nothing and is told why', async (_name, said, because) => {
    const world = await anOfferedWorld({ policy: english() });
    expect(await order(world, { handoffId: world.id, ...said } as Order)).toMatchObject([{ outcome: 'refused', because }]);
    expect((await world.row()).version).toBe(3);
  });

  test.each([
    ['no order', { schemaVersion: '1', orderId: 'x' }],
    ['an order of no kind', { schemaVersion: '1', orderId: 'x', order: { kind: 'handoff.accept', handoffId: 'h-1' } }],
    ['an absence without an end', { schemaVersion: '1', orderId: 'x', order: { kind: 'person.unavailable', person: 'rosa', from: NOW } }],
    ['an id of a handoff that is none', { schemaVersion: '1', orderId: 'x', order: { kind: 'handoff.withdraw', handoffId: 'nine', by: 'ina' } }],
  ])('WH-13: %s misses the contract', (_name, event) => {
    expect(OrderEvent.safeParse(event).success).toBe(false);
  });
});

describe('a message that did not arrive', () => {
  test('O-08: named by the message it was, it ends the offer once no channel is left', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const failed = (channel: 'email' | 'sms') =>
      noteUndelivered(deps(world), { schemaVersion: '1', handoffId: world.id, effect: `acceptance.requested:3:${channel}`, channel, state: 'bounced', occurredAt: NOW });
    expect(await failed('email')).toMatchObject([{ outcome: 'written' }]);
    expect((await world.row()).state).toBe('acceptance-requested');
    expect(await failed('email')).toMatchObject([{ outcome: 'already-done' }]);
    expect(await failed('sms')).toMatchObject([{ outcome: 'written' }]);
    expect((await world.row()).offers).toMatchObject([{ status: 'undeliverable', undelivered: ['email', 'sms'] }]);
  });

  test('CC-04: a report about no offer of ours changes nothing', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const report = { schemaVersion: '1', handoffId: world.id, effect: 'offer.accepted:9:email', channel: 'email', state: 'failed', occurredAt: NOW } as const;
    expect(await noteUndelivered(deps(world), report)).toMatchObject([{ outcome: 'unknown-handoff' }]);
  });
});

describe('the boundary to generators', () => {
  const event = (world: World, more: object = {}) =>
    GeneratorEvent.parse({
      schemaVersion: '1',
      eventId: 'g-1',
      handoffId: world.id,
      generatorId: 'draft-bot',
      generatorVersion: '3.1',
      summary: 'A leak. Call ada@example.com.',
      ...more,
    });

  test('A-01 P-02: a text stands apart from the facts, under the name of its generator, and never as one of them', async () => {
    const world = await anOfferedWorld({ policy: english() });
    expect(await notePrepared(deps(world), 'packet.prepared', event(world))).toMatchObject({ outcome: 'written' });
    const loaded = await world.store.load(world.id);
    expect(loaded?.packet.version).toBe(1);
    expect(loaded?.packet.generated).toEqual({ generator: 'draft-bot', generatorVersion: '3.1', at: NOW, summary: 'A leak. Call ada@example.com.' });
    const page = textOf((await get(world, await world.linkOf(ROSA))).body);
    expect(page).toContain('Written by draft-bot 3.1. Nobody confirmed it');
    expect(page).not.toContain('ada@example.com');
    expect(JSON.stringify(await world.store.receipts(world.id))).not.toContain('leak');
    expect((await post(world, await world.linkOf(ROSA), YES)).status).toBe(303);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
  });

  test('L-10: where a person took over, no text is taken in any more, and the refusal is a receipt', async () => {
    const world = await anOfferedWorld({ policy: english() });
    await order(world, { kind: 'human.takeover', handoffId: world.id, person: SAM });
    expect(await notePrepared(deps(world), 'packet.prepared', event(world))).toMatchObject({ outcome: 'written' });
    expect((await world.store.receipts(world.id)).at(-1)).toMatchObject({ kind: 'ai.refused', generator: 'draft-bot', wanted: 'to prepare after a takeover' });
    expect((await world.store.load(world.id))?.packet).not.toHaveProperty('generated');
    expect(JSON.stringify([...world.table.generated])).not.toContain('leak');
    expect((await world.row()).state).toBe('acceptance-requested');
  });

  test.each([
    ['accepting', 'offer.accept', {}, 'offer.accept'],
    ['approving', 'outreach.approved', {}, 'outreach.approved'],
    ['overwriting a fact', 'packet.prepared', { contact: { phone: '+15035550000' } }, 'to set contact'],
    ['naming an owner', 'packet.prepared', { owner: 'rosa' }, 'to set owner'],
    ['a text without end', 'packet.prepared', { draft: 'x'.repeat(4001) }, 'a text beyond its limits'],
    ['words where a code belongs', 'Ada Pérez, please call', {}, 'something unnamed'],
  ])('A-03: %s is refused with a receipt, and nothing else happens', async (_name, detailType, more, wanted) => {
    const world = await anOfferedWorld({ policy: english() });
    const before = await world.store.load(world.id);
    expect(await notePrepared(deps(world), detailType, event(world, more))).toMatchObject({ outcome: 'written' });
    const [last] = (await world.store.receipts(world.id)).slice(-1);
    expect(last).toMatchObject({ kind: 'ai.refused', generator: 'draft-bot', wanted });
    const after = await world.store.load(world.id);
    expect(after?.packet).toEqual(before?.packet);
    expect(after?.handoff).toMatchObject({ state: before?.handoff.state, custodian: before?.handoff.custodian, offers: before?.handoff.offers });
  });
});
