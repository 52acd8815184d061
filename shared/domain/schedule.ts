// Whether a calendar is open. A shift belongs to the day it starts on, also after midnight.

import { localParts, plusDays, weekdayOf } from './local-time.ts';
import type { Calendar, Interval } from './policy.ts';

/**
 * Whether the calendar is open at this instant, by the wall clock of its own zone (TM-08).
 * An interval whose end is not after its start runs past midnight (TM-05); it is looked up on the day it starts,
 * so a holiday closes the shifts that start on it and lets the shift of the evening before finish.
 */
export function isOpen(calendar: Calendar, instant: string): boolean {
  const { date, time } = localParts(instant, calendar.zone);
  const tonight = shifts(calendar, date).some(({ from, to }) => time >= from && (time < to || to < from));
  const sinceYesterday = shifts(calendar, plusDays(date, -1)).some(({ from, to }) => to < from && time < to);
  return tonight || sinceYesterday;
}

const shifts = (calendar: Calendar, date: string): readonly Interval[] => (calendar.closedOn.includes(date) ? [] : calendar.weekly[weekdayOf(date)]);
