import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPauseBook } from '../../shared/adapters/dynamodb-pause-book.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

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
