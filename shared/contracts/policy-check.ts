// What no file can know alone: that the people it names exist, that a backup is somebody else, that an escalation ends at a person.

import { isAmbiguous } from '../domain/answer-window.ts';
import { unreachable } from '../domain/channels.ts';
import type { PersonId } from '../domain/ids.ts';
import type { AnswerWindow, AskStep, Calendar, Contract, ExceptionRule, Person, Roster, Territory, Window } from '../domain/policy.ts';

/** A place in a file, and what was expected there. */
export type Objection = { path: (string | number)[]; expected: string; rule?: string };

/** A place in a file, what is risky there and what to do about it, and the rule it follows from. */
export type Advice = { path: (string | number)[]; sentence: string; rule: string };

/** What is wrong with a contract, given the people there are. Paths are those of the file. */
export function checkContract(contract: Omit<Contract, 'version'>, people: readonly Person[]): Objection[] {
  const pair = (path: (string | number)[], { person, backup }: { person: PersonId; backup: PersonId }) => [
    ...owner(people, [...path, 'person'], person),
    ...owner(people, [...path, 'backup'], backup),
    ...differs([...path, 'backup'], backup, [person], 'expected a backup who is somebody else'),
  ];
  const holder = (path: (string | number)[], { role, backup }: { role: string; backup: PersonId }) => [
    ...(people.some((person) => person.roles.includes(role)) ? [] : [{ path: [...path, 'role'], expected: 'expected a role that somebody on the roster holds', rule: 'C-03' }]),
    ...owner(people, [...path, 'backup'], backup),
  ];
  return [
    ...owner(people, ['changeOwner'], contract.changeOwner),
    ...Object.entries(contract.responsible).flatMap(([name, one]) => ('role' in one ? holder(['responsible', name], one) : pair(['responsible', name], one))),
    ...pair(['custodianUntilAccepted'], contract.intakeLead),
    ...(contract.clarification === undefined || contract.clarification.answeredBy === 'intake'
      ? []
      : owner(people, ['clarification', 'answeredBy'], contract.clarification.answeredBy)),
    ...(contract.windows ?? []).flatMap((one, index, all) => checkWindow(one, index, all)),
    ...contract.ask.flatMap((step, index) => checkAsk(step, ['ask', index], people)),
    ...Object.entries(contract.exceptions).flatMap(([name, rule]) => (rule === undefined ? [] : checkException(rule, ['exceptions', name], people))),
    ...checkSafety(contract),
  ];
}

/** What is wrong with a roster: somebody twice, working hours that nobody wrote down, or a territory that nobody drew. */
export function checkRoster({ people, territories = [] }: Omit<Roster, 'version'>, calendars: readonly Calendar[]): Objection[] {
  const twice = territories.flatMap(({ name }, index): Objection[] =>
    territories.findIndex((one) => one.name === name) === index ? [] : [{ path: ['territories', index, 'name'], expected: 'expected each territory once' }],
  );
  const ofPeople = people.flatMap((person, index) => {
    const objections: Objection[] = [];
    if (people.findIndex((one) => one.id === person.id) !== index) objections.push({ path: ['people', index, 'id'], expected: 'expected each person once' });
    if (person.calendar !== undefined && !calendars.some((one) => one.name === person.calendar))
      objections.push({ path: ['people', index, 'calendar'], expected: `expected a calendar of calendars.yaml (${calendars.map((one) => one.name).join(', ')})` });
    person.territories.forEach((entry, at) => {
      if (!isDrawn(entry, territories)) objections.push({ path: ['people', index, 'territories', at], expected: unknownPlace(territories), rule: 'R-06' });
    });
    for (const { channel } of person.closedChannels ?? [])
      if (person[channel] === undefined)
        objections.push({ path: ['people', index, 'notReachableBy'], expected: `expected a channel that they have an address for, not ${channel}` });
    return objections;
  });
  return [...twice, ...ofPeople];
}

