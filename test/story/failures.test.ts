// The deliberate failures of the second seed that have no better place: whoever tells the others names the failure in the title.

import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { typed } from '../support/command-line.ts';
import { aRoofInspection } from '../support/leads.ts';
import { type Baton, story } from '../support/story.ts';

const MINUTE = 60_000;
const later = (baton: Baton, minutes: number) => new Date(baton.runtime.now() + minutes * MINUTE).toISOString();

story(
  'seed failure 8, O-02 E-01 R-02: a request for service comes in as a sale; the seller says so, and it goes to the person for customers, not to the next seller',
  async (baton) => {
    const mislabelled = await baton.givenSignal(aRoofInspection({ message: 'The roof that you laid in May leaks again.' }));
    const [primary, backup] = await baton.candidates(mislabelled);
    await baton.whenAnswered(await baton.thenMessageTo(primary, { about: mislabelled }), { action: 'reject', reason: 'existing-customer-service' });

    const { exceptions, custodian } = await baton.handoff(mislabelled);
    expect(exceptions).toMatchObject([{ class: 'existing-customer-service', owner: 'ina' }]);
    expect(custodian).toBe('ina');
    await baton.fastForward({ minutes: 20 });
    await baton.thenNoMessageTo(backup, mislabelled);
    const toIna = await baton.thenMessageTo('ina', { about: mislabelled });
    await baton.whenAnswered(toIna, { action: 'accept-exception', confirm: 'yes' });
    await baton.whenAnswered(toIna, { action: 'take', nextAction: 'call', dueChoice: 'other', due: baton.localTime(toIna, { hours: 1 }) });
    await baton.thenOwner(mislabelled, 'ina');

    const known = await baton.givenSignal(aRoofInspection({ existing_customer: 'yes', purpose: 'service' }));
    expect(await baton.handoff(known)).toMatchObject({ offers: [], custodian: 'ina', exceptions: [{ class: 'existing-customer-service' }] });
  },
);

story('seed failure 9, R-04 R-06 E-03: no rule covers the place; the customer waits in the hands of a named person, who sends it on to somebody asked by name', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  const [, resolved] = await dynamodbHandoffStore(baton.table).receipts(handoff);
  const failed = resolved?.kind === 'candidates.resolved' ? resolved.considered.map((one) => [one.person, 'failed' in one ? one.failed : one.rule]) : [];
  expect(Object.fromEntries(failed)).toMatchObject({ rosa: expect.stringContaining('outside'), sam: expect.stringContaining('outside') });
  expect(await baton.handoff(handoff)).toMatchObject({ offers: [], custodian: 'omar', exceptions: [{ class: 'no-eligible-owner', owner: 'omar' }] });

  const shown = await typed(baton, 'show', handoff, '--zone', 'America/Los_Angeles');
  expect(shown.text).toMatch(/nobody eligible[\s\S]* rosa: outside[^\n]*\n +sam: outside[\s\S]*Times are in America\/Los_Angeles\.$/);
  expect(shown.text).not.toMatch(/\d{2}:\d{2}:\d{2}\.\d{3}Z/);

  const toOmar = await baton.thenMessageTo('omar', { about: handoff, saying: 'It is about roof inspection in 10001' });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toOmar, { action: 'assign', assignTo: 'sam' });
  expect((await baton.handoff(handoff)).ownership).toBeUndefined();
  await baton.whenAccepted(await baton.thenMessageTo('sam', { about: handoff }));
  await baton.thenOwner(handoff, 'sam');
});

