// A roster made ready for many resolutions: who holds which role and who serves which place, found without asking everybody.

import { type CodeIndex, indexCodes, listIn } from './code-index.ts';
import type { PersonId } from './ids.ts';
import type { Packet } from './packet.ts';
import type { Person, Roster, Territory } from './policy.ts';
import type { Considered } from './receipt.ts';

/** An entry of somebody's territories, with its place in their list: the first that covers an address is the one that is named. */
type Claim = { at: number; order: number; entry: string };

export type NotEligible = Extract<Considered, { eligible: false }>;

/** A person of the roster, and where they stand in it. */
export type Standing = { person: Person; at: number };

export type PreparedRoster = {
  /** Everybody, in the order of the roster. */
  standings: readonly Standing[];
  /** Where somebody stands in the roster. */
  positions: ReadonlyMap<PersonId, number>;
  /** Positions of the holders of a role, in the order of the roster. */
  holders: ReadonlyMap<string, readonly number[]>;
  /** By position: the verdict on whoever does not cover an address. Most of a large roster fails by it, so it is made once. */
  outside: readonly NotEligible[];
  otherProduct: readonly string[];
  /** The territories that an address lies in: one if all is well. */
  sides(location: Packet['location']): string[];
  /** By position, the entry that covers an address; whoever serves everywhere is not among them. */
  coverage(location: Packet['location'], sides: readonly string[]): Map<number, string>;
};

const prepared = new WeakMap<Roster, PreparedRoster>();

/** Prepares a version of the roster once; policy books hand out one object a version. */
export function prepareRoster(roster: Roster): PreparedRoster {
  const known = prepared.get(roster);
  if (known !== undefined) return known;
  const made = prepare(roster);
  prepared.set(roster, made);
  return made;
}

function prepare({ people, territories = [] }: Roster): PreparedRoster {
  const holders = new Map<string, number[]>();
  people.forEach((person, at) => {
    for (const role of new Set(person.roles)) listIn(holders, role).push(at);
  });
  const names = new Set(territories.map((territory) => territory.name));
  const claims = people.flatMap((person, at) => person.territories.map((entry, order): Claim => ({ at, order, entry })));
  const byCode = indexCodes(claims.filter(({ entry }) => !names.has(entry)).map((value) => ({ entry: value.entry, value })));
  const byName = new Map<string, Claim[]>();
  for (const claim of claims) if (names.has(claim.entry)) listIn(byName, claim.entry).push(claim);
  return {
    positions: new Map(people.map((person, at) => [person.id, at])),
    standings: people.map((person, at) => ({ person, at })),
    holders,
    outside: people.map((person) => ({ person: person.id, eligible: false, failed: `outside territory: serves ${brief(person.territories)}` })),
    otherProduct: people.map((person) => `other product: sells ${brief(person.products)}`),
    sides: sidesOf(territories),
    coverage: coverageOf(byCode, byName),
  };
}

/** Receipts name a few entries; the rest stands in the roster. */
const MOST_NAMED = 5;
const brief = (entries: Person['territories']): string =>
  entries.length <= MOST_NAMED ? entries.join(', ') : `${entries.slice(0, MOST_NAMED).join(', ')} and ${entries.length - MOST_NAMED} more`;

function sidesOf(territories: readonly Territory[]): PreparedRoster['sides'] {
  const byCode = indexCodes(territories.flatMap(({ name, postalCodes }) => postalCodes.map((entry) => ({ entry, value: name }))));
  const byRegion = new Map<string, string[]>();
  for (const { name, regions } of territories) for (const region of regions) listIn(byRegion, regionName(region)).push(name);
  return ({ postalCode, region }) => {
    const found = [...(postalCode === undefined ? [] : byCode.covering(postalCode)), ...(region === undefined ? [] : (byRegion.get(regionName(region)) ?? []))];
    return [...new Set(found)].sort();
  };
}

/** `OR`, `or` and `US-OR` are one region. */
const regionName = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/^[A-Z]{2}-/, '');

function coverageOf(byCode: CodeIndex<Claim>, byName: ReadonlyMap<string, readonly Claim[]>): PreparedRoster['coverage'] {
  return ({ postalCode }, sides) => {
    const claims = [...(postalCode === undefined ? [] : byCode.covering(postalCode)), ...sides.flatMap((side) => byName.get(side) ?? [])];
    const first = new Map<number, Claim>();
    for (const claim of claims) {
      const known = first.get(claim.at);
      if (known === undefined || claim.order < known.order) first.set(claim.at, claim);
    }
    return new Map([...first].map(([at, { entry }]) => [at, entry]));
  };
}