/** Postal codes stand for themselves; a name must be that of a territory. */
const isDrawn = (entry: string, territories: readonly Territory[]): boolean => /\d/.test(entry) || territories.some((one) => one.name === entry);

const unknownPlace = (territories: readonly Territory[]): string =>
  `expected postal codes, or a territory of roster.yaml${territories.length === 0 ? '' : ` (${territories.map((one) => one.name).join(', ')})`}`;

export const checkCalendars = (calendars: readonly Calendar[]): Objection[] =>
  calendars.flatMap((calendar, index) =>
    calendars.findIndex((one) => one.name === calendar.name) === index ? [] : [{ path: ['calendars', index, 'name'], expected: 'expected each calendar once' }],
  );

/** An owner is one person of the roster who can be told. */
function owner(people: readonly Person[], path: (string | number)[], id: PersonId): Objection[] {
  const person = people.find((one) => one.id === id);
  if (person === undefined) return [{ path, expected: `expected a person of the roster (${listed(people)})`, rule: 'C-02' }];
  if (person.email === undefined && person.sms === undefined)
    return [{ path, expected: 'expected a person who has an e-mail address or a phone number on the roster', rule: 'C-03' }];
  const because = unreachable(person);
  return because === undefined ? [] : [{ path, expected: `expected a person who can be reached (${because})`, rule: 'C-03' }];
}

/** Of two rules that name equally many things, no request may meet both: nobody could say which window it gets (C-06). */
function checkWindow({ when, window, warnAt }: AnswerWindow, index: number, all: readonly AnswerWindow[]): Objection[] {
  const twin = all.findIndex((one, at) => at < index && isAmbiguous(one.when, when));
  return [
    ...(warnAt !== undefined && !isSooner(warnAt, window)
      ? [{ path: ['windows', index, 'warnAt'], expected: 'expected a reminder before the window ends, counted in the same time' }]
      : []),
    ...(twin < 0 ? [] : [{ path: ['windows', index, 'when'], expected: `expected something that tells it from windows[${twin}]: a request could be meant by both`, rule: 'C-06' }]),
  ];
}

/** Whoever answers for a matter of safety is named, and asked by the wall clock: it waits for no opening hours (E-04). */
function checkSafety({ safety, exceptions }: Pick<Contract, 'safety' | 'exceptions'>): Objection[] {
  const rule = exceptions['safety-urgent'];
  if (rule === undefined)
    return safety === undefined ? [] : [{ path: ['exceptions'], expected: 'expected safety-urgent: who answers for the matters of safety that the contract names', rule: 'E-04' }];
  return (['respond', 'review'] as const).flatMap((name): Objection[] =>
    'calendar' in rule[name]
      ? [{ path: ['exceptions', 'safety-urgent', name], expected: 'expected time by the wall clock, such as 5m: a matter of safety waits for no opening hours', rule: 'E-04' }]
      : [],
  );
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
  if (holders.length === 0) return [{ path: [...path, 'who', 'role'], expected: 'expected a role that somebody on the roster holds', rule: 'C-03' }];
  return (step.people ?? []).flatMap((id, index) =>
    holders.some((person) => person.id === id)
      ? []
      : [{ path: [...path, 'who', 'people', index], expected: `expected a ${step.role} of the roster (${listed(holders)})`, rule: 'C-03' }],
  );
}

/** A long roster is not written out in a message. */
const MOST_NAMED = 12;
const listed = (people: readonly Person[]): string =>
  people.length <= MOST_NAMED
    ? people.map((one) => one.id).join(', ')
    : `${people
        .slice(0, MOST_NAMED)
        .map((one) => one.id)
        .join(', ')} and ${people.length - MOST_NAMED} more`;

const differs = (path: (string | number)[], id: PersonId, others: readonly PersonId[], expected: string): Objection[] =>
  others.includes(id) ? [{ path, expected, rule: 'C-03' }] : [];
