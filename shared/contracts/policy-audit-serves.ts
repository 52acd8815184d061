// Whether what a contract starts on and promises has somebody who may be asked (C-03, R-02).

import type { Contract, Person, Policy, Roster } from '../domain/policy.ts';
import { coveringEntry, rangeOf } from '../domain/territory.ts';
import type { Advice } from './policy-check.ts';

/** Promises that nobody keeps, and those that hang on one person. */
export function auditServes({ contract, roster }: Policy, asked: readonly Person[], day?: string): Advice[] {
  return [...unsold(contract, asked), ...unserved(contract, roster, asked), ...unlicensed(contract, asked, day), ...undrawn(roster, asked)];
}

const sells = (person: Person, product: string): boolean => person.products.length === 0 || person.products.includes(product);

/** Every product that a signal may start with. */
function unsold({ starts, service, regulated, safety }: Contract, asked: readonly Person[]): Advice[] {
  const sortedOut = new Set([...(service?.categories ?? []), ...(regulated?.categories ?? []), ...(safety?.categories ?? [])]);
  const named = starts.flatMap(({ category }, start) => (category ?? []).map((product, index) => ({ product, path: ['starts', start, 'where', 'category', index] })));
  return named.flatMap(({ product, path }): Advice[] => {
    const sellers = asked.filter((person) => sells(person, product));
    const [only] = sellers;
    if (sortedOut.has(product) || (only !== undefined && sellers.length > 1)) return [];
    if (only === undefined)
      return [{ path, sentence: `nobody who is asked sells ${product}: each such request becomes no-eligible-owner; add somebody, or take it out`, rule: 'C-03' }];
    return [
      { path, sentence: `only ${only.id} sells ${product}: away, off duty or full, each such request becomes no-eligible-owner; add somebody, or accept that`, rule: 'C-03' },
    ];
  });
}

/** Every combination that `serves` promises, all rules at once. */
function unserved({ serves }: Contract, roster: Roster, asked: readonly Person[]): Advice[] {
  if (serves === undefined) return [];
  const advice: Advice[] = [];
  for (const product of serves.products)
    for (const language of serves.languages ?? [undefined])
      for (const territory of serves.territories ?? [undefined]) {
        const fits = (person: Person) =>
          sells(person, product) &&
          (language === undefined || person.languages.includes(language)) &&
          (territory === undefined || person.territories.length === 0 || covers(person, territory));
        if (asked.some(fits)) continue;
        const combination = [product, language, territory].filter((part) => part !== undefined).join(' · ');
        advice.push({ path: ['serves'], sentence: `nobody who is asked serves ${combination}: add somebody, or promise less`, rule: 'C-03' });
      }
  const drawn = new Set(roster.territories?.map((one) => one.name));
  const unknown = (serves.territories ?? []).filter((name) => !/\d/.test(name) && !drawn.has(name));
  return [
    ...advice,
    ...unknown.map((name): Advice => ({ path: ['serves', 'territories'], sentence: `${name} is no territory of roster.yaml: draw it there, or correct the name`, rule: 'R-06' })),
  ];
}

/** A person covers a range when they cover both of its ends by one entry; a name, when they serve it by name. */
function covers(person: Person, territory: string): boolean {
  if (person.territories.includes(territory)) return true;
  const ends = rangeOf(territory) ?? { from: territory, to: territory };
  const entry = coveringEntry(person.territories, ends.from);
  return entry !== undefined && coveringEntry([entry], ends.to) !== undefined;
}

function unlicensed({ licences = [] }: Contract, asked: readonly Person[], day?: string): Advice[] {
  return licences.flatMap(({ licence }, index): Advice[] => {
    const path = ['licences', index];
    const holders = asked.filter((person) => person.licences?.some((one) => one.name === licence));
    if (holders.length === 0)
      return [{ path, sentence: `nobody who is asked holds ${licence}: each such request becomes no-eligible-owner; enter the licence in roster.yaml`, rule: 'C-03' }];
    if (day === undefined) return [];
    const valid = holders.filter((person) => person.licences?.some(({ name, from = day, until }) => name === licence && from <= day && day <= until));
    if (valid.length > 0) return [];
    return [{ path, sentence: `nobody's ${licence} is valid on ${day} (${holders.map((person) => person.id).join(', ')}): renew it, and enter the new date`, rule: 'C-03' }];
  });
}

/** A territory of the map that nobody who is asked serves. A contract whose people serve everywhere asks no map. */
function undrawn({ territories = [] }: Roster, asked: readonly Person[]): Advice[] {
  if (asked.some((person) => person.territories.length === 0)) return [];
  const served = (name: string, postalCodes: readonly string[]) =>
    asked.some((person) => person.territories.includes(name) || postalCodes.some((entry) => coveringEntry(person.territories, rangeOf(entry)?.from ?? entry) !== undefined));
  return territories
    .filter(({ name, postalCodes }) => !served(name, postalCodes))
    .map(({ name }): Advice => ({ path: ['ask'], sentence: `nobody who is asked serves ${name}: name somebody in roster.yaml`, rule: 'C-03' }));
}
