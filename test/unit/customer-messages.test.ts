// What customers hear by itself: once, over the channel they used, and never against a no, a pause or a person.

import { describe, expect, test } from 'vitest';
import { isToCustomer } from '../../functions/notify/customer.ts';
import { type NotifyDeps, notify } from '../../functions/notify/notify.ts';
import { gsm, septets } from '../../functions/notify/sms-text.ts';
import { CUSTOMER_MESSAGES, wayTo } from '../../shared/domain/customer-messages.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import { mayPause } from '../../shared/domain/pause.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { customerWords } from '../../shared/domain/wording/customer.ts';
import { aWorld, staff } from '../support/answering.ts';
import { aCalendar, aContract, anExceptionRule, aPacket, aPolicy, DANA, INA, later, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';
import { memoryClaimBook, memoryMessageLedger, memoryPauseBook, memoryReportShelf, memorySuppressionBook } from '../support/memory-books.ts';
import { memoryEmailSender, memoryEventBus, memorySlackSender, memorySmsSender } from '../support/memory-outside.ts';

const ADA = 'ada@example.com';
const source = (kind: string) => ({ system: 'website', eventId: 'form-1', kind, occurredAt: NOW });
const OPENS = later(NOW, 3600);

async function aDesk({ packet = {}, row = {}, closed = true }: { packet?: Partial<Packet>; row?: Partial<Handoff>; closed?: boolean } = {}) {
  const contract = { calendar: 'office', hours: [aCalendar()], exceptions: { default: anExceptionRule({ tellCustomer: 'we-need-a-little-longer' }) } };
  const policy = aPolicy({ people: staff(), contract });
  const world = await aWorld({ policy, packet: { sources: [source('form.submitted')], ...packet } });
  const stored = world.table.handoffs.get(world.id);
  if (stored === undefined) throw new Error('the row is gone');
  stored.head = { ...stored.head, ...row };
  const opened = { ...stored.receipts[0], ...(closed && { closed: { opensAt: OPENS, tellCustomer: 'we-answer-when-we-open' } }) } as Receipt;
  stored.receipts[0] = opened;
  const [email, sms] = [memoryEmailSender(), memorySmsSender()];
  const [pauses, suppressions, claims] = [memoryPauseBook(), memorySuppressionBook(world.table), memoryClaimBook(world.table)];
  const deps: NotifyDeps = {
    ...{ store: world.store, links: world.links, policies: world.policies, claims, pauses, email, sms, slack: memorySlackSender() },
    ...{
      reports: memoryReportShelf(world.table),
      suppressions,
      ledger: memoryMessageLedger(world.table),
      bus: memoryEventBus(),
      time: world.time,
      publicUrl: 'https://baton.example',
      opsEmail: 'ops@roof.example',
      settled: () => undefined,
    },
  };
  const tell = (receipt: Receipt = opened) => notify(deps, { schemaVersion: '1', handoffId: world.id, receipt });
  const toCustomer = () => [...email.sent.filter(({ to }) => to === ADA), ...sms.sent.filter(({ to }) => to === '+15035550142')];
  const why = () => [...world.table.claims.values()].filter(({ effect }) => isToCustomer(effect)).map(({ result, detail }) => [result, detail]);
  return { world, deps, email, sms, pauses, suppressions, tell, toCustomer, why, unsettled: (effect: string) => notify(deps, { schemaVersion: '1', handoffId: world.id, effect }) };
}

describe('a customer who writes while the contract is closed', () => {
  test('C-08: hears once when it opens, in the hours of the calendar, and that it is an automatic reply', async () => {
    const { tell, email, sms } = await aDesk();
    await tell();
    await tell();
    expect(email.sent).toMatchObject([{ to: ADA, subject: 'We have your request' }]);
    expect(email.sent[0]?.text).toContain('open again on Mon, Mar 2, 9:00 AM PST');
    expect(email.sent[0]?.text).toContain('This is an automatic reply.');
    expect(email.sent[0]?.text).not.toMatch(/\/a\/|rosa|sam|ina/i);
    expect(sms.sent).toEqual([]);
  });

  test('C-08: in Spanish to whoever speaks it', async () => {
    const { tell, email } = await aDesk({ packet: { contact: { email: ADA, language: 'es' } } });
    await tell();
    expect(email.sent[0]).toMatchObject({ subject: 'Hemos recibido su solicitud' });
  });

  test('C-08: whoever texted gets a text of one part, with the way to end it', async () => {
    const { tell, sms, email } = await aDesk({ packet: { contact: { phone: '+15035550142', email: ADA }, sources: [source('message.received')] } });
    await tell();
    expect(email.sent).toEqual([]);
    expect(sms.sent).toMatchObject([{ to: '+15035550142' }]);
    expect(sms.sent[0]?.text).toContain('9:00 AM');
    expect(sms.sent[0]?.text).toContain('STOP');
    expect(septets(sms.sent[0]?.text ?? '')).toBeLessThanOrEqual(160);
  });

  test('C-08: an open contract says nothing', async () => {
    const { tell, toCustomer, why } = await aDesk({ closed: false });
    await tell();
    expect([toCustomer(), why()]).toEqual([[], []]);
  });

  test.each<[string, Partial<Handoff>, string]>([
    ['L-10: a person took over', { takenOver: { person: SAM, at: NOW } }, 'a person works with the customer'],
    [
      'D-04: somebody owns it',
      { ownership: { owner: ROSA, offer: 1, acceptedAt: NOW, nextAction: 'call', dueAt: OPENS, late: false, channel: 'email' } },
      'somebody owns the request',
    ],
    ['D-01: it may be a duplicate', { possibleDuplicate: { of: handoffId(`h-${'2'.repeat(32)}`), evidence: ['same-phone'] } }, 'messages to the customer wait for a person'],
    ['D-04: it is closed', { state: 'closed' }, 'the request is closed'],
  ])('%s: the message is left out, and says why', async (_name, row, because) => {
    const { tell, toCustomer, why } = await aDesk({ row });
    await tell();
    expect(toCustomer()).toEqual([]);
    expect(why()).toEqual([['skipped', because]]);
  });

  test('CC-09: after the opening it would be wrong, so it is left out', async () => {
    const { tell, world, toCustomer, why } = await aDesk();
    world.time.forward(3600);
    await tell();
    expect(toCustomer()).toEqual([]);
    expect(why()).toEqual([['skipped', 'the hours began again']]);
  });

  test('D-02: an address that wants no messages gets none', async () => {
    const { tell, suppressions, toCustomer, why } = await aDesk();
    await suppressions.note({ kind: 'contact.opted-out', source: 's', eventId: 'e', occurredAt: NOW, channel: 'email', address: ADA, because: 'unsubscribed' });
    await tell();
    expect(toCustomer()).toEqual([]);
    expect(why()).toEqual([['skipped', 'this address takes no messages: unsubscribed']]);
  });

  test('D-05: a pause for customers alone holds it, staff hear everything; afterwards it is sent if it still fits', async () => {
    const { tell, pauses, toCustomer, unsettled, world, why } = await aDesk();
    await pauses.pause({ scope: { of: 'all' }, audience: 'customers', by: DANA, since: NOW }, 'p');
    await tell();
    await unsettled('customer.told:1:email');
    expect([toCustomer(), why()]).toEqual([[], [[undefined, undefined]]]);
    await world.wish('resolve-candidates');
    await world.wish('request-acceptance');
    await tell((await world.store.receipts(world.id)).at(-1));
    await pauses.resume({ of: 'all' }, DANA, NOW, 'r');
    await unsettled('customer.told:1:email');
    await unsettled('customer.told:1:email');
    expect(toCustomer()).toHaveLength(1);
  });

  test('E-05: when nobody knows whether it went, it is tried once more at most', async () => {
    const { tell, deps, unsettled, why, world } = await aDesk();
    let tries = 0;
    deps.email = {
      send: async () => {
        tries += 1;
        throw new Error('no answer');
      },
    };
    await expect(tell()).rejects.toThrow('unknown outcome');
    world.time.forward(600);
    await expect(unsettled('customer.told:1:email')).rejects.toThrow();
    world.time.forward(600);
    await unsettled('customer.told:1:email');
    expect(tries).toBe(2);
    expect(why()).toMatchObject([['refused', 'outcome unknown after 2 attempts']]);
  });
});

describe('other messages that a contract asks for', () => {
  test('R-04: when an exception is raised, as the contract says, and not once it is over', async () => {
    const { world, tell, toCustomer, why } = await aDesk({ closed: false });
    await world.wish('resolve-candidates');
    for (const _seller of [1, 2]) {
      await world.wish('request-acceptance');
      world.time.forward(301);
      await world.wish('time-out');
    }
    await world.wish('raise-exception');
    const raised = (await world.store.receipts(world.id)).at(-1);
    expect(raised?.kind).toBe('exception.raised');
    await tell(raised);
    await tell(raised);
    expect(toCustomer()).toMatchObject([{ subject: 'Your request needs a little longer' }]);
    expect(why()).toEqual([['sent', 'memory']]);
    await tell({ ...raised, seq: 99, exception: 7 } as Receipt);
    expect(why().at(-1)).toEqual(['skipped', 'the exception is over']);
  });

  test('L-05: every message is short, names nobody and no time of its own, in both languages', () => {
    const when = 'Wednesday, Nov 25, 10:30 AM'; // as long as it gets
    for (const message of CUSTOMER_MESSAGES)
      for (const language of ['en', 'es'] as const) {
        const words = customerWords(message, language);
        expect(words?.lines(when).join(' ').length).toBeGreaterThan(40);
        expect(septets(gsm(words?.sms(when) ?? '')), `${message} ${language}`).toBeLessThanOrEqual(160);
        expect(gsm(words?.sms(when) ?? '')).not.toContain('?');
      }
    expect(customerWords('constructor', 'en')).toBeUndefined();
  });
});

describe('the way to a customer', () => {
  const to = (contact: Packet['contact'], kind: string, consent: Packet['consent'] = {}) => wayTo(aPacket({ contact, consent, sources: [source(kind)] }));
  const phone = '+15035550142';

  test.each([
    ['a form', { email: ADA, phone }, 'form.submitted', {}, 'email'],
    ['a text', { email: ADA, phone }, 'message.received', {}, 'sms'],
    ['a text, and no more texts', { email: ADA, phone }, 'message.received', { sms: 'denied' }, 'email'],
    ['a missed call without permission', { phone }, 'call.missed', {}, undefined],
    ['a missed call with permission', { phone }, 'call.missed', { sms: 'granted' }, 'sms'],
    ['a form of somebody who wants no mail', { email: ADA }, 'form.submitted', { email: 'denied' }, undefined],
    ['a wish for texts without permission', { email: ADA, phone, prefers: 'sms' }, 'form.submitted', {}, 'email'],
    ['a number that is none', { phone: '911' }, 'message.received', {}, undefined],
  ] as const)('D-04: %s', (_name, contact, kind, consent, channel) => {
    const way = to(contact, kind, consent);
    expect('channel' in way ? way.channel : undefined).toBe(channel);
  });
});

describe('who may stop sending', () => {
  const responsible = { ...aContract().responsible, incidentOwner: { person: OMAR, backup: DANA }, decisionOwner: { role: 'owner', backup: INA } };
  const { contract, roster } = aPolicy({ contract: { responsible } });
  const may = (by: typeof OMAR, scope: Parameters<typeof mayPause>[1] = { of: 'all' }) => mayPause(by, scope, { contracts: [contract], roster });

  test('D-05 C-02: the incident owner, the decision owner by name or role, and who steps in; nobody else', () => {
    expect([OMAR, DANA, INA].map((by) => may(by))).toEqual([true, true, true]);
    expect([ROSA, SAM].map((by) => may(by))).toEqual([false, false]);
  });

  test('D-05: of the contract that is stopped; one that nobody knows is stopped by nobody', () => {
    expect(may(OMAR, { of: 'contract', contract: contract.name })).toBe(true);
    expect(may(OMAR, { of: 'contract', contract: 'gutters' })).toBe(false);
    expect(may(OMAR, { of: 'contact', contactRef: 'c-1' })).toBe(true);
  });

  test('D-05: a job of somebody who left the roster counts for nothing', () => {
    const gone = { ...roster, people: roster.people.filter(({ id }) => id !== OMAR) };
    expect(mayPause(OMAR, { of: 'all' }, { contracts: [contract], roster: gone })).toBe(false);
  });
});
