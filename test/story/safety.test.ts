import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPauseBook } from '../../shared/adapters/dynamodb-pause-book.ts';
import { typed } from '../support/command-line.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

/** What a seller reads when what is known now takes the request from them. */
const LET_GO = /matter of safety|asunto de seguridad/;

story('E-04: a matter of safety goes to its owner at once, past the sellers, past a missing fact and past a pause, and escalates by the wall clock', async (baton) => {
  await baton.whenOrdered({ kind: 'sending.pause', by: 'dana', scope: { of: 'all' }, audience: 'everyone' });
  const urgent = await baton.givenSignal({ name: 'Ada', phone: '+15035557401', message: 'There is a smell of gas in the attic!', category: 'roof-repair' });
  const waiting = await baton.givenSignal(aRoofInspection());

  const { exceptions, offers, custodian } = await baton.handoff(urgent);
  expect([exceptions.map((one) => one.class), offers, custodian]).toEqual([['safety-urgent'], [], 'omar']);
  await baton.thenMessageTo('omar', { about: urgent });
  await baton.thenState(waiting, 'acceptance-requested');
  const [primary] = await baton.candidates(waiting);
  await baton.thenNoMessageTo(primary, waiting);

  await baton.fastForward({ minutes: 5 });
  const toDana = await baton.thenMessageTo('dana', { about: urgent });
  await baton.whenAnswered(toDana, { action: 'accept-exception', confirm: 'yes' });
  expect((await baton.handoff(urgent)).exceptions[0]).toMatchObject({ owner: 'dana', earlierOwners: ['omar'], acceptedAt: expect.any(String) });
  await baton.whenOrdered({ kind: 'sending.resume', by: 'dana', scope: { of: 'all' } });
});

story('E-04: a matter of safety has an owner of its own although the same customer has a request open, and in a category that nothing starts on', async (baton) => {
  const lead = { email: 'home@example.com', phone: '+15035557402', name: 'Bea Novak' };
  const first = await baton.givenSignal(aRoofInspection(lead));
  const urgent = await baton.givenSignal(aRoofInspection({ ...lead, category: 'roof-collapse', message: 'It came down.' }));

  expect((await baton.handoff(urgent)).exceptions.map((one) => one.class)).toEqual(['safety-urgent']);
  await baton.thenState(first, 'acceptance-requested');
  await baton.thenMessageTo('omar', { about: urgent });
});

story('E-04 D-02: a lead of somebody who asked for no contact: outreach to them is paused first, then a person is asked, and no seller is', async (baton) => {
  const phone = '+15035557403';
  const occurredAt = new Date(baton.runtime.now()).toISOString();
  await baton.whenSaid('baton.delivery', 'contact.opted-out', {
    announcement: { kind: 'contact.opted-out', source: 'sns', eventId: 'customer-stop', occurredAt, channel: 'sms', address: phone, because: 'keyword' },
  });
  const handoff = await baton.givenSignal(aRoofInspection({ email: 'again@example.com', phone, name: 'Cleo Park' }));

  const { exceptions, offers, contactRef, custodian } = await baton.handoff(handoff);
  expect([exceptions.map((one) => [one.class, one.because]), offers, custodian]).toEqual([[['prior-opt-out', 'had asked for no contact by sms']], [], 'dana']);
  expect(await dynamodbPauseBook(baton.table).pauses()).toContainEqual(expect.objectContaining({ scope: { of: 'contact', contactRef }, audience: 'customers', by: 'dana' }));
  const toDana = await baton.thenMessageTo('dana', { about: handoff });
  await baton.whenAnswered(toDana, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toDana, { action: 'assign', assignTo: 'sam' });
  await baton.thenMessageTo('sam', { about: handoff });
  const [opened] = await dynamodbHandoffStore(baton.table).receipts(handoff);
  expect(opened).toMatchObject({ kind: 'handoff.opened', optedOut: ['sms'] });
});

