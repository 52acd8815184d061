// What comes later about something that is known: recordings, answers, meetings. Any order, any number of times.

import { describe, expect, test } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { type Booking, withBooking } from '../../shared/domain/bookings.ts';
import { followUp } from '../../shared/domain/follow-up.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { calcom } from '../../shared/sources/calcom.ts';
import { calendly } from '../../shared/sources/calendly.ts';
import { aContract, aPacket, aPolicy, later, NOW } from '../support/builders.ts';
import { memoryContactBooks, memoryMatchBook } from '../support/memory-books.ts';
import { memoryHandoffStore } from '../support/memory-handoff-store.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { memoryPolicyBook } from '../support/memory-policy-book.ts';
import { memorySignalLog } from '../support/memory-report-sources.ts';
import { memoryTable } from '../support/memory-table.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';

const PHONE = '+15035550101';
const bare = { occurredAt: NOW, receivedAt: NOW, contact: { phone: PHONE }, request: {}, location: {}, consent: {}, more: {} };
const missed: Signal = { ...bare, source: 'twilio', eventId: 'CA1:dial:no-answer', kind: 'call.missed', threads: ['call:CA1'], more: { CallStatus: 'completed' } };
const voicemail: Signal = {
  ...bare,
  source: 'twilio',
  eventId: 'RE1:action',
  kind: 'voicemail.left',
  occurredAt: later(NOW, 20),
  receivedAt: later(NOW, 40),
  threads: ['call:CA1'],
  more: { CallStatus: 'in-progress', RecordingUrl: 'https://rec.example/RE1' },
};

function intake(starts: { on: Signal['kind']; from: string[] }[], safety?: { words: string[] }) {
  const table = memoryTable();
  const { roster, calendars } = aPolicy();
  const contract = aContract({ starts, ...(safety !== undefined && { safety }) });
  table.policy.active = { contracts: [contract], roster, calendars };
  table.policy.contracts.set(contract.version, contract);
  const workflow = memoryWorkflow();
  const handoffs = memoryHandoffStore(table);
  const deps = { signals: memorySignalLog(table), policies: memoryPolicyBook(table), handoffs, matches: memoryMatchBook(table), workflow };
  const rest = { seal: memoryContactSeal, digest: signalDigest, time: memoryTime(later(NOW, 60)), ...memoryContactBooks(table) };
  return { table, workflow, handoffs, deliver: (signal: Signal) => openHandoff({ ...deps, ...rest }, { schemaVersion: '1', signal }) };
}

const orders = <One>(ones: readonly One[]): One[][] => (ones.length <= 1 ? [[...ones]] : ones.flatMap((one, at) => orders(ones.toSpliced(at, 1)).map((rest) => [one, ...rest])));
const danger = (eventId: string, words: string, more: Partial<Signal> = {}): Signal => ({
  ...bare,
  source: 'twilio',
  eventId,
  kind: 'customer.replied',
  request: { words },
  occurredAt: later(NOW, 50),
  ...more,
});

