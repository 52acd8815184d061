import { describe, expect, test } from 'vitest';
import { acceptanceReceipt } from '../../shared/contracts/acceptance-receipt.ts';
import { Contract as ContractForm } from '../../shared/contracts/policy-items.ts';
import { Receipt as ReceiptForm } from '../../shared/contracts/receipt.ts';
import { acceptanceAmong, acceptanceOf } from '../../shared/domain/acceptance.ts';
import { commandId } from '../../shared/domain/ids.ts';
import { ownershipClock } from '../../shared/domain/ownership-clock.ts';
import type { Policy, Window } from '../../shared/domain/policy.ts';
import { acceptanceStartsAt, closedState, contractCalendar, deadlineAfter, WindowWithoutEnd, windowCalendars } from '../../shared/domain/window.ts';
import { workflowAnswer } from '../../shared/domain/workflow-answer.ts';
import { aCalendar, aContract, aHandoff, anAccept, anExceptionRule, aPerson, aPolicy, later, NOW, ROSA, SAM, says } from '../support/builders.ts';
import { aLife, offered, resolve, silent, workflow } from '../support/lives.ts';

const SATURDAY = '2026-03-07T22:00:00.000Z'; // 14:00 in Portland
const MONDAY = '2026-03-09T15:00:00.000Z'; // 08:00 in Portland, the clocks set forward in between
const never = aCalendar({ name: 'never', weekly: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] } });

/** Office hours of the contract, and what it says about the hours outside them. */
const withHours = (startsAt: 'next-opening' | 'at-once', more: Parameters<typeof aPolicy>[0] = {}): Policy =>
  aPolicy({ calendars: [aCalendar()], ...more, contract: { calendar: 'office', closedHours: { startsAt, tellCustomer: 'we-answer-when-we-open' }, ...more.contract } });

/** Candidates known and the first of them asked, at this instant. */
function askedAt(now: string, policy: Policy) {
  const life = aLife(policy);
  life.tell(resolve, now);
  const waiting = workflowAnswer(life.handoff, policy, now);
  life.tell(workflow('request-acceptance'), now);
  return { life, waiting };
}

describe('a window', () => {
  test.each<[string, Window, string]>([
    ['five minutes of wall time', { seconds: 300 }, later(SATURDAY, 300)],
    ['five minutes of business time', { seconds: 300, calendar: 'office' }, later(MONDAY, 300)],
    ['a business day', { days: 1, calendar: 'office' }, later(MONDAY, 86_400)],
    ['twenty-four open hours', { seconds: 86_400, calendar: 'office' }, '2026-03-11T21:00:00.000Z'],
  ])('C-06, TM-03: %s from a Saturday afternoon', (_, window, end) => {
    expect(deadlineAfter(SATURDAY, window, [never, aCalendar()])).toBe(end);
  });

  test('TM-10: a calendar that is gone or never opens is a fault with a name, not a deadline', () => {
    expect(() => deadlineAfter(NOW, { seconds: 60, calendar: 'gone' }, [aCalendar()])).toThrow(WindowWithoutEnd);
    expect(() => deadlineAfter(NOW, { seconds: 60, calendar: 'never' }, [never])).toThrow('calendar never is never open up to');
    expect(() => deadlineAfter(NOW, { seconds: 9e9, calendar: 'office' }, [aCalendar()])).toThrow('calendar office has too few hours up to');
  });

  test('C-04: the hours of the contract’s own version count, not those in force now', () => {
    const policy = aPolicy({ contract: { calendar: 'office', hours: [aCalendar()] }, calendars: [aCalendar({ closedOn: ['2026-03-09'] })] });
    expect(deadlineAfter(SATURDAY, { seconds: 300, calendar: 'office' }, windowCalendars(policy))).toBe(later(MONDAY, 300));
    expect(contractCalendar(policy)?.closedOn).toEqual([]);
    expect(contractCalendar(aPolicy())).toBeUndefined();
  });

  test('C-06: exceptions, promises and grace count in business time where the contract says so', () => {
    const office = { seconds: 1800, calendar: 'office' };
    const policy = aPolicy({
      calendars: [aCalendar()],
      contract: {
        exceptions: { default: anExceptionRule({ respond: office }) },
        accept: { nextActions: ['call'], dueWithin: { days: 1, calendar: 'office' }, ifOverdue: { grace: office, class: 'nobody-answered' } },
      },
      people: [aPerson('omar', { roles: ['operations'] })],
    });
    const life = aLife(policy);
    life.tell(resolve, SATURDAY);
    life.tell(workflow('raise-exception'), SATURDAY);
    expect(life.handoff.exceptions[0]?.respondBy).toBe(later(MONDAY, 1800));
  });

  test('C-06: a promise may lie as far ahead as business days reach', () => {
    const contract = { accept: { nextActions: ['call'], dueWithin: { days: 1, calendar: 'office' }, ifOverdue: { grace: { seconds: 60 }, class: 'nobody-answered' as const } } };
    const life = offered(aPolicy({ calendars: [aCalendar()], contract }));
    const promise = (dueAt: string) => says('accept', { by: ROSA, offer: 1, nextAction: 'call', dueAt, seenPacketVersion: 1 });
    expect(life.tell(promise(later(NOW, 86_401)), NOW)).toEqual({ kind: 'refused', because: 'due-time-too-far' });
    expect(life.tell(promise(later(NOW, 86_400)), NOW).kind).toBe('decided');
  });
});

