import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

story('E-01 E-02: everyone stays silent, the named exception owner accepts with a receipt and takes it', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  await baton.fastForward({ minutes: 10 });

  await baton.thenState(handoff, 'exception');
  expect((await baton.handoff(handoff)).custodian).toBe('omar');
  const toOmar = await baton.thenMessageTo('omar', { about: handoff });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toOmar, { action: 'take', nextAction: 'call', dueChoice: 'other', due: baton.localTime(toOmar, { hours: 2 }) });

  await baton.thenOwner(handoff, 'omar');
  await baton.thenReceipts(handoff, [
    'handoff.opened',
    'candidates.resolved',
    'acceptance.requested',
    'offer.reminded',
    'offer.timed-out',
    'backup.requested',
    'offer.reminded',
    'offer.timed-out',
    'exception.raised',
    'exception.accepted',
    'exception.resolved',
    'offer.accepted',
  ]);
});

story('E-02: a silent exception owner loses the ownership to the next named person, who is asked', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  await baton.fastForward({ minutes: 10 });
  await baton.thenMessageTo('omar', { about: handoff });
  await baton.fastForward({ minutes: 30 });

  const toDana = await baton.thenMessageTo('dana', { about: handoff });
  expect((await baton.handoff(handoff)).custodian).toBe('dana');
  await baton.whenAnswered(toDana, { action: 'accept-exception', confirm: 'yes' });
  expect((await baton.handoff(handoff)).exceptions[0]).toMatchObject({ owner: 'dana', earlierOwners: ['omar'], acceptedAt: expect.any(String) });
});

story('E-03 P-03: an exception owner puts the postal code right, and the seller who serves that place is asked', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  const toOmar = await baton.thenMessageTo('omar', { about: handoff });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toOmar, { action: 'correct', postalCode: '97201' });

  await baton.thenState(handoff, 'acceptance-requested');
  const [primary] = await baton.candidates(handoff);
  await baton.whenAccepted(await baton.thenMessageTo(primary, { about: handoff }));
  await baton.thenOwner(handoff, primary);
  const loaded = await dynamodbHandoffStore(baton.table).load(handoff);
  expect(loaded?.packet).toMatchObject({ version: 2, location: { postalCode: '97201' }, alsoStated: [{ path: 'location.postalCode', value: '10001', system: 'website' }] });
  expect(loaded?.packet.sources.at(-1)).toMatchObject({ system: 'staff', kind: 'facts.corrected' });
});

story('E-03: an exception owner assigns a named person, who is asked, not told', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  const toOmar = await baton.thenMessageTo('omar', { about: handoff });
  await baton.whenAnswered(toOmar, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toOmar, { action: 'assign', assignTo: 'sam' });

  await baton.thenState(handoff, 'acceptance-requested');
  const toSam = await baton.thenMessageTo('sam', { about: handoff });
  await baton.whenAccepted(toSam);
  await baton.thenOwner(handoff, 'sam');
});

story('R-04: nobody serves the postal code, so a named person is asked at once and nobody is invented', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));

  const { exceptions, candidates, offers } = await baton.handoff(handoff);
  expect(candidates).toEqual([]);
  expect(offers).toEqual([]);
  expect(exceptions.map((one) => one.class)).toEqual(['no-eligible-owner']);
  await baton.thenMessageTo('omar', { about: handoff });
});

story('E-01: a signal without a required fact goes to the person who can find it', async (baton) => {
  const handoff = await baton.givenSignal({ name: 'Ada', email: 'ada@example.com', message: 'Leak', category: 'roof-repair' });
  const { exceptions } = await baton.handoff(handoff);
  expect(exceptions.map((one) => [one.class, one.owner, one.because])).toEqual([['missing-context', 'ina', 'missing: location.postalCode']]);
});

story('L-07: the due time passes without evidence: reminded, then raised to a named person', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [to] = await baton.candidates(handoff);
  const message = await baton.thenMessageTo(to, { about: handoff });
  await baton.whenAccepted(message, { dueIn: { hours: 3 } });
  await baton.thenMessageTo(to, { about: handoff });

  await baton.fastForward({ hours: 3 });
  expect((await baton.handoff(handoff)).overdue).toBeDefined();
  await baton.thenMessageTo(to, { about: handoff });

  await baton.fastForward({ hours: 2 });
  await baton.thenState(handoff, 'exception');
  expect((await baton.handoff(handoff)).custodian).toBe('omar');
});
