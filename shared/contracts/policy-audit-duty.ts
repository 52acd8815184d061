// Whether somebody is there when they are needed: owners with their backups on duty, and people to ask on every day (C-03).

import { isOpen } from '../domain/business-time.ts';
import type { PersonId } from '../domain/ids.ts';
import { localParts, plusDays } from '../domain/local-time.ts';
import type { Calendar, ExceptionRule, Person, Policy } from '../domain/policy.ts';
import type { Advice } from './policy-check.ts';

/** Hours and days on which nobody would be there. */
export function auditDuty(policy: Policy, asked: readonly Person[]): Advice[] {
  return [...uncovered(policy), ...bothAway(policy), ...allAway(asked)];
}

const HALF_HOURS = 7 * 48;
const HALF_HOUR_MS = 30 * 60 * 1000;
/** Some week; only its weekdays matter. */
const MONDAY = Date.parse('2026-01-12T00:00:00Z');

/** For each exception, the hours of the contract in which none of its three people is on duty. */
function uncovered({ contract, roster, calendars }: Policy): Advice[] {
  const own = calendars.find((one) => one.name === contract.calendar);
  if (own === undefined) return [];
  const known = new Map<string, string | undefined>();
  return rulesOf(contract.exceptions).flatMap(([name, rule]): Advice[] => {
    const team = [...new Set([rule.owner, rule.backup, rule.escalateTo])];
    const hours = team.map((id) => hoursOf(id, roster.people, calendars));
    const every = hours.some((one) => one === undefined);
    const key = team.join();
    if (!known.has(key)) known.set(key, every ? undefined : gap(own, hours as Calendar[])); // none is undefined here
    const missing = known.get(key);
    if (missing === undefined) return [];
    return [{ path: ['exceptions', name], sentence: `${own.name} is open ${missing}, when none of ${team.join(', ')} is on duty: name somebody who is`, rule: 'C-03' }];
  });
}

const rulesOf = (exceptions: Policy['contract']['exceptions']): [string, ExceptionRule][] =>
  Object.entries(exceptions).filter((entry): entry is [string, ExceptionRule] => entry[1] !== undefined);

/** The hours somebody keeps; undefined for who keeps none and is always there. */
function hoursOf(id: PersonId, people: readonly Person[], calendars: readonly Calendar[]): Calendar | undefined {
  const name = people.find((person) => person.id === id)?.calendar;
  return name === undefined ? undefined : calendars.find((one) => one.name === name);
}

/** When a plain week of `own` is open and no other is, in words: the first time, and how much there is of it. */
function gap(own: Calendar, others: readonly Calendar[]): string | undefined {
  const [week, ...rest] = [own, ...others].map(plainWeek);
  if (week === undefined) return undefined;
  const open = Array.from({ length: HALF_HOURS }, (_, index) => new Date(MONDAY + index * HALF_HOUR_MS).toISOString()).filter(
    (instant) => isOpen(week, instant) && !rest.some((calendar) => isOpen(calendar, instant)),
  );
  const [first] = open;
  if (first === undefined) return undefined;
  const { weekday, time } = localParts(first, own.zone);
  return `${open.length / 2} hours a week, first ${weekday} ${time}`;
}

const plainWeek = ({ name, zone, weekly }: Calendar): Calendar => ({ name, zone, weekly, closedOn: [] });

/** Days on which an owner and the backup are both away. */
function bothAway({ contract, roster }: Policy): Advice[] {
  const pairs = [
    { path: ['custodianUntilAccepted', 'backup'], owner: contract.intakeLead.person, backup: contract.intakeLead.backup },
    ...rulesOf(contract.exceptions).map(([name, { owner, backup }]) => ({ path: ['exceptions', name, 'backup'], owner, backup })),
  ];
  return pairs.flatMap(({ path, owner, backup }): Advice[] => {
    const day = sharedDay(absences(owner, roster.people), absences(backup, roster.people));
    if (day === undefined) return [];
    return [{ path, sentence: `${owner} and ${backup} are both away on ${day}: name another backup, or move the days`, rule: 'C-03' }];
  });
}

const absences = (id: PersonId, people: readonly Person[]) => people.find((person) => person.id === id)?.away ?? [];

function sharedDay(one: Person['away'], other: Person['away']): string | undefined {
  const days = one.flatMap((a) => other.flatMap((b) => (a.from <= b.to && b.from <= a.to ? [a.from, b.from].sort().slice(1) : [])));
  return days.sort()[0];
}

/** A day on which everybody who is asked is away. */
function allAway(asked: readonly Person[]): Advice[] {
  const starts = [...new Set(asked.flatMap((person) => person.away.flatMap(({ from, to }) => [from, plusDays(to, 1)])))].sort();
  const day = starts.find((date) => asked.length > 0 && asked.every((person) => person.away.some(({ from, to }) => from <= date && date <= to)));
  return day === undefined
    ? []
    : [{ path: ['ask'], sentence: `everybody who is asked is away on ${day}: each request becomes no-eligible-owner; move somebody's days`, rule: 'C-03' }];
}
