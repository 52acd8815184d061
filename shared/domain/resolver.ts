// Who may be asked, in which order, and why. Same input, same answer, always.

import { type AskedRoster, askedRoster, isAsked } from './asked-roster.ts';
import { examine, mustBeWeighed, type Request, requestOf } from './gates.ts';
import type { Offer } from './handoff.ts';
import type { PersonId } from './ids.ts';
import { byTurn, type Load } from './load.ts';
import type { Packet } from './packet.ts';
import type { AskStep, Policy } from './policy.ts';
import { prepareRoster, type Standing } from './prepared-roster.ts';
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
  if (look.objection !== undefined) return { candidates: [], considered: allObjected(look, look.objection), objection: look.objection };
  const rules = new Map<number, string>();
  const considered: Considered[] = look.asked.verdicts.slice();
  for (const who of look.within) {
    const verdict = examine(who, look.request);
    const person = who.person.id;
    considered[who.at] = verdict.pass ? { person, eligible: true, rule: verdict.rule } : { person, eligible: false, failed: verdict.failed };
    if (verdict.pass) rules.set(who.at, verdict.rule);
  }
  return { candidates: inTurn(rules, input), considered };
}

/** The people about whom only what they carry can still decide: whose loads and open counts a resolution needs. */
export function peopleToWeigh(input: Pick<ResolverInput, 'packet' | 'policy' | 'now'>): PersonId[] {
  const { objection, within, request } = lookAt({ ...input, openCounts: {} });
  return objection === undefined ? within.filter((who) => mustBeWeighed(who, request)).map(({ person }) => person.id) : [];
}

function allObjected({ asked, request: { prepared } }: Look, { class: kind, because }: Objection): Considered[] {
  const failed = GATE_OF[kind] ?? because;
  return prepared.standings.map(({ person, at }) => (asked.asked[at] === 1 ? { person: person.id, eligible: false, failed } : (asked.verdicts[at] as Considered)));
}

/** Everybody of `asked` who is not `within` fails by territory, the first gate: of a large roster that is nearly everybody, and their verdicts were made with it. */
type Look = { request: Request; objection: Objection | undefined; asked: AskedRoster; within: readonly Standing[] };

function lookAt({ packet, policy, loads = {}, earlier = [], now }: ResolverInput): Look {
  const { contract, roster } = policy;
  const prepared = prepareRoster(roster);
  const asked = askedRoster(roster, contract.ask);
  const sides = prepared.sides(packet.location);
  const covered = prepared.coverage(packet.location, sides);
  const request = requestOf(packet, policy, { prepared, covered, loads, earlier, now });
  const positions = request.hasPlace ? within(asked, covered) : asked.positions;
  return {
    request,
    objection: objectionTo(packet, contract, { roster, sides, bound: asked.bound }),
    asked,
    within: positions.flatMap((at) => prepared.standings[at] ?? []),
  };
}

/** In the order of the roster. */
function within({ asked, everywhere }: AskedRoster, covered: ReadonlyMap<number, string>): number[] {
  const covering = [...covered.keys()].filter((at) => asked[at] === 1);
  return [...new Set([...everywhere, ...covering])].sort((one, other) => one - other);
}

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