story('seed failure 10, R-02 R-04: a request in Spanish while the only Spanish speaker is away; nobody else is asked, and on her return she is', async (baton) => {
  await baton.whenOrdered({ kind: 'person.unavailable', person: 'rosa', from: later(baton, 0), until: later(baton, 60) });
  const handoff = await baton.givenSignal(aRoofInspection({ language: 'es', message: 'Entra agua en la cocina.' }));
  const [, resolved] = await dynamodbHandoffStore(baton.table).receipts(handoff);
  const failed = resolved?.kind === 'candidates.resolved' ? resolved.considered.map((one) => [one.person, 'failed' in one ? one.failed : one.rule]) : [];
  expect(Object.fromEntries(failed)).toMatchObject({ rosa: expect.stringContaining('unavailable until'), sam: 'does not speak Spanish' });
  expect(await baton.handoff(handoff)).toMatchObject({ offers: [], custodian: 'omar', exceptions: [{ class: 'no-eligible-owner' }] });

  const toOmar = await baton.thenMessageTo('omar', { about: handoff });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.fastForward({ minutes: 60 });
  await baton.whenAnswered(toOmar, { action: 'assign', assignTo: 'rosa' });
  const toRosa = await baton.thenMessageTo('rosa', { about: handoff, saying: 'Hola' });
  await baton.whenAccepted(toRosa);
  await baton.thenOwner(handoff, 'rosa');
  await baton.thenNoMessageTo('sam', handoff);
});

story('E-01 O-02 O-07: everybody says no; a named person owns the exception, and nobody is asked a second time', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  await baton.whenAnswered(await baton.thenMessageTo(primary, { about: handoff }), { action: 'reject', reason: 'no-capacity' });
  await baton.whenAnswered(await baton.thenMessageTo(backup, { about: handoff }), { action: 'reject', reason: 'wrong-territory' });

  expect(await baton.handoff(handoff)).toMatchObject({ custodian: 'omar', exceptions: [{ class: 'all-declined', owner: 'omar' }] });
  const toSellers = async () => (await Promise.all([primary, backup].map((seller) => baton.messagesTo(seller, handoff, 'email')))).map((all) => all.length);
  expect(await toSellers()).toEqual([1, 1]);
  await baton.fastForward({ minutes: 40 });
  expect(await toSellers()).toEqual([1, 1]);
  expect((await baton.handoff(handoff)).offers).toHaveLength(2);
  const toDana = await baton.thenMessageTo('dana', { about: handoff });
  await baton.whenAnswered(toDana, { action: 'accept-exception', confirm: 'yes' });
  await baton.thenReceipts(handoff, [
    'handoff.opened',
    'candidates.resolved',
    'acceptance.requested',
    'offer.rejected',
    'backup.requested',
    'offer.rejected',
    'exception.raised',
    'exception.escalated',
    'exception.accepted',
  ]);
});

story('seed failure 3, D-01 ID-11: the website and a form service send the same request at once; one handoff, one person asked, and both sources stand in it', async (baton) => {
  const lead = aRoofInspection();
  const form = { source: 'website', eventId: `form-${String(lead.email)}` };
  const service = { source: 'typeform', eventId: `service-${String(lead.email)}` };
  const facts = { contact: { name: String(lead.name), email: String(lead.email) }, request: { words: 'A leak.', category: 'roof-inspection' }, location: { postalCode: '97201' } };
  const at = later(baton, 0);
  const [answer] = await Promise.all([
    baton.sendWebsite(lead, form.eventId),
    baton.whenSaid('baton.intake', 'signal.received', { signal: { ...service, kind: 'form.submitted', occurredAt: at, receivedAt: at, consent: {}, more: {}, ...facts } }),
  ]);
  expect(answer.status).toBe(202);
  await baton.runtime.idle();

  const store = dynamodbHandoffStore(baton.table);
  const opened = (await Promise.all([form, service].map((one) => store.load(signalDigest.handoffId(one))))).flatMap((one) => (one === undefined ? [] : [one]));
  expect(opened).toHaveLength(1);
  const [one] = opened;
  if (one === undefined) throw new Error('nothing was opened');
  expect(one.packet.sources.map(({ system }) => system).sort()).toEqual(['typeform', 'website']);
  expect(one.handoff.offers).toHaveLength(1);
  const [primary] = await baton.candidates(one.handoff.id);
  await baton.whenAccepted(await baton.thenMessageTo(primary, { about: one.handoff.id }));
  await baton.thenOwner(one.handoff.id, primary);
});
