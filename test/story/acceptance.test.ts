import { expect } from 'vitest';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

story('O-01 L-04 L-05: the primary says yes to a next action and a due time, and the clock stops', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  await baton.thenState(handoff, 'acceptance-requested');
  expect((await baton.handoff(handoff)).custodian).toBe('ina');

  const [primary] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  const page = await baton.whenAccepted(toPrimary, { nextAction: 'call', dueIn: { hours: 3 } });

  expect(page.status).toBe(200);
  await baton.thenOwner(handoff, primary);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.accepted']);
  expect(await baton.workflow(handoff)).toBe('RUNNING');
});

story('L-07: confirming the next step ends the watch, and the machine with it', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAccepted(toPrimary);
  await baton.whenAnswered(toPrimary, { action: 'confirm-next-step', evidence: 'call', evidenceNote: 'Spoke for ten minutes.' });

  await baton.thenState(handoff, 'next-step-confirmed');
  expect(await baton.workflow(handoff)).toBe('SUCCEEDED');
});

story('O-02 O-07: the primary says no with a reason, the backup is asked and says yes', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAnswered(toPrimary, { action: 'reject', reason: 'no-capacity' });

  const toBackup = await baton.thenMessageTo(backup, { about: handoff });
  await baton.whenAccepted(toBackup);

  await baton.thenOwner(handoff, backup);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.rejected', 'backup.requested', 'offer.accepted']);
});

story('seed failure 1, O-07 L-09: silent primary, backup accepts, the late primary is told who owns it', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.fastForward({ minutes: 5 });
  const toBackup = await baton.thenMessageTo(backup, { about: handoff });
  await baton.whenAccepted(toBackup);

  const late = await baton.whenAccepted(toPrimary);

  expect(late.text).toContain(baton.person(backup).name);
  await baton.thenOwner(handoff, backup);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.reminded', 'offer.timed-out', 'backup.requested', 'offer.accepted']);
});

story('L-09 CC-08: a late yes while nobody else said yes wins, and the open offer is superseded', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.fastForward({ minutes: 5 });
  const toBackup = await baton.thenMessageTo(backup, { about: handoff });

  await baton.whenAccepted(toPrimary);

  await baton.thenOwner(handoff, primary);
  const told = await baton.whenAccepted(toBackup);
  expect(told.text).toContain(baton.person(primary).name);
  await baton.thenReceipts(handoff, [
    'handoff.opened',
    'candidates.resolved',
    'acceptance.requested',
    'offer.reminded',
    'offer.timed-out',
    'backup.requested',
    'offer.accepted',
    'offer.superseded',
  ]);
});

story('D-01: a seller marks a duplicate; its reviewer is asked and nothing is discarded', async (baton) => {
  const first = await baton.givenSignal(aRoofInspection());
  const second = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(second);
  const message = await baton.thenMessageTo(primary, { about: second });
  await baton.whenAnswered(message, { action: 'mark-duplicate', duplicateOf: first });

  await baton.thenState(second, 'exception');
  const { exceptions, custodian } = await baton.handoff(second);
  expect(exceptions.map((one) => [one.class, one.owner])).toEqual([['possible-duplicate', 'ina']]);
  expect(custodian).toBe('ina');
});

story('LK-15 LK-23 DB-01: the same yes again, also twenty times at once, is the same answer and one receipt', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const message = await baton.thenMessageTo(primary, { about: handoff });
  const pages = await Promise.all(Array.from({ length: 20 }, () => baton.whenAccepted(message)));

  expect(pages.map((page) => page.status)).toEqual(Array.from({ length: 20 }, () => 200));
  const { offers } = await baton.handoff(handoff);
  expect(offers.filter((offer) => offer.status === 'accepted')).toHaveLength(1);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.accepted']);
});

story('X-02 X-05 L-04: the CRM says won before anybody said yes: an observation in its name, nobody owns anything by it, and the yes comes as ever', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const won = { kind: 'outcome.recorded', handoffId: handoff, system: 'crm', result: 'won' };
  await baton.whenOrdered(won);
  await baton.whenOrdered(won);
  await baton.thenState(handoff, 'acceptance-requested');
  expect(await baton.handoff(handoff)).toMatchObject({ custodian: 'ina', recorded: { system: 'crm', result: 'won' } });
  expect((await baton.handoff(handoff)).ownership).toBeUndefined();

  await baton.whenAccepted(await baton.thenMessageTo(primary, { about: handoff }));
  await baton.thenOwner(handoff, primary);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'outcome.recorded', 'offer.accepted']);
});
