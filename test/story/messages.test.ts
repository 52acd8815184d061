import { expect } from 'vitest';
import { dynamodbClaimBook } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { contractVersion, rosterVersion } from '../../shared/contracts/policy-version.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { AskStep, MessagesPerHour, Person } from '../../shared/domain/policy.ts';
import { aRoofInspection } from '../support/leads.ts';
import { type Message, readMailbox } from '../support/mailbox.ts';
import { type Baton, story } from '../support/story.ts';

/** The sample business with these steps of asking and these limits; the sample itself is in force again afterwards, for what comes later. */
async function withLimits(baton: Baton, limits: Readonly<Record<string, MessagesPerHour>>, ask: readonly AskStep[] | undefined, tell: () => Promise<void>): Promise<void> {
  const { contracts, roster, calendars } = baton.policy;
  const people = roster.people.map((person): Person => ({ ...person, ...(limits[person.id] !== undefined && { messagesPerHour: limits[person.id] as MessagesPerHour }) }));
  const changed = contracts.map(({ version: _, ...contract }) => ({ ...contract, ...(ask !== undefined && { ask }) }));
  const publish = (policy: Baton['policy']) => dynamodbPolicyPress(baton.table).publish(policy, 'dana', new Date(baton.runtime.now()).toISOString());
  await publish({
    contracts: changed.map((contract) => ({ ...contract, version: contractVersion(contract, calendars) })),
    roster: { version: rosterVersion(people), people },
    calendars,
  });
  try {
    await tell();
  } finally {
    await publish(baton.policy);
  }
}

/** Everything a person was sent on a channel since an instant, oldest first. */
async function sentTo(baton: Baton, person: string, channel: 'email' | 'sms', since: number): Promise<Message[]> {
  const address = channel === 'email' ? baton.person(person).email : baton.person(person).sms;
  const all = (await readMailbox(baton.runtime.urls.mailbox)).filter((one) => one.channel === channel && one.to === address && Date.parse(one.sentAt) >= since);
  return all.sort((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt));
}

const linksOf = ({ links }: Message) => links.filter((one) => new URL(one).pathname.startsWith('/a/'));

story(
  'O-09: twelve leads in an hour reach one seller in four messages an hour, bundled; every link works and no clock waits for it',
  async (baton) => {
    const toRosa: AskStep = {
      role: 'seller',
      order: 'fixed',
      people: baton.policy.roster.people.filter(({ id }) => id === 'rosa').map(({ id }) => id),
      window: { seconds: 3 * 3600 },
    };
    await withLimits(baton, { rosa: { email: 4, sms: 4 } }, [toRosa], async () => {
      const start = baton.runtime.now();
      const leads: HandoffId[] = [];
      for (let index = 0; index < 12; index++) {
        leads.push(await baton.givenSignal(aRoofInspection({ email: `lead-${index}@example.com`, phone: `+1503555${String(7000 + index)}` })));
        await baton.fastForward({ minutes: 4 });
      }
      expect(await sentTo(baton, 'rosa', 'email', start)).toHaveLength(4);
      const held = await dynamodbClaimBook(baton.table).find(leads[4] as HandoffId, 'acceptance.requested:3:email');
      expect(held).toMatchObject({ held: expect.stringMatching(/^limit of 4 an hour by email; the next place is free /) });
      for (const lead of leads) expect((await baton.handoff(lead)).offers).toMatchObject([{ to: 'rosa', status: 'pending' }]);

      await baton.fastForward({ minutes: 40 });
      const mails = await sentTo(baton, 'rosa', 'email', start);
      const texts = await sentTo(baton, 'rosa', 'sms', start);
      expect(mails.map((mail) => linksOf(mail).length)).toEqual([1, 1, 1, 1, 8]);
      expect(texts.flatMap(linksOf)).toHaveLength(12);
      for (const sent of [mails, texts]) {
        const times = sent.map(({ sentAt }) => Date.parse(sentAt));
        for (const time of times) expect(times.filter((one) => one >= time && one < time + 3_600_000).length).toBeLessThanOrEqual(4);
      }

      const [bundle] = mails.slice(-1);
      for (const link of linksOf(bundle as Message).slice(0, 2)) expect((await baton.whenAccepted({ to: baton.person('rosa').email ?? '', links: [link] })).status).toBe(200);
      const taken = await Promise.all(leads.map(async (lead) => (await baton.handoff(lead)).ownership?.owner));
      expect(taken.filter((owner) => owner === 'rosa')).toHaveLength(2);
      const last = leads[11] as HandoffId;
      const { offers } = await baton.handoff(last);
      expect(Date.parse(offers[0]?.deadlineAt ?? '') - Date.parse(offers[0]?.requestedAt ?? '')).toBe(3 * 3_600_000);
      const claims = await Promise.all(leads.slice(4).map((lead) => dynamodbClaimBook(baton.table).find(lead, 'acceptance.requested:3:email')));
      expect(claims.map((claim) => claim?.result)).toEqual(Array(8).fill('sent'));
      // Whichever of the eight finds the free place first carries the other seven.
      expect(new Set(claims.map((claim) => /^in one message with (h-\w+)/.exec(claim?.held ?? '')?.[1])).size).toBe(2);
      expect(claims.filter((claim) => claim?.held?.startsWith('in one message with h-'))).toHaveLength(7);
    });
  },
  300,
);

