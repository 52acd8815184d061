import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { businessDaysAfter, businessDeadline, businessSecondsBetween, type Found, isOpen, nextOpening, openIntervals } from '../../shared/domain/business-time.ts';
import { type Calendar, type Interval, WEEKDAYS, type Weekday } from '../../shared/domain/policy.ts';
import { aCalendar } from '../support/builders.ts';

const page = readFileSync(join(import.meta.dirname, '../../policy/business-time.md'), 'utf8');

/** The cells of a table of the page, without its head. */
function table(head: string): string[][] {
  const from = page.split('\n');
  const start = from.findIndex((line) => line.startsWith(`| ${head} |`));
  const rows = from.slice(start + 2);
  return rows.slice(0, rows.findIndex((line) => !line.startsWith('|')) >>> 0).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const interval = (text: string): Interval => ({ from: text.slice(0, 5), to: text.slice(6) });

/** `mon-fri 09:00-17:00; closed 2026-11-26; 2026-11-27 09:00-12:00` as a calendar. */
function calendarOf(name: string, zone: string, text: string): Calendar {
  const weekly: Record<Weekday, Interval[]> = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
  const closedOn: string[] = [];
  const specialHours: Record<string, Interval[]> = {};
  for (const [what = '', ...rest] of text.split(';').map((part) => part.trim().split(' '))) {
    if (what === '') continue;
    if (what === 'closed') closedOn.push(...rest);
    else if (/^\d/.test(what)) specialHours[what] = rest.map(interval);
    else {
      const [first = '', last = first] = what.split('-');
      for (const day of WEEKDAYS.slice(WEEKDAYS.indexOf(first as Weekday), WEEKDAYS.indexOf(last as Weekday) + 1)) weekly[day] = rest.map(interval);
    }
  }
  return { name, zone, weekly, closedOn, specialHours };
}

const calendars = new Map(table('calendar').map(([name = '', zone = '', hours = '']) => [name, calendarOf(name, zone, hours)]));
const cases = table('case').map(([id = '', calendar = '', question = '', answer = '', because = '']) => ({ id, calendar, question, answer, because }));

/** Instants are compared as instants, however the page spells them. */
const utc = (text: string): string => (/^\d{4}-/.test(text) ? new Date(text).toISOString() : text);
const said = (found: Found): string => (found.kind === 'at' ? found.instant : found.kind);
const UNITS = { m: 60, h: 3600 } as const;
const secondsOf = (text: string): number => text.split(' ').reduce((sum, part) => sum + Number(part.slice(0, -1)) * UNITS[part.slice(-1) as keyof typeof UNITS], 0);

function answerTo(question: string, calendar: Calendar): string {
  const [words = '', at = ''] = question.split(/ (?:from|to) (?=\d{4}-)/);
  if (question.startsWith('open at ')) return isOpen(calendar, utc(question.slice(8))) ? 'yes' : 'no';
  if (question.startsWith('open time ')) return `${businessSecondsBetween(utc(words.slice(10)), utc(at), calendar)} s`;
  if (words === 'next opening') return said(nextOpening(utc(at), calendar));
  if (words.includes('business day')) return said(businessDaysAfter(utc(at), Number.parseInt(words, 10), calendar));
  return said(businessDeadline(utc(at), secondsOf(words), calendar));
}

const expected = (answer: string): string => (/^\d+h/.test(answer) ? `${secondsOf(answer)} s` : utc(answer));

describe('the published cases', () => {
  test.each(cases)('$id: $calendar, $question: $answer ($because)', ({ calendar, question, answer }) => {
    const known = calendars.get(calendar);
    if (known === undefined) throw new Error(`the page has no calendar ${calendar}`);
    expect(answerTo(question, known)).toBe(expected(answer));
  });

  test('C-07: the cases are many, in both hemispheres, and carry every case of time that concerns calendars', () => {
    expect(cases.length).toBeGreaterThan(80);
    const zones = new Set(cases.map(({ calendar }) => calendars.get(calendar)?.zone));
    for (const zone of [
      'America/New_York',
      'America/Los_Angeles',
      'Europe/London',
      'America/Santiago',
      'Australia/Sydney',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Pacific/Chatham',
    ])
      expect(zones, zone).toContain(zone);
    const ids = new Set(cases.map(({ id }) => id));
    for (const id of ['TM-01', 'TM-02', 'TM-03', 'TM-04', 'TM-05', 'TM-08', 'TM-10', 'TM-12', 'TM-14']) expect(ids, id).toContain(id);
  });
});

describe('what a table cannot say', () => {
  const officeOf = (name: string) => calendars.get(name) ?? aCalendar();

  test('TM-12: the zone of the machine changes no answer', () => {
    const before = process.env.TZ;
    const answers = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham'].map((zone) => {
      process.env.TZ = zone;
      return JSON.stringify(cases.map(({ calendar, question }) => answerTo(question, structuredClone(officeOf(calendar)))));
    });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    expect(new Set(answers).size).toBe(1);
  });

  test('C-07: a calendar that never closes is one interval, changes of clocks included', () => {
    for (const name of ['la-always', 'santiago-always', 'ny-always'])
      expect(openIntervals('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', officeOf(name))).toEqual([{ from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' }]);
  });

  test('C-07: open intervals are cut to the span that was asked for', () => {
    expect(openIntervals('2026-03-02T15:00:00Z', '2026-03-03T14:30:00Z', officeOf('ny-office'))).toEqual([
      { from: '2026-03-02T15:00:00.000Z', to: '2026-03-02T22:00:00.000Z' },
      { from: '2026-03-03T14:00:00.000Z', to: '2026-03-03T14:30:00.000Z' },
    ]);
    expect(openIntervals('2026-03-02T15:00:00Z', '2026-03-02T15:00:00Z', officeOf('ny-office'))).toEqual([]);
  });

  test('TM-10: a search that finds nothing says how far it looked, and for which calendar', () => {
    expect(nextOpening('2026-03-02T09:00:00Z', officeOf('no-hours'))).toEqual({ kind: 'never-opens', calendar: 'no-hours', searchedUntil: '2028-05-10T09:00:00.000Z' });
  });

  test('C-07: a day that the zone never had is jumped over', () => {
    const apia = { ...officeOf('la-always'), zone: 'Pacific/Apia' };
    expect(businessSecondsBetween('2011-12-30T09:00:00Z', '2011-12-31T09:00:00Z', apia)).toBe(86_400);
    const office = aCalendar({ zone: 'Pacific/Apia' });
    expect(nextOpening('2011-12-30T04:00:00Z', office)).toEqual({ kind: 'at', instant: '2012-01-01T18:00:00.000Z' }); // Thursday evening; Friday never was
  });

  test('C-06: a window without length ends where it starts, also while closed', () => {
    expect(businessDeadline('2026-03-07T12:00:00Z', 0, officeOf('ny-office'))).toEqual({ kind: 'at', instant: '2026-03-07T12:00:00.000Z' });
  });

  test('C-06: seconds and milliseconds count', () => {
    expect(businessDeadline('2026-03-02T21:59:59.250Z', 1, officeOf('ny-office'))).toEqual({ kind: 'at', instant: '2026-03-03T14:00:00.250Z' });
  });
});
