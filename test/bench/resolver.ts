// How long it takes to name who may be asked, in a company that is larger than any that will use Baton.

import { personId } from '../../shared/domain/ids.ts';
import type { Contract, Person, Policy } from '../../shared/domain/policy.ts';
import { prepareRoster } from '../../shared/domain/prepared-roster.ts';
import { type ResolverInput, resolveCandidates } from '../../shared/domain/resolver.ts';
import { aCalendar, aContract, aPacket, aPerson, NOW } from '../support/builders.ts';
import { median, type Print, percentile } from './figure.ts';

const PEOPLE = 10_000;
const TERRITORIES = 100;
const STEPS = 50;
const LICENCES = 50;
const ROUNDS = 2000;
const WARM_UP = 200;
const BUDGET_MS = 1;

/** 10,000 people in 100 territories, and 200 rules: 100 boundaries, 50 steps of asking, 50 licences. */
export async function resolverFigures(print: Print): Promise<void> {
  const policy = aLargePolicy();
  const from = performance.now();
  prepareRoster(policy.roster);
  print('resolver-prepare', rounded(performance.now() - from), 'ms', { people: PEOPLE, once: 'per version of the roster' });

  const input = (n: number): ResolverInput => ({
    packet: aPacket({
      location: { postalCode: String(10_000 + (n % TERRITORIES) * 100 + 5) },
      request: { category: `product-${n % LICENCES}` },
      contact: { language: n % 2 === 0 ? 'en' : 'es' },
    }),
    policy,
    openCounts: {},
    loads: {},
    now: NOW,
  });
  for (let n = 0; n < WARM_UP; n++) resolveCandidates(input(n));
  const before = process.threadCpuUsage();
  const times = Array.from({ length: ROUNDS }, (_, n) => timed(() => resolveCandidates(input(n)))).sort((a, b) => a - b);
  const { user, system } = process.threadCpuUsage(before);
  const more = { people: PEOPLE, rules: TERRITORIES + STEPS + LICENCES, rounds: ROUNDS, budget: BUDGET_MS };
  print('resolver', rounded(median(times)), 'ms', { ...more, of: 'p50' });
  print('resolver', rounded(percentile(times, 95)), 'ms', { ...more, of: 'p95' });
  // The clock also counts the time in which this machine did something else; the processor's time does not.
  print('resolver', rounded((user + system) / 1000 / ROUNDS), 'ms', { ...more, of: 'mean of processor time' });
}

function timed(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

export function aLargePolicy(): Policy {
  const territories = Array.from({ length: TERRITORIES }, (_, n) => ({ name: `territory-${n}`, postalCodes: [`${10_000 + n * 100}-${10_099 + n * 100}`], regions: [] }));
  const people = Array.from(
    { length: PEOPLE },
    (_, n): Person =>
      aPerson(`person-${n}`, {
        roles: [`role-${n % STEPS}`, 'seller'],
        territories: [`territory-${n % TERRITORIES}`],
        languages: n % 3 === 0 ? ['en', 'es'] : ['en'],
        calendar: 'office',
        capacity: 20,
        licences: Array.from({ length: LICENCES }, (_, licence) => ({ name: `licence-${licence}`, until: '2027-12-31' })),
      }),
  );
  const contract: Partial<Contract> = {
    ask: Array.from({ length: STEPS }, (_, n) => ({ role: `role-${n}`, order: n % 2 === 0 ? 'fair-turn' : 'least-open', window: { seconds: 300 } })),
    licences: Array.from({ length: LICENCES }, (_, n) => ({ licence: `licence-${n}`, products: [`product-${n}`] })),
  };
  return {
    contract: aContract(contract),
    roster: { version: 'large', people: people.map((person) => ({ ...person, id: personId(person.id) })), territories },
    calendars: [aCalendar()],
  };
}
