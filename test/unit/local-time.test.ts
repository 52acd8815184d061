import { describe, expect, test } from 'vitest';
import { isOpen } from '../../shared/domain/business-time.ts';
import { fromLocal, isLocalText, isZone, localParts, plusDays } from '../../shared/domain/local-time.ts';
import { aCalendar, later } from '../support/builders.ts';

const NEW_YORK = 'America/New_York';

describe('an instant for a local time', () => {
  test('TM-01: a time that clocks show twice is the earlier instant, whatever today is', () => {
    expect(fromLocal('2026-11-01T01:30', NEW_YORK)).toEqual({ instant: '2026-11-01T05:30:00.000Z', adjusted: false });
    expect(fromLocal('2026-10-25T01:30', 'Europe/London')).toEqual({ instant: '2026-10-25T00:30:00.000Z', adjusted: false });
  });

  test.each([
    ['2026-03-08T02:30', '2026-03-08T07:30:00.000Z', true],
    ['2026-03-08T01:59', '2026-03-08T06:59:00.000Z', false],
    ['2026-03-08T03:00', '2026-03-08T07:00:00.000Z', false],
  ])('TM-02: %s in New York is %s, and flagged only when no clock showed it', (text, instant, adjusted) => {
    expect(fromLocal(text, NEW_YORK)).toEqual({ instant, adjusted });
  });

  test('TM-03: 24 hours is not one day when clocks change', () => {
    const noon = fromLocal('2026-03-07T12:00', NEW_YORK).instant;
    expect(localParts(later(noon, 24 * 3600), NEW_YORK)).toMatchObject({ date: '2026-03-08', time: '13:00' });
    expect(localParts(fromLocal(`${plusDays('2026-03-07', 1)}T12:00`, NEW_YORK).instant, NEW_YORK)).toMatchObject({ date: '2026-03-08', time: '12:00' });
  });

  test.each([
    ['Asia/Kolkata', '2026-06-15T09:00', '2026-06-15T03:30:00.000Z'],
    ['Pacific/Chatham', '2026-01-15T09:00', '2026-01-14T19:15:00.000Z'],
    ['Pacific/Chatham', '2026-07-15T09:00', '2026-07-14T20:15:00.000Z'],
    ['Australia/Lord_Howe', '2026-07-15T09:00', '2026-07-14T22:30:00.000Z'],
    ['America/St_Johns', '2026-07-15T09:00', '2026-07-15T11:30:00.000Z'],
    ['UTC', '2026-07-15T00:00', '2026-07-15T00:00:00.000Z'],
  ])('TM-12: %s at %s is %s', (zone, text, instant) => {
    expect(fromLocal(text, zone)).toEqual({ instant, adjusted: false });
    expect(localParts(instant, zone)).toMatchObject({ date: text.slice(0, 10), time: text.slice(11) });
  });

  test('TM-02: Lord Howe moves its clocks by half an hour, and so does a time in that gap', () => {
    expect(fromLocal('2026-10-04T02:15', 'Australia/Lord_Howe')).toEqual({ instant: '2026-10-03T15:45:00.000Z', adjusted: true });
    expect(localParts('2026-10-03T15:45:00.000Z', 'Australia/Lord_Howe').time).toBe('02:45');
    expect(fromLocal('2026-04-05T01:45', 'Australia/Lord_Howe')).toEqual({ instant: '2026-04-04T14:45:00.000Z', adjusted: false });
  });

  test('TM-02: Chatham repeats 02:45 to 03:44 in autumn and skips it in spring', () => {
    expect(fromLocal('2026-04-05T03:00', 'Pacific/Chatham')).toEqual({ instant: '2026-04-04T13:15:00.000Z', adjusted: false });
    expect(fromLocal('2026-09-27T03:00', 'Pacific/Chatham')).toEqual({ instant: '2026-09-26T14:15:00.000Z', adjusted: true });
  });

  test('TM-02: a day that Samoa left out is the day after', () => {
    expect(fromLocal('2011-12-30T12:00', 'Pacific/Apia')).toEqual({ instant: '2011-12-30T22:00:00.000Z', adjusted: true });
    expect(localParts('2011-12-30T22:00:00.000Z', 'Pacific/Apia').date).toBe('2011-12-31');
  });

  test('TM-12: a text that is no local time is refused, never guessed', () => {
    for (const text of ['2026-02-30T10:00', '2026-13-01T10:00', '2026-03-08T24:00', '2026-03-08 02:30', '2026-03-08T02:30Z', 'tomorrow', '']) {
      expect(isLocalText(text), text).toBe(false);
      expect(() => fromLocal(text, NEW_YORK), text).toThrow(RangeError);
    }
  });
});

