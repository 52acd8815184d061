import { expect } from 'vitest';
import { typed } from '../support/command-line.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

story('CC-07 L-08: reassigned while links are live: every old link is dead at once, the new seller is asked, and the old link says from then on who owns it', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenOrdered({ kind: 'handoff.reassign', handoffId: handoff, by: 'ina', to: backup, why: 'knows the house' });

  await baton.whenAccepted(toPrimary);
  await baton.thenState(handoff, 'backup-requested');
  await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAccepted(await baton.thenMessageTo(backup, { about: handoff }));
  await baton.thenOwner(handoff, backup);
  const late = await baton.whenAccepted(toPrimary);
  expect(late.text).toContain(baton.person(backup).name);
  expect((await baton.whenOpened(toPrimary)).text).toContain(baton.person(backup).name);
  await baton.thenOwner(handoff, backup);
  await baton.thenReceipts(handoff, [
    'handoff.opened',
    'candidates.resolved',
    'acceptance.requested',
    'offer.withdrawn',
    'handoff.reassigned',
    'backup.requested',
    'offer.accepted',
  ]);
});

story('L-08: an owner drops out, and what they accepted goes through acceptance again; nobody asks them meanwhile', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  await baton.whenAccepted(await baton.thenMessageTo(primary, { about: handoff }));
  const at = (minutes: number) => new Date(baton.runtime.now() + minutes * 60_000).toISOString();
  await baton.whenOrdered({ kind: 'person.unavailable', person: primary, from: at(0), until: at(3) });

  await baton.thenState(handoff, 'backup-requested');
  expect((await baton.handoff(handoff)).custodian).toBe('ina');
  const second = await baton.givenSignal(aRoofInspection());
  expect((await baton.handoff(second)).candidates.map((one) => one.person)).toEqual([backup]);
  await baton.whenAccepted(await baton.thenMessageTo(backup, { about: handoff }));
  await baton.thenOwner(handoff, backup);
  await baton.fastForward({ minutes: 5 });
});

story('E-02 L-08: two exception owners in a row are unavailable; the third answers, and the history goes along', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  const at = (minutes: number) => new Date(baton.runtime.now() + minutes * 60_000).toISOString();
  for (const person of ['omar', 'dana']) await baton.whenOrdered({ kind: 'person.unavailable', person, from: at(0), until: at(20) });

  const { exceptions, custodian } = await baton.handoff(handoff);
  expect(exceptions).toMatchObject([{ owner: 'ina', earlierOwners: ['omar', 'dana'] }]);
  expect(custodian).toBe('ina');
  await baton.whenAnswered(await baton.thenMessageTo('ina', { about: handoff }), { action: 'accept-exception', confirm: 'yes' });
  const other = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  expect((await baton.handoff(other)).exceptions).toMatchObject([{ owner: 'ina', earlierOwners: [] }]);
  await baton.fastForward({ minutes: 21 });
});

story('O-08 MS-02: no channel of the primary takes messages, so the next person is asked at once instead of waiting out the window', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [, backup] = await baton.candidates(handoff);
  const failed = (channel: 'email' | 'sms') =>
    baton.whenSaid('baton.delivery', 'offer.undeliverable', {
      handoffId: handoff,
      effect: `acceptance.requested:3:${channel}`,
      channel,
      state: 'bounced',
      occurredAt: new Date(baton.runtime.now()).toISOString(),
    });
  await failed('email');
  await baton.thenState(handoff, 'acceptance-requested');
  await failed('sms');

  await baton.thenState(handoff, 'backup-requested');
  await baton.whenAccepted(await baton.thenMessageTo(backup, { about: handoff }));
  await baton.thenOwner(handoff, backup);
});

story('seed failure 2, L-09: the primary says no after the backup said yes, and is told who owns it', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.fastForward({ minutes: 5 });
  await baton.whenAccepted(await baton.thenMessageTo(backup, { about: handoff }));
  const told = await baton.whenAnswered(toPrimary, { action: 'reject', reason: 'no-capacity' });

  expect(told.text).toContain(baton.person(backup).name);
  await baton.thenOwner(handoff, backup);
});

story('seed failure 11, L-04: the message is delivered and never opened; delivery proves nothing, and the next person is asked in time', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  await baton.thenMessageTo(primary, { about: handoff });
  await baton.fastForward({ minutes: 4 });
  await baton.thenState(handoff, 'acceptance-requested');
  await baton.fastForward({ minutes: 1 });
  await baton.thenState(handoff, 'backup-requested');
});

story('A-01 A-02 A-03: a generator drafts, and tries to accept; the draft stands apart, the rest is a receipt of refusal', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const origin = { handoffId: handoff, generatorId: 'draft-bot' };
  await baton.whenSaid('baton.ai', 'packet.prepared', { ...origin, eventId: 'g-1', generatorVersion: '3', draft: 'We can come on Tuesday.' });
  await baton.whenSaid('baton.ai', 'offer.accepted', { ...origin, eventId: 'g-2', by: primary });

  const asked = await baton.thenMessageTo(primary, { about: handoff });
  expect((await baton.whenOpened(asked)).text).toContain('We can come on Tuesday.');
  await baton.thenState(handoff, 'acceptance-requested');
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'packet.prepared', 'ai.refused']);
  await baton.whenAccepted(asked);
  await baton.thenOwner(handoff, primary);
});

story('L-10: a person takes over; the flag stands, generators step aside, and it is no acceptance', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  await baton.whenOrdered({ kind: 'human.takeover', handoffId: handoff, person: 'sam' });
  const { takenOver, custodian, state } = await baton.handoff(handoff);
  expect({ person: takenOver?.person, custodian, state }).toEqual({ person: 'sam', custodian: 'ina', state: 'acceptance-requested' });
  await baton.whenSaid('baton.ai', 'packet.prepared', { handoffId: handoff, generatorId: 'draft-bot', eventId: 'g-1', generatorVersion: '3', draft: 'We can come on Tuesday.' });
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'human.takeover', 'ai.refused']);
});

story('D-05 OP-09: while sending is paused nothing goes out, clocks and answers go on; afterwards what is still wanted is sent', async (baton) => {
  await baton.whenOrdered({ kind: 'sending.pause', by: 'dana', scope: { of: 'all' }, audience: 'everyone' });
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  await baton.thenNoMessageTo(primary, handoff);
  await baton.fastForward({ minutes: 5 });
  await baton.thenState(handoff, 'backup-requested');
  await baton.thenNoMessageTo(backup, handoff);
  await baton.whenOrdered({ kind: 'sending.resume', by: 'dana', scope: { of: 'all' } });
  await baton.fastForward({ minutes: 4 });

  await baton.thenNoMessageTo(primary, handoff);
});

story('L-08 E-02: an order that names a handoff or a person who does not exist is told in one sentence, and nothing is ordered', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const nobody = await typed(baton, 'reassign', handoff, '--by', 'ina', '--to', 'rose');
  expect(nobody).toEqual({ status: 2, text: 'baton reassign: nobody on the roster is called "rose"; it knows ina, omar, dana, rosa, sam.' });
  const nothing = await typed(baton, 'withdraw', `h-${'0'.repeat(32)}`, '--by', 'ina');
  expect(nothing).toEqual({ status: 2, text: `baton withdraw: there is no handoff h-${'0'.repeat(32)}.` });
  await baton.runtime.idle();
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested']);

  expect((await typed(baton, 'reassign', handoff, '--by', 'ina', '--to', 'omar')).status).toBe(0);
  await baton.runtime.idle();
  await baton.thenMessageTo('omar', { about: handoff });
});
