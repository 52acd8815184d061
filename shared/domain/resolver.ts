// Who may be asked, in which order, and why. Same input, same answer, always.

import { examine, mustBeWeighed, outsideOf, type Request, requestOf } from './gates.ts';
import type { Offer } from './handoff.ts';
import type { PersonId } from './ids.ts';
import { byTurn, type Load } from './load.ts';
import type { Packet } from './packet.ts';
import type { AskStep, Person, Policy } from './policy.ts';
import { type PreparedRoster, prepareRoster, type Standing } from './prepared-roster.ts';
import type { Candidate, Considered } from './receipt.ts';
import { GATE_OF, type Objection, objectionTo } from './request-gates.ts';

/**
 * What the gates look at. `openCounts` is how many open handoffs each person holds, for `least-open`; `loads` is what they
 * carry, for capacity and turns; `earlier` are the offers this handoff made before.
 */
export type ResolverInput = {
  packet: Packet;
  policy: Policy;
  openCounts: Readonly<Record<string, number>>;
  loads?: Readonly<Record<string, Load>>;
  earlier?: readonly Offer[];
  now: string;
};

/** Who may be asked, everybody with a verdict, and why a person must sort the request out before anybody is asked. */
export type Resolution = { candidates: Candidate[]; considered: Considered[]; objection?: Objection };

/** Asking is one after another, and the waiting machine of a handoff has a limited history. */
export const MOST_CANDIDATES = 50;

/**
 * Everyone on the roster with a verdict, and those who passed in the order of asking. A person appears once, in the first
 * step that names them; a step without anybody eligible leaves no trace among the candidates.
 * The texts name rules and entries of the roster, never what the customer wrote: they end up in receipts.
 */
export function resolveCandidates(input: ResolverInput): Resolution {
  const look = lookAt(input);
  const rules = new Map<number, string>();
  const considered = look.request.prepared.standings.map((who): Considered => {
    const verdict = verdictOn(who, look);
    if (verdict.eligible) rules.set(who.at, verdict.rule);
    return verdict;
  });
  return { candidates: inTurn(rules, input), considered, ...(look.objection !== undefined && { objection: look.objection }) };
}

/** The people about whom only what they carry can still decide: whose loads and open counts a resolution needs. */
export function peopleToWeigh(input: Pick<ResolverInput, 'packet' | 'policy' | 'now'>): PersonId[] {
  const look = lookAt({ ...input, openCounts: {} });
  if (look.objection !== undefined) return [];
  const { request, asked } = look;
  const weighed = request.prepared.standings.filter((who) => asked[who.at] === 1 && outsideOf(who, request) === undefined && mustBeWeighed(who, request));
  return weighed.map(({ person }) => person.id);
}

function verdictOn(who: Standing, { asked, notAsked, objection, request }: Look): Considered {
  const person = who.person.id;
  if (asked[who.at] !== 1) return { person, eligible: false, failed: notAsked };
  if (objection !== undefined) return { person, eligible: false, failed: GATE_OF[objection.class] ?? objection.because };
  const outside = outsideOf(who, request);
  if (outside !== undefined) return outside;
  const verdict = examine(who, request);
  return verdict.pass ? { person, eligible: true, rule: verdict.rule } : { person, eligible: false, failed: verdict.failed };
}

type Look = { request: Request; objection: Objection | undefined; asked: Uint8Array; notAsked: string };

function lookAt({ packet, policy, loads = {}, earlier = [], now }: ResolverInput): Look {
  const { contract, roster } = policy;
  const prepared = prepareRoster(roster);
  const asked = whoIsAsked(contract.ask, roster.people, prepared);
  const sides = prepared.sides(packet.location);
  const bound = roster.people.some((person, at) => asked[at] === 1 && person.territories.length > 0);
  return {
    request: requestOf(packet, policy, { prepared, covered: prepared.coverage(packet.location, sides), loads, earlier, now }),
    objection: objectionTo(packet, contract, { roster, sides, bound }),
    asked,
    notAsked: `not asked: no step of the contract names them as ${[...new Set(contract.ask.map((step) => step.role))].join(' or ')}`,
  };
}

/** A mark at the position of everybody whom a step names. */
function whoIsAsked(ask: readonly AskStep[], people: readonly Person[], { holders, positions }: PreparedRoster): Uint8Array {
  const marks = new Uint8Array(people.length);
  const whole = new Set(ask.filter((step) => step.people === undefined).map((step) => step.role));
  for (const role of whole) for (const at of holders.get(role) ?? []) marks[at] = 1;
  for (const step of ask) {
    for (const id of step.people ?? []) {
      const at = positions.get(id);
      const person = at === undefined ? undefined : people[at];
      if (at !== undefined && person !== undefined && isAsked(person, step)) marks[at] = 1;
    }
  }
  return marks;
}

const isAsked = (person: Person, step: AskStep): boolean => person.roles.includes(step.role) && (step.people === undefined || step.people.includes(person.id));

/** The eligible, step by step, each in the first step that names them. */
function inTurn(rules: Map<number, string>, input: ResolverInput): Candidate[] {
  const { contract, roster } = input.policy;
  const { standings } = prepareRoster(roster);
  let waiting = [...rules.keys()].flatMap((at) => standings[at] ?? []);
  const candidates: Candidate[] = [];
  contract.ask.forEach((ask, step) => {
    if (waiting.length === 0) return;
    const named: Standing[] = [];
    const others: Standing[] = [];
    for (const one of waiting) (isAsked(one.person, ask) ? named : others).push(one);
    waiting = others;
    const room = MOST_CANDIDATES - candidates.length;
    for (const { person, at } of firstOf(named, orderOf(ask, input), room)) candidates.push({ person: person.id, step, rule: rules.get(at) ?? '' });
  });
  return candidates;
}

/** The first few of a list in an order, without putting all of it in order. */
function firstOf<One>(list: readonly One[], compare: (a: One, b: One) => number, most: number): One[] {
  const first: One[] = [];
  for (const one of list) {
    const last = first.at(-1);
    if (first.length >= most && (last === undefined || compare(one, last) >= 0)) continue;
    let at = first.length;
    while (at > 0 && compare(one, first[at - 1] ?? one) < 0) at -= 1;
    first.splice(at, 0, one);
    if (first.length > most) first.pop();
  }
  return first;
}

function orderOf(ask: AskStep, { openCounts, loads = {} }: ResolverInput): (one: Standing, other: Standing) => number {
  switch (ask.order) {
    case 'fixed': {
      const listed = ask.people;
      return listed === undefined ? (one, other) => one.at - other.at : (one, other) => listed.indexOf(one.person.id) - listed.indexOf(other.person.id);
    }
    case 'least-open':
      return (one, other) => (openCounts[one.person.id] ?? 0) - (openCounts[other.person.id] ?? 0) || (one.person.id < other.person.id ? -1 : 1);
    case 'fair-turn': {
      const turn = byTurn(loads);
      return (one, other) => turn(one.person.id, other.person.id);
    }
  }
}