story('O-09 O-08: an offer that no channel has room for in time is not held in silence: the next person is asked at once, and the log says why', async (baton) => {
  await baton.fastForward({ hours: 1 }); // the hours of earlier stories are over
  await withLimits(baton, { rosa: { email: 1, sms: 1 }, sam: { email: 1, sms: 1 } }, undefined, async () => {
    const first = await baton.givenSignal(aRoofInspection());
    const [primary, backup] = await baton.candidates(first);
    await baton.thenMessageTo(primary, { about: first });
    const second = await baton.givenSignal(aRoofInspection({ email: 'second@example.com', phone: '+15035557101' }));
    await baton.thenMessageTo(backup, { about: second });
    const third = await baton.givenSignal(aRoofInspection({ email: 'third@example.com', phone: '+15035557102' }));
    const receipts = await dynamodbHandoffStore(baton.table).receipts(third);
    expect(receipts.filter((one) => one.kind === 'delivery.failed').map((one) => one.reason)).toEqual(['limit', 'limit', 'limit', 'limit']);
    expect(receipts.map((one) => one.kind).slice(-1)).toEqual(['exception.raised']);
    await baton.thenMessageTo('omar', { about: third });
  });
});

story('O-09 E-02: no limit holds an exception or an escalation', async (baton) => {
  await withLimits(baton, { omar: { email: 1, sms: 1 }, dana: { email: 1, sms: 1 } }, undefined, async () => {
    const stuck: HandoffId[] = [];
    for (const place of ['10001', '10002', '10003'])
      stuck.push(await baton.givenSignal(aRoofInspection({ postal_code: place, email: `${place}@example.com`, phone: `+150355572${place.slice(-2)}` })));
    for (const one of stuck) await baton.thenMessageTo('omar', { about: one });
    await baton.fastForward({ minutes: 30 });
    for (const one of stuck) await baton.thenMessageTo('dana', { about: one });
  });
});

story('MS-14 O-08: STOP by text and a hard bounce of the mail: whoever cannot be reached is passed over at once, with the reason in the log', async (baton) => {
  const before = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(before);
  const { email = '', sms = '' } = baton.person(primary);
  const now = new Date(baton.runtime.now()).toISOString();
  const gone = (channel: 'email' | 'sms', address: string, because: string) =>
    baton.whenSaid('baton.delivery', 'contact.opted-out', {
      announcement: { kind: 'contact.opted-out', source: 'sns', eventId: `gone-${channel}`, occurredAt: now, channel, address, because },
    });
  await gone('sms', sms, 'keyword');
  await gone('email', email, 'hard-bounce');

  const ask: AskStep = { role: 'seller', order: 'fixed', people: [primary, backup].map((id) => baton.person(id).id), window: { seconds: 300 } };
  await withLimits(baton, {}, [ask], async () => {
    const handoff = await baton.givenSignal(aRoofInspection({ email: 'late@example.com', phone: '+15035557301' }));
    const { offers } = await baton.handoff(handoff);
    expect(offers.map(({ to, status }) => [to, status])).toEqual([
      [primary, 'undeliverable'],
      [backup, 'pending'],
    ]);
    expect(Date.parse(offers[1]?.requestedAt ?? '') - Date.parse(offers[0]?.requestedAt ?? '')).toBeLessThan(60_000);
    const failed = (await dynamodbHandoffStore(baton.table).receipts(handoff)).filter((one) => one.kind === 'delivery.failed');
    expect(failed.map(({ channel, reason }) => [channel, reason]).sort()).toEqual([
      ['email', 'shut'],
      ['sms', 'shut'],
    ]);
    await baton.thenMessageTo(backup, { about: handoff });
  });
});
