// Laws of naming candidates: turns are fair whoever comes and goes, capacity is what is owned, and an index finds what a search finds.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexCodes } from '../../shared/domain/code-index.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId } from '../../shared/domain/ids.ts';
import { heldCapacity, type Load, loadChanges, NO_LOAD } from '../../shared/domain/load.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { coveringEntry } from '../../shared/domain/territory.ts';
import { aPacket, aPerson, aPolicy, later, NOW } from '../support/builders.ts';
import { aLife } from '../support/lives.ts';
import { live, lives, RUNS, SEED } from './random-lives.ts';

const law = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) => fc.assert(fc.property(arbitrary, holds), RUNS);

const PEOPLE = ['ann', 'bob', 'cy', 'dee'];

/** For each request, who could be asked; at least one. */
const presences = fc.array(fc.subarray(PEOPLE, { minLength: 1 }), { minLength: 1, maxLength: 60 });

/** Names candidates once a request, as the table would, and answers who had each turn. */
function turnsOf(requests: readonly (readonly string[])[], secondsBetween: number): string[] {
  const loads: Record<string, Load> = {};
  return requests.map((present, n) => {
    const now = later(NOW, n * secondsBetween);
    const people = PEOPLE.map((id) => aPerson(id, present.includes(id) ? {} : { away: [{ from: '2026-01-01', to: '2026-12-31' }] }));
    const policy = aPolicy({ people, contract: { ask: [{ role: 'seller', order: 'fair-turn', window: { seconds: 300 } }] } });
    const life = aLife(policy);
    const before = life.handoff;
    life.tell({ kind: 'resolve-candidates', commandId: commandId('r'), openCounts: {}, loads, packet: aPacket() }, now);
    const [change] = loadChanges(before, life.handoff, life.receipts.slice(1));
    if (change?.turn === undefined) throw new Error('nobody had the turn');
    const load = loads[change.person] ?? NO_LOAD;
    loads[change.person] = { ...load, turns: load.turns + 1, turnAt: change.turn.at };
    return change.person;
  });
}

/** By how many turns one of two people was ahead of the other, at most, within any stretch in which both could be asked throughout. */
function widestLead(requests: readonly (readonly string[])[], turns: readonly string[], [one, other]: readonly [string, string]): number {
  let leads = [0];
  let widest = 0;
  requests.forEach((present, n) => {
    const both = present.includes(one) && present.includes(other);
    const step = Number(turns[n] === one) - Number(turns[n] === other);
    leads = both ? [...leads, (leads.at(-1) ?? 0) + step] : [0];
    widest = Math.max(widest, Math.max(...leads) - Math.min(...leads));
  });
  return widest;
}

describe(`fair-turn, seed ${SEED}`, () => {
  test('R-03: in any stretch in which two people could both be asked, neither has more than one turn more than the other, whoever else comes and goes', () => {
    law(fc.tuple(presences, fc.constantFrom(0, 1, 3600)), ([requests, seconds]) => {
      const turns = turnsOf(requests, seconds);
      const pairs = PEOPLE.flatMap((one) => PEOPLE.filter((other) => one < other).map((other) => [one, other] as const));
      for (const [one, other] of pairs) expect(widestLead(requests, turns, [one, other]), `${one} and ${other}`).toBeLessThanOrEqual(1);
    });
  });

  test('R-03: who comes back after any absence has one turn before everybody else has had one, not those that were missed', () => {
    law(fc.tuple(fc.integer({ min: PEOPLE.length - 1, max: 40 }), fc.integer({ min: 1, max: 20 })), ([absent, after]) => {
      const requests = [...Array.from({ length: absent }, () => ['ann', 'bob', 'cy']), ...Array.from({ length: after }, () => PEOPLE)];
      const turns = turnsOf(requests, 60).slice(absent);
      expect(turns.filter((person) => person === 'dee')).toHaveLength(Math.ceil(after / PEOPLE.length));
      for (let start = 0; start + PEOPLE.length <= turns.length; start += 1) expect(new Set(turns.slice(start, start + PEOPLE.length)).size).toBe(PEOPLE.length);
    });
  });
});

describe(`loads, seed ${SEED}`, () => {
  test('R-05: what the changes add up to is exactly who owns the handoff, after every transition of every life', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life, moments } = live(policy, script, missing);
      const held = new Map<string, number>();
      let before: Handoff | undefined;
      let seen = 0;
      for (const { handoff, receipts } of moments) {
        for (const change of loadChanges(before, handoff, life.receipts.slice(seen, receipts))) held.set(change.person, (held.get(change.person) ?? 0) + change.held);
        const owner = heldCapacity(handoff);
        expect(Object.fromEntries([...held].filter(([, count]) => count !== 0)), handoff.state).toEqual(owner === undefined ? {} : { [owner]: 1 });
        before = handoff;
        seen = receipts;
      }
    });
  });
});

describe(`places, seed ${SEED}`, () => {
  const digits = (length: number) => fc.integer({ min: 0, max: 10 ** length - 1 }).map((number) => String(number).padStart(length, '0'));
  const code = fc.oneof(digits(2), digits(3), fc.constantFrom('V6B 1A1', 'sw1a1aa', '97201-1234'));
  const range = fc.oneof(fc.tuple(digits(2), digits(2)), fc.tuple(digits(3), digits(3))).map(([a, b]) => (a <= b ? `${a}-${b}` : `${b}-${a}`));

  test('R-06: the index of a roster finds exactly the entries that a search through all of them finds', () => {
    law(fc.tuple(fc.array(fc.oneof(code, range), { maxLength: 30 }), code), ([entries, wanted]) => {
      const found = indexCodes(entries.map((entry) => ({ entry, value: entry }))).covering(wanted);
      expect(found.sort()).toEqual(entries.filter((entry) => coveringEntry([entry], wanted) !== undefined).sort());
    });
  });

  test('R-06: an address is asked of candidates only when it is on exactly one side', () => {
    law(fc.tuple(fc.array(range, { minLength: 1, maxLength: 6 }), digits(2)), ([ranges, postalCode]) => {
      const territories = ranges.map((entry, n) => ({ name: `t-${n}`, postalCodes: [entry], regions: [] }));
      const base = aPolicy({ people: [aPerson('rosa', { territories: territories.map((one) => one.name) })] });
      const policy: Policy = { ...base, roster: { ...base.roster, territories } };
      const life = aLife(policy);
      life.tell({ kind: 'resolve-candidates', commandId: commandId('r'), openCounts: {}, packet: aPacket({ location: { postalCode } }) }, NOW);
      const sides = ranges.filter((entry) => coveringEntry([entry], postalCode) !== undefined).length;
      expect(life.handoff.candidates).toHaveLength(sides === 1 ? 1 : 0);
      expect(life.handoff.toRaise?.class).toBe(sides === 1 ? undefined : 'territory-unknown');
    });
  });
});
