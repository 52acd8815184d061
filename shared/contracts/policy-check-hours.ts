// What is wrong with hours: calendars that never open, shifts that overlap, and windows that could not end.

import { businessSecondsBetween, nextOpening } from '../domain/business-time.ts';
import { fromLocal, plusDays } from '../domain/local-time.ts';
import { type Calendar, type Contract, type Interval, WEEKDAYS } from '../domain/policy.ts';
import type { Objection } from './policy-check.ts';
import { businessWindows } from './policy-window.ts';

/** No window of business time is longer than the hours of half a year, and no calendar closes for longer than a quarter. */
const MOST_WEEKS = 26;
const LONGEST_CLOSURE_DAYS = 92;

/** What is wrong with calendars, each by itself. */
export function checkHours(calendars: readonly Calendar[]): Objection[] {
  return calendars.flatMap((calendar, index) => {
    const path = ['calendars', index];
    if (weeklySeconds(calendar) === 0) return [{ path: [...path, 'weekly'], expected: 'expected hours on at least one day' }];
    return [...overlaps(calendar).map((where) => ({ path: [...path, ...where], expected: 'expected hours that do not overlap other hours' })), ...closures(calendar, path)];
  });
}

/** What is wrong with the calendars that a contract names. */
export function checkContractHours(contract: Omit<Contract, 'version'>, calendars: readonly Calendar[]): Objection[] {
  const unknown = (path: (string | number)[]) => ({ path, expected: `expected a calendar of calendars.yaml (${calendars.map((one) => one.name).join(', ')})` });
  const objections: Objection[] = [];
  if (contract.calendar !== undefined && !calendars.some((one) => one.name === contract.calendar)) objections.push(unknown(['calendar']));
  if (contract.closedHours !== undefined && contract.calendar === undefined)
    objections.push({ path: ['closedHours'], expected: 'expected calendar: in the contract, which says when it is closed' });
  for (const { path, window } of businessWindows(contract)) {
    const calendar = calendars.find((one) => one.name === window.calendar);
    if (calendar === undefined && window.calendar !== contract.calendar) objections.push(unknown([...path, 'calendar']));
    if (calendar !== undefined && isTooLong(window, calendar)) objections.push({ path, expected: `expected a window that ends within ${MOST_WEEKS} weeks of ${calendar.name}` });
  }
  return objections;
}

/** The calendars that a contract names, its own and those of its windows. */
export function calendarsNamed(contract: Omit<Contract, 'version'>, calendars: readonly Calendar[]): Calendar[] {
  const names = new Set([contract.calendar, ...businessWindows(contract).map(({ window }) => window.calendar)]);
  return calendars.filter((one) => names.has(one.name));
}

function isTooLong(window: { seconds: number } | { days: number }, calendar: Calendar): boolean {
  if ('days' in window) return window.days > MOST_WEEKS * WEEKDAYS.filter((day) => calendar.weekly[day].length > 0).length;
  return window.seconds > MOST_WEEKS * weeklySeconds(calendar);
}

/** Hours of a week without holidays and changes of clocks. */
const weeklySeconds = ({ weekly }: Calendar): number =>
  businessSecondsBetween('2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z', { name: 'a week', zone: 'UTC', weekly, closedOn: [] });

/** Places of hours that begin before earlier ones end, the shift of the evening before included. */
function overlaps({ weekly }: Calendar): (string | number)[][] {
  return WEEKDAYS.flatMap((day, index) => {
    const before = weekly[WEEKDAYS[(index + 6) % 7] ?? 'sun'].filter(isOvernight).map(({ to }) => ({ from: '00:00', to }));
    return weekly[day].flatMap((hours, at) => ([...before, ...weekly[day].slice(0, at)].some((other) => overlap(hours, other)) ? [['weekly', day, at]] : []));
  });
}

const isOvernight = ({ from, to }: Interval): boolean => to < from;
const overlap = (one: Interval, other: Interval): boolean => one.from < endOf(other) && other.from < endOf(one);
const endOf = (hours: Interval): string => (isOvernight(hours) ? '24:00' : hours.to);

function closures(calendar: Calendar, path: (string | number)[]): Objection[] {
  const shut = calendar.closedOn.some((date) => {
    const from = fromLocal(`${date}T00:00`, calendar.zone).instant;
    const until = fromLocal(`${plusDays(date, LONGEST_CLOSURE_DAYS)}T00:00`, calendar.zone).instant;
    const opening = nextOpening(from, calendar);
    return opening.kind !== 'at' || opening.instant > until;
  });
  return shut ? [{ path: [...path, 'closedOn'], expected: `expected a calendar that opens again within ${LONGEST_CLOSURE_DAYS} days` }] : [];
}
