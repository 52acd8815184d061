import { expect } from 'vitest';
import { claimsAbout } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { contractVersion, rosterVersion } from '../../shared/contracts/policy-version.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { localParts, plusDays } from '../../shared/domain/local-time.ts';
import type { AnswerWindow, Calendar } from '../../shared/domain/policy.ts';
import { aRoofInspection } from '../support/leads.ts';
import { readMailbox } from '../support/mailbox.ts';
import { type Baton, story } from '../support/story.ts';

const ZONE = 'America/Los_Angeles';
const FIVE_MINUTES = 300_000;

/** The sample business on a day on which it opens in a quarter of an hour, with sellers who keep its hours. Answers with the opening. */
async function openSoon(baton: Baton): Promise<number> {
  const opening = Math.ceil((baton.runtime.now() + 3 * FIVE_MINUTES) / FIVE_MINUTES) * FIVE_MINUTES;
  const { date, time } = localParts(new Date(opening).toISOString(), ZONE);
  await keepHours(baton, ZONE, { [date]: [{ from: time, to: '24:00' }], [plusDays(date, 1)]: [{ from: '00:00', to: '24:00' }] });
  return opening;
}

/** The sample business, open at these hours of these dates and never else, with sellers who are on duty then. */
async function keepHours(baton: Baton, zone: string, specialHours: NonNullable<Calendar['specialHours']>, windows: readonly AnswerWindow[] = []): Promise<void> {
  const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
  const office: Calendar = { name: 'portland-sales', zone, weekly: closed, closedOn: [], specialHours };
  const { contracts, roster, calendars } = baton.policy;
  const hours = [office, ...calendars.filter((one) => one.name !== office.name)];
  const people = roster.people.map((person) => (person.roles.includes('seller') ? { ...person, calendar: office.name } : person));
  const changed = contracts.map((contract) => ({
    ...contract,
    hours,
    ...(windows.length > 0 && { windows }),
    closedHours: { startsAt: 'next-opening', tellCustomer: 'we-answer-when-we-open' } as const,
  }));
  await publish(baton, {
    contracts: changed.map(({ version: _, ...contract }) => ({ ...contract, version: contractVersion(contract, hours) })),
    roster: { version: rosterVersion(people), people },
    calendars: hours,
  });
}

const publish = (baton: Baton, policy: Baton['policy']) => dynamodbPolicyPress(baton.table).publish(policy, 'dana', new Date(baton.runtime.now()).toISOString());

const until = (baton: Baton, instant: number) => baton.fastForward({ seconds: (instant - baton.runtime.now()) / 1000 });

story('C-07 C-08: a lead while closed is asked at once, may be answered until five minutes after the opening, and both clocks are kept', async (baton) => {
  const opening = await openSoon(baton);
  const handoff = await baton.givenSignal(aRoofInspection());
  await publish(baton, baton.policy); // the handoff stays on its version, and other stories find theirs
  const [primary, backup] = await baton.candidates(handoff);
  const request = await baton.thenMessageTo(primary, { about: handoff });
  const [opened, , asked] = await dynamodbHandoffStore(baton.table).receipts(handoff);
  expect(opened).toMatchObject({ kind: 'handoff.opened', closed: { opensAt: new Date(opening).toISOString(), tellCustomer: 'we-answer-when-we-open' } });
  expect(asked).toMatchObject({ kind: 'acceptance.requested', startsAt: new Date(opening).toISOString(), deadlineAt: new Date(opening + FIVE_MINUTES).toISOString() });

  await until(baton, opening + 120_000);
  await baton.thenState(handoff, 'acceptance-requested');
  await baton.thenNoMessageTo(backup, handoff);

  await baton.whenAccepted(request);
  await baton.thenOwner(handoff, primary);
  const yes = (await dynamodbHandoffStore(baton.table).receipts(handoff)).find((one) => one.kind === 'offer.accepted');
  const { wallSeconds = 0, businessSeconds = 0, calendar } = yes?.clock ?? {};
  expect(calendar).toBe('portland-sales');
  expect(businessSeconds).toBeGreaterThanOrEqual(120);
  expect(businessSeconds).toBeLessThan(300);
  expect(wallSeconds - businessSeconds).toBeGreaterThan(14 * 60);
});

