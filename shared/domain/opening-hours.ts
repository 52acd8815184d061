// What a calendar says about one day: its week, overruled by closed dates, overruled by the special hours of a date.

import { type Calendar, type Interval, WEEKDAYS } from './policy.ts';
import { DAY_MS, dayOf } from './zone-clock.ts';

/** Hours of one day as milliseconds since its midnight; `to` lies beyond a day's length when a shift runs into the next day. */
export type Span = { from: number; to: number };

type Plan = { weekly: readonly (readonly Span[])[]; closed: ReadonlySet<number>; special: ReadonlyMap<number, readonly Span[]> };

const plans = new WeakMap<Calendar, Plan>();

const NO_HOURS: readonly Span[] = [];

/** 1970-01-01, day 0, was a Thursday. */
const FIRST_WEEKDAY = WEEKDAYS.indexOf('thu');

/** The shifts that start on a day, earliest first. A shift that started the day before is not among them (TM-05). */
export function spansOn(calendar: Calendar, day: number): readonly Span[] {
  const plan = planOf(calendar);
  const special = plan.special.get(day);
  if (special !== undefined) return special;
  if (plan.closed.has(day)) return NO_HOURS;
  return plan.weekly[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? NO_HOURS;
}

function planOf(calendar: Calendar): Plan {
  const known = plans.get(calendar);
  if (known !== undefined) return known;
  const plan: Plan = {
    weekly: WEEKDAYS.map((weekday) => spans(calendar.weekly[weekday])),
    closed: new Set(calendar.closedOn.map(dayOf)),
    special: new Map(Object.entries(calendar.specialHours ?? {}).map(([date, hours]) => [dayOf(date), spans(hours)])),
  };
  plans.set(calendar, plan);
  return plan;
}

/** An end that is not after its start lies on the next day. */
function spans(hours: readonly Interval[]): Span[] {
  return hours.map(({ from, to }) => ({ from: sinceMidnight(from), to: sinceMidnight(to) + (to <= from ? DAY_MS : 0) })).sort((a, b) => a.from - b.from || a.to - b.to);
}

const sinceMidnight = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000;