describe('the wall clock of a zone', () => {
  test('TM-12: weekday and date are those of the zone', () => {
    expect(localParts('2026-03-02T02:00:00.000Z', 'America/Los_Angeles')).toEqual({ date: '2026-03-01', time: '18:00', weekday: 'sun' });
    expect(localParts('2026-03-01T18:00:00.000Z', 'Pacific/Auckland')).toEqual({ date: '2026-03-02', time: '07:00', weekday: 'mon' });
    expect(localParts('2026-03-01T08:00:00.000Z', 'America/Los_Angeles')).toEqual({ date: '2026-03-01', time: '00:00', weekday: 'sun' });
  });

  test('TM-12: the zone of the machine changes nothing', () => {
    const before = process.env.TZ;
    const offsets = new Set<number>();
    const answers = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham'].map((zone) => {
      process.env.TZ = zone;
      offsets.add(new Date(2026, 2, 8).getTimezoneOffset());
      return JSON.stringify([
        fromLocal('2026-03-08T02:30', NEW_YORK),
        localParts('2026-11-01T05:30:00.000Z', NEW_YORK),
        isOpen(aCalendar(), '2026-03-02T16:00:00.000Z'),
        plusDays('2026-03-08', -1),
      ]);
    });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    expect(offsets.size).toBe(4);
    expect(new Set(answers).size).toBe(1);
  });

  test('a zone is a name; an offset or a fantasy is none', () => {
    expect(['America/Los_Angeles', 'UTC', 'US/Pacific'].map(isZone)).toEqual([true, true, true]);
    expect(['+02:00', 'Mars/Olympus', '', 'PST8'].map(isZone)).toEqual([false, false, false, false]);
  });

  test('years before 1000 and the leap day keep their form', () => {
    expect(localParts('2028-02-29T12:00:00.000Z', 'UTC').date).toBe('2028-02-29');
    expect(plusDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(plusDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});

describe('a calendar', () => {
  const at = (date: string, time: string) => fromLocal(`${date}T${time}`, 'America/Los_Angeles').instant;
  const night = aCalendar({ weekly: { ...aCalendar().weekly, fri: [{ from: '16:00', to: '01:00' }], sat: [] } });

  test('TM-05: an overnight shift belongs to the day it starts on', () => {
    expect(isOpen(night, at('2026-03-06', '23:59'))).toBe(true);
    expect(isOpen(night, at('2026-03-07', '00:30'))).toBe(true);
    expect(isOpen(night, at('2026-03-07', '01:00'))).toBe(false);
    expect(isOpen(night, at('2026-03-06', '00:30'))).toBe(false);
  });

  test('TM-05: a holiday closes the shift that starts on it, and lets the one of the evening before finish', () => {
    expect(isOpen({ ...night, closedOn: ['2026-03-07'] }, at('2026-03-07', '00:30'))).toBe(true);
    expect(isOpen({ ...night, closedOn: ['2026-03-06'] }, at('2026-03-06', '23:00'))).toBe(false);
    expect(isOpen({ ...night, closedOn: ['2026-03-06'] }, at('2026-03-07', '00:30'))).toBe(false);
  });

  test('C-07: open from the first minute up to but not including the last, split days included', () => {
    const split = aCalendar({
      weekly: {
        ...aCalendar().weekly,
        mon: [
          { from: '08:00', to: '12:00' },
          { from: '13:00', to: '17:00' },
        ],
      },
    });
    const open = ['07:59', '08:00', '11:59', '12:00', '12:59', '13:00', '16:59', '17:00'].map((time) => isOpen(split, at('2026-03-02', time)));
    expect(open).toEqual([false, true, true, false, false, true, true, false]);
  });

  test('C-07: 24:00 ends a day, and 00:00-24:00 is all of it', () => {
    const always = aCalendar({ weekly: { ...aCalendar().weekly, mon: [{ from: '00:00', to: '24:00' }], tue: [] } });
    expect([isOpen(always, at('2026-03-02', '00:00')), isOpen(always, at('2026-03-02', '23:59')), isOpen(always, at('2026-03-03', '00:00'))]).toEqual([true, true, false]);
  });

  test('C-07: a shift that spans the missing hour is open before and after it', () => {
    const nights = aCalendar({ zone: NEW_YORK, weekly: { ...aCalendar().weekly, sat: [{ from: '22:00', to: '06:00' }] } });
    expect(isOpen(nights, '2026-03-08T06:59:00.000Z')).toBe(true);
    expect(isOpen(nights, '2026-03-08T07:00:00.000Z')).toBe(true);
    expect(isOpen(nights, '2026-03-08T10:00:00.000Z')).toBe(false);
  });

  test("TM-08: a holiday is a local date of the calendar's own zone, on both sides of midnight", () => {
    const auckland = aCalendar({ zone: 'Pacific/Auckland', closedOn: ['2026-03-03'] });
    expect(isOpen(auckland, '2026-03-02T20:00:00.000Z')).toBe(false);
    const portland = aCalendar({ closedOn: ['2026-03-03'] });
    expect(isOpen(portland, '2026-03-02T20:00:00.000Z')).toBe(true);
  });
});
