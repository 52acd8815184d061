// The ownership audit (C-03): what a policy leaves to luck although nothing in it is wrong. Each piece of advice says what to do.

import { unreachable } from '../domain/channels.ts';
import { type Contract, EXCEPTION_CLASSES, type Person, type Policy, type Roster } from '../domain/policy.ts';
import { MOST_CANDIDATES } from '../domain/resolver.ts';
import { rangeOf } from '../domain/territory.ts';
import { auditDuty } from './policy-audit-duty.ts';
import { auditServes } from './policy-audit-serves.ts';
import type { Advice } from './policy-check.ts';

/** What a contract leaves to luck, with the people there are. `day` is the date on which licences must be valid. */
export function auditContract(policy: Policy, day?: string): Advice[] {
  const asked = askedBy(policy);
  return [...conflicts(policy), ...fallingToDefault(policy.contract), ...tooMany(asked), ...auditServes(policy, asked, day), ...auditDuty(policy, asked)];
}

/** What a roster leaves to luck. */
export function auditRoster({ people, territories = [] }: Roster): Advice[] {
  const silent = people.flatMap((person, index): Advice[] => {
    const because = unreachable(person);
    if (because === undefined) return [];
    return [
      {
        path: ['people', index],
        sentence: `nothing reaches ${person.id} (${because}), so nobody asks them: give an address that works, or take them off the roster`,
        rule: 'C-03',
      },
    ];
  });
  const shared = territories.flatMap((one, index) =>
    territories.slice(0, index).flatMap((other): Advice[] => {
      const both = overlap(one.postalCodes, other.postalCodes) ?? one.regions.find((region) => other.regions.includes(region));
      if (both === undefined) return [];
      const sentence = `shares ${both} with ${other.name}: an address there is on two sides and goes to the owner of territory-unknown; draw one boundary`;
      return [{ path: ['territories', index], sentence, rule: 'R-06' }];
    }),
  );
  return [...silent, ...shared];
}

/** Everybody whom a step of the contract names. */
function askedBy({ contract, roster }: Policy): Person[] {
  return roster.people.filter((person) => contract.ask.some((step) => person.roles.includes(step.role) && (step.people === undefined || step.people.includes(person.id))));
}

/** Nobody approves their own work. */
function conflicts({ contract, roster }: Policy): Advice[] {
  const { approver, executor } = contract.responsible;
  const approvers = 'person' in approver ? [approver.person] : holders(roster, approver.role);
  const executors = 'person' in executor ? [executor.person] : holders(roster, executor.role);
  const both = approvers.filter((person) => executors.includes(person));
  if (both.length === 0) return [];
  return [
    { path: ['responsible', 'executor'], sentence: `${both.join(', ')} approves and carries out: name different people, or accept that nobody checks the work`, rule: 'C-02' },
  ];
}

const holders = ({ people }: Roster, role: string) => people.filter((person) => person.roles.includes(role)).map((person) => person.id);

function fallingToDefault({ exceptions }: Contract): Advice[] {
  const without = EXCEPTION_CLASSES.filter((name) => exceptions[name] === undefined);
  if (without.length === 0) return [];
  const sentence = `${without.join(', ')} ${without.length === 1 ? 'has no rule of its own and falls' : 'have no rule of their own and fall'} to ${exceptions.default.owner} by default: write who has the authority`;
  return [{ path: ['exceptions'], sentence, rule: 'C-03' }];
}

function tooMany(asked: readonly Person[]): Advice[] {
  if (asked.length <= MOST_CANDIDATES) return [];
  return [{ path: ['ask'], sentence: `names ${asked.length} people; of those who are eligible, a handoff asks the first ${MOST_CANDIDATES}: narrow the steps`, rule: 'R-04' }];
}

/** Something that two lists of postal codes share, as it stands in the first. */
function overlap(one: readonly string[], other: readonly string[]): string | undefined {
  return one.find((entry) => other.some((against) => meets(endsOf(entry), endsOf(against))));
}

const meets = (a: { from: string; to: string }, b: { from: string; to: string }) => a.from.length === b.from.length && a.from <= b.to && b.from <= a.to;
const endsOf = (entry: string) => rangeOf(entry) ?? { from: entry, to: entry };
