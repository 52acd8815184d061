import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessDaysAfter, businessDeadline, businessSecondsBetween, isOpen, nextOpening, openIntervals } from '../../shared/domain/business-time.ts';
import { localParts } from '../../shared/domain/local-time.ts';
import { type Calendar, type Interval, WEEKDAYS, type Weekday } from '../../shared/domain/policy.ts';

// The counter to compare with knows nothing of offsets: it looks at the clock on the wall every five minutes, remembers the
// latest time it ever showed, and calls the calendar open while that lies within hours. Rule 2 of policy/business-time.md says so.

const TICK_MS = 5 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 3;

/** A zone and a day on which something happens to its clocks, or nothing. */
const PLACES = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['America/Los_Angeles', '2026-07-04'],
  ['Europe/London', '2026-03-29'],
  ['Europe/London', '2026-10-25'],
  ['America/Santiago', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
  ['Australia/Sydney', '2026-04-05'],
  ['Australia/Sydney', '2026-10-04'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Asia/Kolkata', '2026-01-26'],
  ['Pacific/Chatham', '2026-04-05'],
  ['Pacific/Chatham', '2026-09-27'],
  ['Pacific/Apia', '2011-12-30'],
  ['Africa/Casablanca', '2026-03-22'],
] as const;

const time = fc.integer({ min: 0, max: 287 }).map((tick) => `${String(Math.floor(tick / 12)).padStart(2, '0')}:${String((tick % 12) * 5).padStart(2, '0')}`);
const hours: fc.Arbitrary<Interval> = fc
  .tuple(time, fc.oneof({ weight: 6, arbitrary: time }, fc.constant('24:00')))
  .filter(([from, to]) => from !== to && to !== '00:00')
  .map(([from, to]) => ({ from, to }));
const day = fc.oneof({ weight: 3, arbitrary: fc.array(hours, { maxLength: 3 }) }, fc.constant([{ from: '00:00', to: '24:00' }]));

const scene = fc.constantFrom(...PLACES).chain(([zone, around]) => {
  const dates = Array.from({ length: 7 }, (_, index) => new Date(Date.parse(`${around}T00:00:00Z`) + (index - 3) * DAY_MS).toISOString().slice(0, 10));
  const calendar = fc.record({
    name: fc.constant('any'),
    zone: fc.constant<string>(zone),
    weekly: fc.record(Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<Weekday, typeof day>),
    closedOn: fc.subarray(dates, { maxLength: 2 }),
    specialHours: fc.dictionary(fc.constantFrom(...dates), fc.array(hours, { minLength: 1, maxLength: 2 }), { maxKeys: 2 }),
  });
  const start = fc.integer({ min: -300, max: 300 }).map((tick) => Date.parse(`${around}T00:00:00Z`) + tick * TICK_MS);
  return fc.record({ calendar, start });
});

/** The clock on the wall, as milliseconds on itself; asked of `Intl` at every tick. */
function wallClock(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-CA-u-hc-h23', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' });
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:00Z`);
  };
}

/** Whether each tick of some days is open, found by looking. */
function look(calendar: Calendar, start: number): boolean[] {
  const shown = wallClock(calendar.zone);
  const open: boolean[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (let ms = start - 3 * DAY_MS; ms < start + DAYS * DAY_MS; ms += TICK_MS) {
    latest = Math.max(latest, shown(ms));
    if (ms >= start) open.push(isWithinHours(calendar, latest));
  }
  return open;
}

function isWithinHours(calendar: Calendar, shown: number): boolean {
  return [0, 1].some((back) => {
    const midnight = Math.floor(shown / DAY_MS) * DAY_MS - back * DAY_MS;
    return hoursOf(calendar, midnight).some(({ from, to }) => {
      const begin = midnight + minutes(from) * 60_000;
      const end = midnight + (minutes(to) + (minutes(to) <= minutes(from) ? 1440 : 0)) * 60_000;
      return begin <= shown && shown < end;
    });
  });
}

function hoursOf(calendar: Calendar, midnight: number): readonly Interval[] {
  const date = new Date(midnight).toISOString().slice(0, 10);
  if (calendar.specialHours?.[date] !== undefined) return calendar.specialHours[date];
  if (calendar.closedOn.includes(date)) return [];
  return calendar.weekly[(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[new Date(midnight).getUTCDay()] ?? 'sun'];
}

const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const iso = (ms: number): string => new Date(ms).toISOString();

describe('against a person who looks at the clock every five minutes', () => {
  test('C-07, TM-04: hours, openings, deadlines and sums are what that person counts', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: 1, max: 400 }), ({ calendar, start }, ticks) => {
        const open = look(calendar, start);
        const at = (tick: number) => iso(start + tick * TICK_MS);
        const counted = open.filter(Boolean).length;
        expect(businessSecondsBetween(at(0), at(open.length), calendar)).toBe((counted * TICK_MS) / 1000);
        for (let tick = 0; tick < open.length; tick += 7) expect(isOpen(calendar, at(tick)), at(tick)).toBe(open[tick]);

        const edges = open.flatMap((is, tick) => (is === (open[tick - 1] ?? false) ? [] : [at(tick)]));
        if (open.at(-1) === true) edges.push(at(open.length));
        expect(openIntervals(at(0), at(open.length), calendar).flatMap(({ from, to }) => [from, to])).toEqual(edges);

        const first = open.indexOf(true);
        if (first >= 0) expect(nextOpening(at(0), calendar)).toEqual({ kind: 'at', instant: at(first) });
        if (counted >= ticks) expect(businessDeadline(at(0), (ticks * TICK_MS) / 1000, calendar)).toEqual({ kind: 'at', instant: at(tickAfter(open, ticks)) });
      }),
      { numRuns: 150 },
    );
  });
});

/** The tick by whose start so many open ticks have passed. */
function tickAfter(open: readonly boolean[], ticks: number): number {
  const passed = open.flatMap((is, tick) => (is ? [tick] : []));
  return (passed[ticks - 1] ?? Number.NaN) + 1;
}

describe('whatever the hours', () => {
  const span = fc.integer({ min: 0, max: 3 * 86_400 });

  test('C-06: business time adds up, and is never more than the time that passed', () => {
    fc.assert(
      fc.property(scene, span, span, ({ calendar, start }, first, second) => {
        const [a, b, c] = [iso(start), iso(start + first * 1000), iso(start + (first + second) * 1000)];
        const [ab, bc, ac] = [businessSecondsBetween(a, b, calendar), businessSecondsBetween(b, c, calendar), businessSecondsBetween(a, c, calendar)];
        expect(ab + bc).toBe(ac);
        expect(ab).toBeLessThanOrEqual(first);
      }),
      { numRuns: 200 },
    );
  });

  test('C-06: what a deadline counts off is what lies between, and starting later never ends sooner', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: 1, max: 200_000 }), span, ({ calendar, start }, seconds, later) => {
        const end = businessDeadline(iso(start), seconds, calendar);
        if (end.kind !== 'at') return;
        expect(businessSecondsBetween(iso(start), end.instant, calendar)).toBe(seconds);
        expect(businessSecondsBetween(iso(start), iso(Date.parse(end.instant) - 1000), calendar)).toBeLessThan(seconds);
        const second = businessDeadline(iso(start + later * 1000), seconds, calendar);
        if (second.kind === 'at') expect(second.instant >= end.instant).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('TM-03: a business day ends on a later date that has hours, at the same time of day unless the day is shorter', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: 1, max: 10 }), ({ calendar, start }, days) => {
        const end = businessDaysAfter(iso(start), days, calendar);
        const opening = nextOpening(iso(start), calendar);
        if (end.kind !== 'at' || opening.kind !== 'at') return;
        expect(end.instant > opening.instant).toBe(true);
        const next = businessDaysAfter(iso(start), days + 1, calendar);
        if (next.kind === 'at') expect(next.instant > end.instant || isOvernight(calendar)).toBe(true);
        const inside = isOpen(calendar, end.instant) && !isOvernight(calendar) && isOpen(calendar, iso(Date.parse(end.instant) - 1000));
        if (inside) expect(localParts(end.instant, calendar.zone).time).toBe(localParts(opening.instant, calendar.zone).time);
      }),
      { numRuns: 200 },
    );
  });
});

const isOvernight = ({ weekly, specialHours }: Calendar): boolean =>
  [...Object.values(weekly), ...Object.values(specialHours ?? {})].flat().some(({ from, to }) => to <= from || to === '24:00');