describe('closed hours', () => {
  test('C-07, C-08: a Saturday at 14:00 is asked until five past eight on Monday, not five past 14:00', () => {
    const { life, waiting } = askedAt(SATURDAY, withHours('next-opening'));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'acceptance.requested', startsAt: MONDAY, deadlineAt: later(MONDAY, 300) });
    expect(waiting).toMatchObject({ next: 'request-acceptance', waitSeconds: (Date.parse(MONDAY) - Date.parse(SATURDAY)) / 1000 + 301 });
  });

  test('C-08: at-once starts at once, and so does everything while open', () => {
    const closed = askedAt(SATURDAY, withHours('at-once'));
    expect(closed.life.receipts.at(-1)).toMatchObject({ deadlineAt: later(SATURDAY, 300) });
    expect(closed.life.receipts.at(-1)).not.toHaveProperty('startsAt');
    const open = askedAt(NOW, withHours('next-opening'));
    expect(open.life.receipts.at(-1)).toMatchObject({ deadlineAt: later(NOW, 300) });
    expect(open.life.receipts.at(-1)).not.toHaveProperty('startsAt');
    expect(acceptanceStartsAt(aPolicy(), SATURDAY)).toBe(SATURDAY);
  });

  test('C-08: whoever is on duty in the next period is asked; by the hour of the signal there would be nobody', () => {
    const people = [aPerson('rosa', { calendar: 'office' }), aPerson('sam', { calendar: 'never' })];
    const calendars = [aCalendar(), never];
    expect(askedAt(SATURDAY, withHours('next-opening', { people, calendars })).life.handoff.offers).toMatchObject([{ to: ROSA }]);
    expect(askedAt(SATURDAY, withHours('at-once', { people, calendars })).life.handoff.offers).toEqual([]);
  });

  test('C-08: an early yes counts before the opening', () => {
    const { life } = askedAt(SATURDAY, withHours('next-opening'));
    expect(life.tell(anAccept(ROSA, 1, later(SATURDAY, 60)), later(SATURDAY, 60)).kind).toBe('decided');
    expect(life.handoff.ownership?.late).toBe(false);
  });

  test('C-08: the next candidate gets a window of their own when the first stays silent after the opening', () => {
    const { life } = askedAt(SATURDAY, withHours('next-opening'));
    expect(life.tell(workflow('time-out'), MONDAY)).toEqual({ kind: 'not-yet', until: later(MONDAY, 300) });
    life.tell(workflow('time-out'), later(MONDAY, 300));
    life.tell(workflow('request-acceptance'), later(MONDAY, 301));
    expect(life.handoff.offers.at(-1)).toMatchObject({ to: SAM, deadlineAt: later(MONDAY, 601) });
  });

  test('C-08: the message for the customer is named while closed, and only then', () => {
    const policy = withHours('at-once');
    expect(closedState(policy, SATURDAY)).toEqual({ opensAt: MONDAY, tellCustomer: 'we-answer-when-we-open' });
    expect(closedState(policy, NOW)).toBeUndefined();
    expect(closedState(aPolicy(), SATURDAY)).toBeUndefined();
    expect(closedState({ ...policy, calendars: [{ ...never, name: 'office' }] }, SATURDAY)).toBeUndefined();
  });
});