story('E-04 O-06: the answer to a question tells of danger: the seller’s offer is withdrawn at once, and its owner is told instead', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAnswered(asked, { action: 'ask-clarification', question: 'Is anything else wrong?' });
  const toIna = await baton.thenMessageTo('ina', { about: handoff, saying: 'anything else' });
  await baton.whenAnswered(toIna, { action: 'answer-question', answer: 'Yes: a live wire hangs into the kitchen.' });

  const { exceptions, offers, custodian } = await baton.handoff(handoff);
  expect([exceptions.map((one) => one.class), offers.map((one) => one.status), custodian]).toEqual([['safety-urgent'], ['withdrawn'], 'omar']);
  expect((await baton.thenMessageTo(primary, { about: handoff })).text).toMatch(LET_GO);
  expect((await baton.whenOpened(asked)).text).toMatch(/no longer with you|ya no está con usted/);
  const toOmar = await baton.thenMessageTo('omar', { about: handoff });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toOmar, { action: 'assign', assignTo: 'sam' });
  await baton.thenMessageTo('sam', { about: handoff });
  await baton.thenReceipts(handoff, [
    'handoff.opened',
    'candidates.resolved',
    'acceptance.requested',
    'clarification.asked',
    'clarification.answered',
    'offer.withdrawn',
    'exception.raised',
    'exception.accepted',
    'exception.resolved',
    'backup.requested',
  ]);
});

story(
  'E-04: a customer whose request is owned writes again and tells of danger: the owner is told, and its own owner has it at once; said twice, it is one exception',
  async (baton) => {
    const phone = '+15035557404';
    const handoff = await baton.givenSignal(aRoofInspection({ phone }));
    const [primary] = await baton.candidates(handoff);
    await baton.whenAccepted(await baton.thenMessageTo(primary, { about: handoff }));
    const at = new Date(baton.runtime.now()).toISOString();
    const reply = (eventId: string, words: string) =>
      baton.whenSaid('baton.intake', 'signal.received', {
        signal: {
          source: 'twilio',
          eventId,
          kind: 'customer.replied',
          occurredAt: at,
          receivedAt: at,
          contact: { phone },
          request: { words },
          location: {},
          consent: {},
          more: {},
        },
      });
    await reply('danger-1', 'Hay un olor raro: huele a gas.');
    expect(await baton.messagesTo('omar', handoff, 'email')).toHaveLength(1); // not also that there is more to know
    await reply('danger-2', 'Huele a gas, por favor.');
    await reply('danger-2', 'Huele a gas, por favor.');

    const { exceptions, ownership, custodian } = await baton.handoff(handoff);
    expect([exceptions.map((one) => one.class), ownership, custodian]).toEqual([['safety-urgent'], undefined, 'omar']);
    await baton.thenMessageTo('omar', { about: handoff });
    expect((await baton.messagesTo(primary, handoff, 'email')).at(-1)?.text).toMatch(LET_GO);
    await baton.thenReceipts(handoff, [
      'handoff.opened',
      'candidates.resolved',
      'acceptance.requested',
      'offer.accepted',
      'signal.linked',
      'ownership.ended',
      'exception.raised',
      'signal.linked',
    ]);
  },
);

story('E-04 E-03: the owner of an exception puts the category right, and it is one of danger: no seller is asked', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  const toOmar = await baton.thenMessageTo('omar', { about: handoff });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toOmar, { action: 'correct', postalCode: '97201', category: 'roof-collapse' });

  const { exceptions, offers } = await baton.handoff(handoff);
  expect([exceptions.map((one) => one.class), offers]).toEqual([['no-eligible-owner', 'safety-urgent'], []]);
  await baton.thenMessageTo('omar', { about: handoff, saying: 'cannot wait' });
});

story('E-04: danger after a confirmed visit, when no machine waits any more: its owner is told at once all the same, and silence still escalates', async (baton) => {
  const phone = '+15035557405';
  const handoff = await baton.givenSignal(aRoofInspection({ phone }));
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAccepted(asked);
  await baton.whenAnswered(asked, { action: 'confirm-next-step', evidence: 'visit', evidenceNote: 'Was there.' });
  await baton.thenState(handoff, 'next-step-confirmed');
  const at = new Date(baton.runtime.now()).toISOString();
  const said = { source: 'twilio', eventId: 'danger-late', kind: 'customer.replied', occurredAt: at, receivedAt: at, contact: { phone }, location: {}, consent: {}, more: {} };
  await baton.whenSaid('baton.intake', 'signal.received', { signal: { ...said, request: { words: 'A live wire fell down.' } } });

  await baton.thenMessageTo('omar', { about: handoff });
  await baton.fastForward({ minutes: 8 });
  await baton.thenMessageTo('dana', { about: handoff });
  expect((await baton.handoff(handoff)).exceptions).toMatchObject([{ class: 'safety-urgent', owner: 'dana', earlierOwners: ['omar'] }]);
  expect((await typed(baton, 'show', handoff)).text).toMatch(/^h-[0-9a-f]{32} {2}exception\n/);
});
