// When a window starts and ends: by the wall clock, or in the business time of a calendar.

import { businessDaysAfter, businessDeadline, type Found, nextOpening } from './business-time.ts';
import type { Calendar, Policy, Window } from './policy.ts';

/** A contract with the calendars there are. */
type Hours = Pick<Policy, 'contract' | 'calendars'>;

/** A calendar that a window names does not exist, or never opens for long enough. `baton policy check` refuses such a policy, so this is a fault. */
export class WindowWithoutEnd extends Error {
  override readonly name = 'WindowWithoutEnd';
}

/** The instant a window that starts at `startsAt` ends. Throws `WindowWithoutEnd`. */
export function deadlineAfter(startsAt: string, window: Window, calendars: readonly Calendar[]): string {
  if ('days' in window) return reachedBy(businessDaysAfter(startsAt, window.days, named(window.calendar, calendars)));
  if (window.calendar === undefined) return new Date(Date.parse(startsAt) + window.seconds * 1000).toISOString();
  return reachedBy(businessDeadline(startsAt, window.seconds, named(window.calendar, calendars)));
}

/**
 * When a window to accept starts that would start now: at the next opening, if the contract's calendar is closed and the
 * contract says so (C-07, C-08). The ownership clock runs meanwhile.
 */
export function acceptanceStartsAt(policy: Hours, now: string): string {
  const calendar = contractCalendar(policy);
  if (calendar === undefined || policy.contract.closedHours?.startsAt !== 'next-opening') return now;
  const opensAt = reachedBy(nextOpening(now, calendar));
  return Date.parse(opensAt) === Date.parse(now) ? now : opensAt;
}

/** What a customer is told who writes while the contract's calendar is closed, and when it opens; undefined while it is open (C-08). */
export function closedState(policy: Hours, now: string): { opensAt: string; tellCustomer: string } | undefined {
  const calendar = contractCalendar(policy);
  const { closedHours } = policy.contract;
  if (calendar === undefined || closedHours === undefined) return undefined;
  const opening = nextOpening(now, calendar);
  if (opening.kind !== 'at' || Date.parse(opening.instant) === Date.parse(now)) return undefined;
  return { opensAt: opening.instant, tellCustomer: closedHours.tellCustomer };
}

/** The calendars that windows of this policy may name: those of the contract's version first, then those in force. */
export const windowCalendars = ({ contract, calendars }: Hours): readonly Calendar[] => (contract.hours === undefined ? calendars : [...contract.hours, ...calendars]);

/** The calendar of the contract's business clock; undefined when it names none, or one that is gone. */
export function contractCalendar(policy: Hours): Calendar | undefined {
  const { calendar } = policy.contract;
  return calendar === undefined ? undefined : windowCalendars(policy).find((one) => one.name === calendar);
}

function named(name: string, calendars: readonly Calendar[]): Calendar {
  const calendar = calendars.find((one) => one.name === name);
  if (calendar === undefined) throw new WindowWithoutEnd(`no calendar is called ${name}`);
  return calendar;
}

function reachedBy(found: Found): string {
  if (found.kind === 'at') return found.instant;
  throw new WindowWithoutEnd(`calendar ${found.calendar} ${found.kind === 'never-opens' ? 'is never open' : 'has too few hours'} up to ${found.searchedUntil}`);
}
