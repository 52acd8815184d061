// Business time: real time that passes while a calendar is open (C-06, C-07). The written rules and the table of cases are in policy/business-time.md.

import { type Span, spansOn } from './opening-hours.ts';
import type { Calendar } from './policy.ts';
import { DAY_MS, reached, shownAt } from './zone-clock.ts';

/** A stretch of time during which a calendar is open, `from` up to but not including `to`, in UTC. */
export type OpenInterval = { from: string; to: string };

/**
 * Where a search in a calendar ends: at an instant, or nowhere within `SEARCH_DAYS`. `never-opens`: there are no hours at
 * all. `too-far`: there are some, but too few for the time asked for. A search always ends (TM-10).
 */
export type Found = { kind: 'at'; instant: string } | { kind: 'never-opens' | 'too-far'; calendar: string; searchedUntil: string };

/** How far a search looks ahead: longer than any workflow lives (SF-16). */
export const SEARCH_DAYS = 800;

/** Hours of the days before that can reach into a day: an overnight shift, and a change of clocks across midnight. */
const DAYS_BACK = 2;

type Piece = { from: number; to: number };

/**
 * The earliest instant by which so many seconds of business time have passed since `startsAt`. Time runs only while the
 * calendar is open, and is real elapsed time: a night with a change of clocks is as long as it is (TM-04). Time that is
 * used up at closing ends at closing, not at the next opening.
 */
export function businessDeadline(startsAt: string, seconds: number, calendar: Calendar): Found {
  const start = Date.parse(startsAt);
  let left = seconds * 1000;
  if (left <= 0) return at(start);
  let opened = false;
  for (const { from, to } of pieces(calendar, start, SEARCH_DAYS)) {
    if (to - from >= left) return at(from + left);
    left -= to - from;
    opened = true;
  }
  return { kind: opened ? 'too-far' : 'never-opens', ...searched(calendar, start) };
}

/** Business time between two instants, in seconds; none when `until` is not after `since`. */
export function businessSecondsBetween(since: string, until: string, calendar: Calendar): number {
  return openIn(calendar, Date.parse(since), Date.parse(until)).reduce((sum, { from, to }) => sum + (to - from), 0) / 1000;
}

/** The instant itself while the calendar is open, otherwise the next opening; `never-opens` when there is none (C-07). */
export function nextOpening(instant: string, calendar: Calendar): Found {
  const start = Date.parse(instant);
  for (const { from } of pieces(calendar, start, SEARCH_DAYS)) return at(from);
  return { kind: 'never-opens', ...searched(calendar, start) };
}

/**
 * The same time of day so many open days later (TM-03: a day is a date, not a number of hours). An open day is a local
 * date on which a shift starts. Counting begins at the next opening when the calendar is closed at `startsAt`. A time
 * before that day's first opening becomes the opening, one after its last closing the closing. A day whose hours are over
 * before the shift of the evening before it ends is no day ahead.
 */
export function businessDaysAfter(startsAt: string, days: number, calendar: Calendar): Found {
  const opening = nextOpening(startsAt, calendar);
  if (opening.kind !== 'at') return opening;
  const start = Date.parse(opening.instant);
  const shown = shownAt(start, calendar.zone);
  const first = dayOfShift(calendar, start, Math.floor(shown / DAY_MS));
  let left = days;
  for (let day = first + 1; day <= first + SEARCH_DAYS; day += 1) {
    const hours = hoursOf(calendar, day);
    if (hours === undefined || hours.to <= start) continue;
    left -= 1;
    if (left === 0) return at(Math.min(Math.max(reached(shown + (day - first) * DAY_MS, calendar.zone), hours.from), hours.to));
  }
  return { kind: 'too-far', ...searched(calendar, start) };
}

/** Whether the calendar is open at this instant, by the clock of its own zone (TM-08). A shift belongs to the day it starts on (TM-05). */
export function isOpen(calendar: Calendar, instant: string): boolean {
  const now = Date.parse(instant);
  for (const { from } of pieces(calendar, now, 1)) return from === now;
  return false;
}

/** When the calendar is open between two instants. Hours that touch or overlap are one interval: a calendar that never closes has no seam at midnight. */
export function openIntervals(since: string, until: string, calendar: Calendar): OpenInterval[] {
  const merged: Piece[] = [];
  for (const { from, to } of openIn(calendar, Date.parse(since), Date.parse(until))) {
    const last = merged.at(-1);
    if (last?.to === from) last.to = to;
    else merged.push({ from, to });
  }
  return merged.map(({ from, to }) => ({ from: iso(from), to: iso(to) }));
}

function openIn(calendar: Calendar, since: number, until: number): Piece[] {
  const found: Piece[] = [];
  const days = Math.max(0, Math.ceil((until - since) / DAY_MS)) + DAYS_BACK;
  for (const { from, to } of pieces(calendar, since, days)) {
    if (from >= until) break;
    found.push({ from, to: Math.min(to, until) });
  }
  return found;
}

/** Open time from an instant on, in order and without overlap, for so many days ahead. */
function* pieces(calendar: Calendar, since: number, days: number): Generator<Piece> {
  const today = Math.floor(shownAt(since, calendar.zone) / DAY_MS);
  let covered = since;
  for (let day = today - DAYS_BACK; day <= today + days; day += 1) {
    for (const span of spansOn(calendar, day)) {
      const { from, to } = piece(calendar, day, span);
      if (to <= Math.max(from, covered)) continue;
      yield { from: Math.max(from, covered), to };
      covered = to;
    }
  }
}

const piece = ({ zone }: Calendar, day: number, { from, to }: Span): Piece => ({ from: reached(day * DAY_MS + from, zone), to: reached(day * DAY_MS + to, zone) });

/** From the first opening to the last closing of the shifts that start on a day; undefined for a day without a moment of open time. */
function hoursOf(calendar: Calendar, day: number): Piece | undefined {
  const all = spansOn(calendar, day)
    .map((span) => piece(calendar, day, span))
    .filter(({ from, to }) => from < to);
  return all.length === 0 ? undefined : { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}

function dayOfShift(calendar: Calendar, instant: number, today: number): number {
  for (let day = today - DAYS_BACK; day <= today; day += 1) {
    if (spansOn(calendar, day).some((span) => holds(piece(calendar, day, span), instant))) return day;
  }
  return today;
}

const holds = ({ from, to }: Piece, instant: number): boolean => from <= instant && instant < to;

const searched = ({ name }: Calendar, start: number) => ({ calendar: name, searchedUntil: iso(start + SEARCH_DAYS * DAY_MS) });
const at = (ms: number): Found => ({ kind: 'at', instant: iso(ms) });
const iso = (ms: number): string => new Date(ms).toISOString();