describe('danger in what only follows something', () => {
  const setting = () => intake([{ on: 'call.missed', from: ['twilio'] }], { words: ['smell of gas'] });
  const classOf = async ({ handoffs }: ReturnType<typeof intake>, id: string) =>
    (await handoffs.load(handoffId(id)))?.handoff.toRaise?.class ?? (await handoffs.load(handoffId(id)))?.handoff.exceptions.at(-1)?.class;

  test('E-04: joins the request that is open, and is its exception of safety, with links for whoever answers', async () => {
    const world = setting();
    await world.deliver(missed);
    const [id = ''] = world.table.handoffs.keys();
    expect(await world.deliver(danger('SM1', 'A smell of gas!'))).toEqual({ kind: 'linked', handoffId: id });
    expect(await classOf(world, id)).toBe('safety-urgent');
    expect([...world.table.links.values()]).toMatchObject([{ purpose: 'exception', handoffId: id }]);
    expect(await world.deliver(danger('SM1', 'A smell of gas!'))).toEqual({ kind: 'linked', handoffId: id });
    expect(world.table.handoffs.size).toBe(1);
  });

  test('E-04 L-01: opens a request of its own where there is none to join, from a source that the contract names; other words stay with the reason', async () => {
    const world = setting();
    const opened = await world.deliver(danger('SM2', 'There is a smell of gas.'));
    expect(opened).toMatchObject({ kind: 'opened' });
    expect(await classOf(world, 'handoffId' in opened ? opened.handoffId : '')).toBe('safety-urgent');
    expect(await world.deliver(danger('SM3', 'Thank you.', { contact: { phone: '+15035550102' } }))).toMatchObject({ kind: 'ignored' });
    expect(await world.deliver(danger('SM4', 'A smell of gas.', { source: 'stranger', contact: { phone: '+15035550103' } }))).toMatchObject({ kind: 'ignored' });
    expect([world.table.totals.ignored, world.table.tally.unknownSource]).toEqual([2, 1]); // M-06: the stranger's
    expect(await world.deliver(danger('SM5', 'A smell of gas.', { test: true, contact: { phone: '+15035550104' } }))).toMatchObject({ kind: 'ignored' });
  });

  test('E-04: opens one also when it may belong to any of several, or to one that is closed', async () => {
    const world = setting();
    for (const call of ['CA1', 'CA2']) await world.deliver({ ...missed, eventId: call, threads: [`call:${call}`], occurredAt: call === 'CA1' ? NOW : later(NOW, -40 * 86_400) });
    expect(world.table.handoffs.size).toBe(2);
    expect(await world.deliver(danger('SM6', 'A smell of gas.'))).toMatchObject({ kind: 'opened' });
    const closing = setting();
    await closing.deliver(missed);
    for (const row of closing.table.handoffs.values()) row.head = { ...row.head, state: 'closed', outcome: { kind: 'completed', at: NOW, by: row.head.custodian } };
    expect(await closing.deliver(danger('SM7', 'A smell of gas.', { threads: ['call:CA1'] }))).toMatchObject({ kind: 'opened' });
  });
});

const CALLS = [{ on: 'call.missed' as const, from: ['twilio'] }];