describe('the ownership clock', () => {
  const office = aCalendar();
  const friday = '2026-03-07T00:30:00.000Z'; // 16:30 in Portland

  test('C-06: shows both times: from Friday 16:30 to Monday 09:00 the customer waits 63.5 hours and 1.5 business hours', () => {
    const handoff = aHandoff({ occurredAt: friday });
    expect(ownershipClock(handoff, office, '2026-03-09T16:00:00.000Z')).toEqual({ wallSeconds: 63.5 * 3600, businessSeconds: 5400, running: true });
    expect(ownershipClock(handoff, undefined, '2026-03-09T16:00:00.000Z')).toEqual({ wallSeconds: 63.5 * 3600, running: true });
  });

  test('C-06: stops at the yes, or at an end without one, and is never less than nothing', () => {
    const ownership = { owner: ROSA, offer: 1, acceptedAt: later(NOW, 90), nextAction: 'call', dueAt: later(NOW, 3600), late: false, channel: 'email' } as const;
    expect(ownershipClock(aHandoff({ ownership }), office, later(NOW, 9999))).toEqual({ wallSeconds: 90, businessSeconds: 90, running: false });
    const outcome = { kind: 'withdrawn', at: later(NOW, 60), by: ROSA } as const;
    expect(ownershipClock(aHandoff({ outcome }), office, later(NOW, 9999))).toEqual({ wallSeconds: 60, businessSeconds: 60, running: false });
    expect(ownershipClock(aHandoff({ occurredAt: later(NOW, 60) }), office, NOW)).toEqual({ wallSeconds: 0, businessSeconds: 0, running: true });
  });

  test('C-08: nothing but a yes stops it or sets it back: no message, question, silence or exception', () => {
    const policy = withHours('next-opening');
    const life = offered(policy);
    life.tell(says('ask-clarification', { by: ROSA, offer: 1 }), later(NOW, 10));
    expect(ownershipClock(life.handoff, office, later(NOW, 20))).toMatchObject({ wallSeconds: 20, running: true });
    for (const receipt of silent(policy).receipts) expect(receipt).not.toHaveProperty('clock');
    expect(ownershipClock(silent(policy).handoff, office, later(NOW, 701))).toMatchObject({ wallSeconds: 701, businessSeconds: 701, running: true });
    expect(silent(policy).handoff.occurredAt).toBe(NOW);
  });

  test('C-06, O-05: a yes keeps both readings, in its receipt and in the signed one', () => {
    const { life } = askedAt(SATURDAY, withHours('next-opening'));
    life.tell(anAccept(ROSA, 1, later(MONDAY, 60)), later(MONDAY, 60));
    const yes = acceptanceAmong(life.receipts);
    if (yes === undefined) throw new Error('nobody said yes');
    const wallSeconds = (Date.parse(MONDAY) - Date.parse(NOW)) / 1000 + 60;
    expect(yes.clock).toEqual({ wallSeconds, businessSeconds: 5 * 9 * 3600 + 60, calendar: 'office' });
    expect(ReceiptForm.parse(yes)).toEqual(yes);
    const signed = acceptanceOf(life.handoff, yes);
    expect(signed.clock).toEqual(yes.clock);
    expect(acceptanceReceipt.parse(JSON.parse(JSON.stringify(signed)))).toEqual(signed);
  });

  test('C-06, E-03: whoever takes an exception stops it with both readings too', () => {
    const life = silent(withHours('at-once'));
    const owner = life.handoff.custodian;
    life.tell(says('accept-exception', { by: owner, exception: 1 }), later(NOW, 800));
    life.tell(
      {
        kind: 'resolve-exception',
        commandId: commandId('take'),
        by: owner,
        channel: 'email',
        exception: 1,
        how: { resolution: 'take', nextAction: 'call', dueAt: later(NOW, 4000) },
      },
      later(NOW, 900),
    );
    expect(acceptanceAmong(life.receipts)?.clock).toEqual({ wallSeconds: 900, businessSeconds: 900, calendar: 'office' });
  });

  test('O-05: without a calendar there is one clock, and receipts of before still read', () => {
    const life = offered();
    life.tell(anAccept(ROSA, 1), later(NOW, 60));
    const yes = acceptanceAmong(life.receipts);
    expect(yes).not.toHaveProperty('clock');
    expect(yes !== undefined && acceptanceReceipt.safeParse(acceptanceOf(life.handoff, yes)).success).toBe(true);
  });
});

test('C-06: windows, hours and closed hours survive the table', () => {
  const contract = aContract({
    calendar: 'office',
    closedHours: { startsAt: 'next-opening', tellCustomer: 'we-answer-when-we-open' },
    hours: [aCalendar({ specialHours: { '2026-12-24': [{ from: '08:00', to: '12:00' }] } })],
    exceptions: { default: anExceptionRule({ respond: { seconds: 60, calendar: 'office' }, review: { days: 2, calendar: 'office' } }) },
  });
  expect(ContractForm.parse(JSON.parse(JSON.stringify(contract)))).toEqual(contract);
});
