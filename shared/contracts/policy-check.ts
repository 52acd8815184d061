// What no file can know alone: that the people it names exist, that a backup is somebody else, that an escalation ends at a person.

import type { PersonId } from '../domain/ids.ts';
import type { AskStep, Calendar, Contract, ExceptionRule, Person, Window } from '../domain/policy.ts';

/** A place in a file, and what was expected there. */
export type Objection = { path: (string | number)[]; expected: string };

/** Asking is one after another, and the waiting machine of a handoff has a limited history. */
const MOST_ASKED = 50;

/** What is wrong with a contract, given the people there are. Paths are those of the file. */
export function checkContract(contract: Omit<Contract, 'version'>, people: readonly Person[]): Objection[] {
  const pair = (path: (string | number)[], { person, backup }: { person: PersonId; backup: PersonId }) => [
    ...owner(people, [...path, 'person'], person),
    ...owner(people, [...path, 'backup'], backup),
    ...differs([...path, 'backup'], backup, [person], 'expected a backup who is somebody else'),
  ];
  return [
    ...owner(people, ['changeOwner'], contract.changeOwner),
    ...Object.entries(contract.responsible).flatMap(([name, both]) => pair(['responsible', name], both)),
    ...pair(['custodianUntilAccepted'], contract.intakeLead),
    ...(contract.clarification === undefined || contract.clarification.answeredBy === 'intake'
      ? []
      : owner(people, ['clarification', 'answeredBy'], contract.clarification.answeredBy)),
    ...contract.ask.flatMap((step, index) => checkAsk(step, ['ask', index], people)),
    ...checkAsked(contract.ask, people),
    ...Object.entries(contract.exceptions).flatMap(([name, rule]) => (rule === undefined ? [] : checkException(rule, ['exceptions', name], people))),
  ];
}

/** What is wrong with a roster: somebody twice, or working hours that nobody wrote down. */
export function checkRoster(people: readonly Person[], calendars: readonly Calendar[]): Objection[] {
  return people.flatMap((person, index) => {
    const objections: Objection[] = [];
    if (people.findIndex((one) => one.id === person.id) !== index) objections.push({ path: ['people', index, 'id'], expected: 'expected each person once' });
    if (person.calendar !== undefined && !calendars.some((one) => one.name === person.calendar))
      objections.push({ path: ['people', index, 'calendar'], expected: `expected a calendar of calendars.yaml (${calendars.map((one) => one.name).join(', ')})` });
    return objections;
  });
}

export const checkCalendars = (calendars: readonly Calendar[]): Objection[] =>
  calendars.flatMap((calendar, index) =>
    calendars.findIndex((one) => one.name === calendar.name) === index ? [] : [{ path: ['calendars', index, 'name'], expected: 'expected each calendar once' }],
  );

/** An owner is one person of the roster who can be told. */
function owner(people: readonly Person[], path: (string | number)[], id: PersonId): Objection[] {
  const person = people.find((one) => one.id === id);
  if (person === undefined) return [{ path, expected: `expected a person of the roster (${people.map((one) => one.id).join(', ')})` }];
  if (person.email === undefined && person.sms === undefined) return [{ path, expected: 'expected a person who has an e-mail address or a phone number on the roster' }];
  return [];
}

function checkException(rule: ExceptionRule, path: (string | number)[], people: readonly Person[]): Objection[] {
  return [
    ...owner(people, [...path, 'owner'], rule.owner),
    ...owner(people, [...path, 'backup'], rule.backup),
    ...owner(people, [...path, 'escalateTo'], rule.escalateTo),
    ...differs([...path, 'backup'], rule.backup, [rule.owner], 'expected a backup who is somebody else'),
    ...differs([...path, 'escalateTo'], rule.escalateTo, [rule.owner], 'expected somebody other than the owner to escalate to'),
  ];
}

function checkAsk(step: AskStep, path: (string | number)[], people: readonly Person[]): Objection[] {
  const late =
    step.warnAt !== undefined && !isSooner(step.warnAt, step.window)
      ? [{ path: [...path, 'warnAt'], expected: 'expected a reminder before the window ends, counted in the same time' }]
      : [];
  return [...late, ...checkRole(step, path, people)];
}

/** Whether one length of time surely ends before another: lengths that are counted differently cannot be compared. */
function isSooner(one: Window, other: Window): boolean {
  if ('days' in one || 'days' in other) return 'days' in one && 'days' in other && one.calendar === other.calendar && one.days < other.days;
  return one.calendar === other.calendar && one.seconds < other.seconds;
}

function checkRole(step: AskStep, path: (string | number)[], people: readonly Person[]): Objection[] {
  const holders = people.filter((person) => person.roles.includes(step.role));
  if (holders.length === 0) return [{ path: [...path, 'who', 'role'], expected: 'expected a role that somebody on the roster holds' }];
  return (step.people ?? []).flatMap((id, index) =>
    holders.some((person) => person.id === id)
      ? []
      : [{ path: [...path, 'who', 'people', index], expected: `expected a ${step.role} of the roster (${holders.map((one) => one.id).join(', ')})` }],
  );
}

function checkAsked(ask: readonly AskStep[], people: readonly Person[]): Objection[] {
  const asked = people.filter((person) => ask.some((step) => person.roles.includes(step.role) && (step.people === undefined || step.people.includes(person.id))));
  return asked.length <= MOST_ASKED ? [] : [{ path: ['ask'], expected: `expected at most ${MOST_ASKED} people to be asked one after another (this names ${asked.length})` }];
}

const differs = (path: (string | number)[], id: PersonId, others: readonly PersonId[], expected: string): Objection[] => (others.includes(id) ? [{ path, expected }] : []);