story('C-08 L-04: an out-of-hours auto-reply goes to the customer once, and does not stop the clock', async (baton) => {
  const opening = await openSoon(baton);
  const lead = aRoofInspection();
  const handoff = await baton.givenSignal(lead);
  await publish(baton, baton.policy);
  const replies = async () => (await readMailbox(baton.runtime.urls.mailbox)).filter(({ to }) => to === lead.email);
  expect(await replies()).toMatchObject([{ channel: 'email', subject: 'We have your request' }]);
  const told = await claimsAbout(baton.table, handoff, await dynamodbHandoffStore(baton.table).receipts(handoff));
  expect(told.map(({ effect }) => effect)).toContain('customer.told:1:email');
  await baton.thenState(handoff, 'acceptance-requested');
  const [, backup] = await baton.candidates(handoff);
  await until(baton, opening + FIVE_MINUTES + 2000);

  await baton.thenState(handoff, 'backup-requested');
  await baton.whenAccepted(await baton.thenMessageTo(backup, { about: handoff }));
  const yes = (await dynamodbHandoffStore(baton.table).receipts(handoff)).find((one) => one.kind === 'offer.accepted');
  expect(yes?.clock?.wallSeconds).toBeGreaterThan(15 * 60);
  expect(yes?.clock?.businessSeconds).toBeGreaterThanOrEqual(300);
  expect(await replies()).toHaveLength(1);
});

story('C-08: nobody answers while closed: the backup is asked five minutes after the opening, with five minutes of their own', async (baton) => {
  const opening = await openSoon(baton);
  const handoff = await baton.givenSignal(aRoofInspection());
  await publish(baton, baton.policy);
  const [, backup] = await baton.candidates(handoff);
  await until(baton, opening + FIVE_MINUTES + 2000);

  await baton.thenState(handoff, 'backup-requested');
  await baton.thenMessageTo(backup, { about: handoff });
  const { offers } = await baton.handoff(handoff);
  expect(Date.parse(offers[1]?.deadlineAt ?? '') - Date.parse(offers[1]?.requestedAt ?? '')).toBe(FIVE_MINUTES);
});

story('C-07 C-08 TM-14: a lead at 14:00 on a day on which the business is closed waits until it opens the next morning, not until 14:00', async (baton) => {
  const hour = new Date(baton.runtime.now()).getUTCHours();
  const zone = hour === 13 ? 'Etc/GMT' : `Etc/GMT${hour > 13 ? '+' : '-'}${Math.abs(hour - 13)}`; // where it is past one in the afternoon
  const local = () => localParts(new Date(baton.runtime.now()).toISOString(), zone);
  const today = local().date;
  const fourteen = Math.ceil(baton.runtime.now() / 3_600_000) * 3_600_000;
  await keepHours(baton, zone, { [plusDays(today, 1)]: [{ from: '08:00', to: '17:00' }] });
  await until(baton, fourteen);
  expect(local()).toMatchObject({ date: today, time: '14:00' });
  const handoff = await baton.givenSignal(aRoofInspection());
  await publish(baton, baton.policy);

  const opening = fourteen + 18 * 3_600_000;
  const [opened, , asked] = await dynamodbHandoffStore(baton.table).receipts(handoff);
  expect(opened).toMatchObject({ closed: { opensAt: new Date(opening).toISOString() } });
  expect(asked).toMatchObject({ kind: 'acceptance.requested', startsAt: new Date(opening).toISOString(), deadlineAt: new Date(opening + FIVE_MINUTES).toISOString() });
  const [primary, backup] = await baton.candidates(handoff);
  await baton.thenMessageTo(primary, { about: handoff });

  await until(baton, opening - 10_000);
  expect(await baton.messagesTo(primary, handoff, 'email')).toHaveLength(1); // no reminder in the night
  await baton.thenNoMessageTo(backup, handoff);
  await baton.thenState(handoff, 'acceptance-requested');
  expect((await baton.handoff(handoff)).custodian).toBe('ina');

  await until(baton, opening + FIVE_MINUTES);
  await baton.thenState(handoff, 'backup-requested');
  await baton.whenAccepted(await baton.thenMessageTo(backup, { about: handoff }));
  const yes = (await dynamodbHandoffStore(baton.table).receipts(handoff)).find((one) => one.kind === 'offer.accepted');
  expect(yes?.clock?.wallSeconds).toBeGreaterThan(18 * 3600);
  expect(yes?.clock?.businessSeconds).toBeLessThan(600);
});

