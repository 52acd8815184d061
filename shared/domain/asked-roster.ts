// Whom a contract may ask at all, worked out once for a version of the contract and of the roster.

import type { AskStep, Person, Roster } from './policy.ts';
import { type NotEligible, prepareRoster } from './prepared-roster.ts';

export type AskedRoster = {
  /** By position: whether a step names them. */
  asked: Uint8Array;
  /** Positions of all whom a step names. */
  positions: readonly number[];
  /** Positions of those among them who serve everywhere: the only ones who can pass without covering the address. */
  everywhere: readonly number[];
  /** Whether anybody whom a step names serves only some places. */
  bound: boolean;
  /** By position: the verdict on whoever no step names, and on everybody else as if they did not cover the address. */
  verdicts: readonly NotEligible[];
};

const known = new WeakMap<Roster, WeakMap<readonly AskStep[], AskedRoster>>();

/** Policy books hand out one object a version, of contracts as of rosters. */
export function askedRoster(roster: Roster, ask: readonly AskStep[]): AskedRoster {
  const ofRoster = known.get(roster) ?? new WeakMap<readonly AskStep[], AskedRoster>();
  known.set(roster, ofRoster);
  const made = ofRoster.get(ask) ?? makeAskedRoster(roster, ask);
  ofRoster.set(ask, made);
  return made;
}

function makeAskedRoster(roster: Roster, ask: readonly AskStep[]): AskedRoster {
  const { people } = roster;
  const { outside } = prepareRoster(roster);
  const asked = whoIsAsked(roster, ask);
  const failed = `not asked: no step of the contract names them as ${[...new Set(ask.map((step) => step.role))].join(' or ')}`;
  const positions = people.flatMap((_, at) => (asked[at] === 1 ? [at] : []));
  const everywhere = positions.filter((at) => people[at]?.territories.length === 0);
  const notAsked = (person: Person): NotEligible => ({ person: person.id, eligible: false, failed });
  return {
    asked,
    positions,
    everywhere,
    bound: everywhere.length < positions.length,
    verdicts: people.map((person, at) => (asked[at] === 1 ? outside[at] : undefined) ?? notAsked(person)),
  };
}

/** A mark at the position of everybody whom a step names. */
function whoIsAsked(roster: Roster, ask: readonly AskStep[]): Uint8Array {
  const { holders, positions } = prepareRoster(roster);
  const marks = new Uint8Array(roster.people.length);
  const whole = new Set(ask.filter((step) => step.people === undefined).map((step) => step.role));
  for (const role of whole) for (const at of holders.get(role) ?? []) marks[at] = 1;
  for (const step of ask) {
    for (const id of step.people ?? []) {
      const at = positions.get(id);
      const person = at === undefined ? undefined : roster.people[at];
      if (at !== undefined && person !== undefined && isAsked(person, step)) marks[at] = 1;
    }
  }
  return marks;
}

/** Whether this step names them. */
export const isAsked = (person: Person, step: AskStep): boolean => person.roles.includes(step.role) && (step.people === undefined || step.people.includes(person.id));
