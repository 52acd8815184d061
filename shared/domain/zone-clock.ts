// When the clock of a zone gets to a time of day. Dates are day numbers counted from 1970-01-01, instants are milliseconds.

import { offsetAt } from './local-time.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** A change of clocks: up to `at` the zone is `before` ahead of UTC, from `at` on `after`. */
type Change = { before: number; after: number; at: number };

/** What the clocks of a zone do around a day: one offset, or a change. Asking `Intl` costs far more than remembering. */
const known = new Map<string, Map<number, number | Change>>();
const MOST_KNOWN = 20_000;

export const dayOf = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

/** What the clock of the zone shows at an instant, as milliseconds since 1970-01-01T00:00 on that same clock. */
export const shownAt = (instant: number, zone: string): number => instant + offsetAt(instant, zone);

/**
 * The first instant at which the clock of the zone shows this time or a later one. This is the one rule of hours:
 * a time that is shown twice counts when it is shown first (TM-01), and a time that is never shown, at the moment the
 * clocks jump over it (TM-02). So no hours are ever counted twice, and hours that begin later never begin earlier.
 */
export function reached(shown: number, zone: string): number {
  const around = changeAround(Math.floor(shown / DAY_MS), zone);
  if (typeof around === 'number') return shown - around;
  const { before, after, at } = around;
  const first = shown - before;
  return first < at ? first : Math.max(at, shown - after);
}

/** No zone is more than a day from UTC, and none changes its clocks twice within the three days looked at. */
function changeAround(day: number, zone: string): number | Change {
  let days = known.get(zone);
  if (days === undefined || days.size > MOST_KNOWN) {
    days = new Map();
    known.set(zone, days);
  }
  let around = days.get(day);
  if (around === undefined) {
    around = findChange((day - 1) * DAY_MS, (day + 2) * DAY_MS, zone);
    days.set(day, around);
  }
  return around;
}

function findChange(from: number, to: number, zone: string): number | Change {
  const before = offsetAt(from, zone);
  const after = offsetAt(to, zone);
  if (before === after) return before;
  let [still, changed] = [from, to];
  while (changed - still > 1000) {
    const middle = Math.floor((still + changed) / 2000) * 1000;
    if (offsetAt(middle, zone) === before) still = middle;
    else changed = middle;
  }
  return { before, after, at: changed };
}