describe('a missed call and its recording', () => {
  test.each(orders([missed, voicemail, voicemail, missed]).map((order) => [order.map(({ kind }) => kind).join(', '), order] as const))(
    'D-4: %s: one handoff that holds the link to the recording',
    async (_name, order) => {
      const { deliver, table, workflow, handoffs } = intake(CALLS);
      for (const signal of order) await deliver(signal);
      const [id = ''] = table.handoffs.keys();
      const loaded = await handoffs.load(handoffId(id));
      expect(table.handoffs.size).toBe(1);
      expect(workflow.started.every((one) => one === id)).toBe(true);
      expect(loaded?.packet.sources.map(({ kind }) => kind).sort()).toEqual(['call.missed', 'voicemail.left']);
      expect(Object.values(loaded?.packet.more ?? {})).toContain('https://rec.example/RE1');
      expect(loaded?.packet.alsoStated).toBeUndefined();
      expect(table.totals).toMatchObject({ received: 2, linked: 1, ignored: 0 });
    },
  );

  test('ID-11: both at once are one handoff', async () => {
    const { deliver, table } = intake(CALLS);
    const outcomes = await Promise.all([deliver(missed), deliver(voicemail)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['linked', 'opened']);
    expect(table.handoffs.size).toBe(1);
  });

  test('the recording of another call, or of the same id at another provider, is another request', async () => {
    const { deliver, table } = intake([{ on: 'call.missed', from: ['twilio', 'aircall'] }]);
    await deliver({ ...missed, contact: { phone: '+15035550111' } });
    await deliver({ ...voicemail, source: 'aircall', contact: { phone: '+15035550112' } });
    expect(table.handoffs.size).toBe(2);
  });

  test('PI-01: the book of matches holds no id of a call in the clear', async () => {
    const { deliver, table } = intake(CALLS);
    await deliver(missed);
    expect([...table.matches.keys()].some((key) => key.startsWith('thread'))).toBe(true);
    expect(JSON.stringify([...table.matches])).not.toMatch(/CA1|5550101/);
  });
});

describe('an answer', () => {
  const form: Signal = {
    ...bare,
    source: 'website',
    eventId: 'w1',
    kind: 'form.submitted',
    contact: { name: 'Ada', email: 'ada@marchetti.test', phone: PHONE },
    request: { words: 'The roof leaks.' },
  };
  const reply: Signal = {
    ...bare,
    source: 'mailgun',
    eventId: 'm2',
    kind: 'customer.replied',
    occurredAt: later(NOW, 30),
    receivedAt: later(NOW, 40),
    contact: { email: 'other@else.test' },
    request: { words: 'Tuesday, please.' },
  };
  const FORMS = [{ on: 'form.submitted' as const, from: ['website'] }];

  test.each([
    ['by the address of ours that names the handoff', { threads: [`handoff:${signalDigest.handoffId(form)}`], contact: {} }, ['same-thread']],
    ['by its sender', { contact: { email: 'ADA@marchetti.test' } }, ['same-email']],
  ])('D-4: %s it joins what it answers, without a contract that starts on it, and states no fact about the customer', async (_name, change, evidence) => {
    const { deliver, handoffs } = intake(FORMS);
    await deliver(form);
    expect(await deliver({ ...reply, ...change })).toEqual({ kind: 'linked', handoffId: signalDigest.handoffId(form) });
    const loaded = await handoffs.load(signalDigest.handoffId(form));
    expect((await handoffs.receipts(signalDigest.handoffId(form))).at(-1)).toMatchObject({ kind: 'signal.linked', source: 'mailgun', evidence, added: [], conflicting: [] });
    expect(loaded?.packet).toMatchObject({ contact: form.contact, request: form.request, more: { [`customer.replied ${reply.occurredAt}`]: 'Tuesday, please.' } });
  });

  test('D-4: mails find each other by their message ids, across services', async () => {
    const { deliver, table } = intake([{ on: 'message.received', from: ['mailgun'] }]);
    await deliver({ ...reply, eventId: 'm1', kind: 'message.received', threads: ['mail:sha256-1'] });
    expect(await deliver({ ...reply, source: 'postmark', threads: ['mail:sha256-9', 'mail:sha256-1', 'mail:sha256-5'] })).toMatchObject({ kind: 'linked' });
    expect(await deliver({ ...reply, source: 'postmark', eventId: 'm3', threads: ['mail:sha256-12', 'mail:sha256-9'] })).toMatchObject({ kind: 'linked' });
    expect(table.handoffs.size).toBe(1);
  });

  test('D-4: a text that names nobody joins the one open handoff of its number; of two, nobody can tell', async () => {
    const { deliver } = intake(FORMS);
    const text: Signal = { ...bare, source: 'twilio', eventId: 'SM1', kind: 'message.received', request: { words: 'Yes, come.' } };
    await deliver(form);
    expect(await deliver(text)).toMatchObject({ kind: 'linked' });
    await deliver({ ...form, eventId: 'w2', contact: { name: 'Ben', phone: PHONE } });
    expect(await deliver({ ...text, eventId: 'SM2' })).toEqual({ kind: 'ignored', because: expect.stringContaining('several') });
  });

  test('ID-06: a text in which somebody introduces themself is not taken for another person', async () => {
    const { deliver } = intake([...FORMS, { on: 'message.received', from: ['whatsapp'] }]);
    await deliver(form);
    expect((await deliver({ ...bare, source: 'whatsapp', eventId: 'wa1', kind: 'message.received', contact: { name: 'Ben', phone: PHONE } })).kind).toBe('opened');
  });

  test('an answer to nothing that is known, and to nobody, is kept with the reason', async () => {
    const { deliver } = intake(FORMS);
    expect(await deliver({ ...reply, threads: ['mail:sha256-404', 'handoff:h-00000000000000000000000000000000'] })).toEqual({
      kind: 'ignored',
      because: 'no contract starts on customer.replied from mailgun',
    });
  });

  test('an opt-out joins nothing', async () => {
    const { deliver } = intake(FORMS);
    await deliver(form);
    expect(await deliver({ ...reply, notALead: 'opt-out', contact: { email: 'ada@marchetti.test' } })).toEqual({ kind: 'ignored', because: 'opt-out' });
  });

  test('P-03: what a later voicemail adds stands beside, and fills only what is unknown', () => {
    const packet: Packet = aPacket({ contact: { phone: PHONE }, request: { words: 'The roof leaks.' } });
    const next = followUp({ ...voicemail, contact: { phone: PHONE, name: 'Ada' }, request: { words: 'Call me.' } }, packet);
    expect(next).toMatchObject({ contact: { name: 'Ada' }, request: {} });
    expect(Object.keys(next.more)).toEqual([
      `voicemail.left ${voicemail.occurredAt}`,
      `voicemail.left ${voicemail.occurredAt}: CallStatus`,
      `voicemail.left ${voicemail.occurredAt}: RecordingUrl`,
    ]);
  });
});

describe('a meeting', () => {
  const form: Signal = { ...bare, source: 'website', eventId: 'w1', kind: 'form.submitted', contact: { email: 'dana@example.test' } };
  const booking = (kind: 'booking.made' | 'booking.moved' | 'booking.canceled', minute: number, meeting: NonNullable<Signal['booking']>): Signal => ({
    ...bare,
    source: 'calendly',
    eventId: `${kind}:${meeting.id}`,
    kind,
    occurredAt: later(NOW, minute * 60),
    receivedAt: later(NOW, minute * 60 + 1),
    contact: { email: 'dana@example.test' },
    threads: [`meeting:${meeting.id}`, ...(meeting.was === undefined ? [] : [`meeting:${meeting.was}`])],
    booking: meeting,
  });
  const made = booking('booking.made', 1, { id: 'a', startsAt: '2026-03-04T18:00:00.000Z', zone: 'America/Los_Angeles', host: 'sam@example.org' });
  const moved = booking('booking.moved', 2, { id: 'b', was: 'a', startsAt: '2026-03-05T18:00:00.000Z' });
  const canceled = booking('booking.canceled', 3, { id: 'b', startsAt: '2026-03-05T18:00:00.000Z' });
  const FORMS = [{ on: 'form.submitted' as const, from: ['website'] }];

  test.each(orders([made, moved]).map((order) => [order.map(({ kind }) => kind).join(', '), order] as const))(
    'D-4: %s: one meeting of the handoff of whoever booked it, at its last time, and nobody owns more for it (L-04)',
    async (_name, order) => {
      const { deliver, handoffs, table } = intake(FORMS);
      await deliver(form);
      for (const signal of [...order, ...order]) expect((await deliver(signal)).kind).toBe('linked');
      const loaded = await handoffs.load(signalDigest.handoffId(form));
      expect(loaded?.packet.bookings).toMatchObject([{ source: 'calendly', ids: ['a', 'b'], state: 'moved', startsAt: '2026-03-05T18:00:00.000Z', host: 'sam@example.org' }]);
      expect(loaded?.packet.alsoStated).toBeUndefined();
      expect(loaded?.handoff).toMatchObject({ state: 'ready', offers: [], meeting: { at: '2026-03-05T18:00:00.000Z' } });
      expect(table.handoffs.size).toBe(1);
    },
  );

  test('X-04: whatever the order of the three, the customer canceled one meeting', () => {
    for (const order of orders([made, moved, canceled])) {
      const meetings = order.reduce<Booking[]>((known, signal) => withBooking(known, signal), []);
      expect(meetings).toMatchObject([{ ids: ['a', 'b'], state: 'canceled', host: 'sam@example.org' }]);
      expect(meetings).toHaveLength(1);
    }
  });

  test('a booking that a contract starts on opens a handoff; its move and its end join that one', async () => {
    const { deliver, table } = intake([{ on: 'booking.made', from: ['calendly'] }]);
    expect((await deliver(made)).kind).toBe('opened');
    expect((await deliver({ ...moved, contact: {} })).kind).toBe('linked');
    expect((await deliver({ ...canceled, contact: {} })).kind).toBe('linked');
    expect(table.handoffs.size).toBe(1);
  });

  test('Calendly and Cal.com state the meeting, its zone and its host; a Calendly move names the invitee it was', () => {
    const read = (provider: typeof calendly, change: (body: { payload: object }) => unknown = (body) => body) => {
      const [vector] = fixtureOf(provider.name)?.vectors ?? [];
      if (vector === undefined) throw new Error(provider.name);
      const { delivery } = deliveryOf(vector);
      const body = new TextEncoder().encode(JSON.stringify(change(JSON.parse(new TextDecoder().decode(delivery.body)))));
      const reading = provider.read({ ...delivery, body }, later(NOW, 365 * 86_400), { country: 'US' });
      return reading.kind === 'signals' ? reading.signals[0] : undefined;
    };
    expect(read(calendly)?.booking).toMatchObject({ zone: 'America/Los_Angeles', startsAt: '2026-12-01T18:00:00.000Z', host: expect.stringContaining('@') });
    expect(read(calcom)?.booking).toMatchObject({ startsAt: expect.stringMatching(/Z$/) });
    const rescheduled = read(calendly, (body) => ({
      ...body,
      payload: { ...body.payload, old_invitee: 'https://api.calendly.com/scheduled_events/x/invitees/old-1' },
    }));
    expect(rescheduled).toMatchObject({ kind: 'booking.moved', booking: { was: 'old-1' }, threads: [expect.stringMatching(/^meeting:/), 'meeting:old-1'] });
  });
});