/** The hours of one day that the business closes at and opens again at, by the dates they fall on. */
function closedBetween(close: number, open: number): NonNullable<Calendar['specialHours']> {
  const [shut, again] = [close, open].map((instant) => localParts(new Date(instant).toISOString(), ZONE)) as [ReturnType<typeof localParts>, ReturnType<typeof localParts>];
  const until = { from: '00:00', to: shut.time };
  const since = { from: again.time, to: '24:00' };
  return shut.date === again.date ? { [shut.date]: [until, since] } : { [shut.date]: [until], [again.date]: [since] };
}

story(
  'C-06 C-07 O-07: the time to answer follows signal, channel, product and urgency; the rule that names most counts, and a window in business time stands still while closed',
  async (baton) => {
    const close = Math.ceil((baton.runtime.now() + FIVE_MINUTES) / FIVE_MINUTES) * FIVE_MINUTES;
    const open = close + 2 * 3_600_000;
    const calendar = 'portland-sales';
    await keepHours(baton, ZONE, closedBetween(close, open), [
      { when: { signal: ['form.submitted'] }, window: { seconds: 900, calendar } },
      { when: { signal: ['form.submitted'], product: ['roof-repair'] }, window: { seconds: 180, calendar }, warnAt: { seconds: 60, calendar } },
      { when: { signal: ['form.submitted'], product: ['roof-repair'], urgency: ['today'] }, window: { seconds: 60 } },
      { when: { channel: ['twilio'] }, window: { seconds: 120 } },
    ]);
    const byForm = await baton.givenSignal(aRoofInspection());
    const repair = await baton.givenSignal(aRoofInspection({ category: 'roof-repair', timing: 'next month' }));
    const today = await baton.givenSignal(aRoofInspection({ category: 'roof-repair', timing: ' TODAY ' }));
    const at = new Date(baton.runtime.now()).toISOString();
    const text = { source: 'twilio', eventId: `text-${at}`, kind: 'message.received', occurredAt: at, receivedAt: at, consent: {}, more: {} };
    const person = {
      contact: { name: 'Tess Quill', phone: '+15035557501' },
      request: { words: 'Today please.', category: 'roof-repair', timing: 'today' },
      location: { postalCode: '97201' },
    };
    await baton.whenSaid('baton.intake', 'signal.received', { signal: { ...text, ...person } });
    const byText = signalDigest.handoffId(text);
    await publish(baton, baton.policy);

    const asked = async (handoff: HandoffId, number = 0) => {
      const log = await dynamodbHandoffStore(baton.table).receipts(handoff);
      const request = log.flatMap((one) => (one.kind === 'acceptance.requested' || one.kind === 'backup.requested' ? [one] : []))[number];
      if (request === undefined) throw new Error(`nobody was asked about ${handoff}`);
      const { at: since, deadlineAt, rule } = request;
      return { seconds: (Date.parse(deadlineAt) - Date.parse(since)) / 1000, rule: rule.split('answer by ')[1], since: Date.parse(since), deadline: Date.parse(deadlineAt) };
    };
    const form = await asked(byForm);
    expect(form).toMatchObject({ rule: 'signal form.submitted', deadline: open + 900_000 - (close - form.since) });
    expect(await asked(repair)).toMatchObject({ rule: 'signal form.submitted, product roof-repair', seconds: 180 });
    expect(await asked(today)).toMatchObject({ rule: 'signal form.submitted, product roof-repair, urgency today', seconds: 60 });
    expect(await asked(byText)).toMatchObject({ rule: 'channel twilio', seconds: 120 });

    await baton.fastForward({ seconds: 62 });
    await baton.thenState(today, 'backup-requested');
    expect(await asked(today, 1)).toMatchObject({ rule: 'signal form.submitted, product roof-repair, urgency today', seconds: 60 });
    expect((await baton.handoff(repair)).offers[0]?.remindedAt).toBeDefined();
    await baton.thenState(byText, 'acceptance-requested');
    await baton.fastForward({ seconds: 60 });
    await baton.thenState(byText, 'backup-requested');
    await baton.thenState(repair, 'acceptance-requested');
    await baton.fastForward({ seconds: 60 });
    await baton.thenState(repair, 'backup-requested');

    const [, backup] = await baton.candidates(byForm);
    await until(baton, open + 30_000);
    await baton.thenState(byForm, 'acceptance-requested'); // two hours went by, and none of them counts
    await baton.thenNoMessageTo(backup, byForm);
    await until(baton, form.deadline);
    await baton.thenState(byForm, 'backup-requested');
    await baton.whenAccepted(await baton.thenMessageTo(backup, { about: byForm }));
    await baton.thenOwner(byForm, backup);
  },
);
