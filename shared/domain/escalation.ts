// Who answers for an exception, and who after them.

import type { RaisedException } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { ExceptionClass, ExceptionRule, Policy } from './policy.ts';

/** The rule of a class; a class the contract does not list falls to its `default` rule, never to nobody. */
export const ruleFor = (policy: Pick<Policy, 'contract'>, exception: ExceptionClass): ExceptionRule => policy.contract.exceptions[exception] ?? policy.contract.exceptions.default;

/** Whether a person is known to be unavailable at this instant (L-08). */
export const isUnavailable = (person: PersonId, { policy, now }: At): boolean =>
  policy.roster.people.find((one) => one.id === person)?.unavailable?.some(({ from, until }) => now >= from && now < until) ?? false;

type At = { policy: Policy; now: string };

/** Who answers first: the owner that the contract names, or the next named person while that one is unavailable. Never nobody. */
export const firstOwner = (rule: ExceptionRule, at: At): PersonId => [rule.owner, rule.backup, rule.escalateTo].find((person) => !isUnavailable(person, at)) ?? rule.owner;

/** Who answers next when the present exception owner does not; undefined when every named person had a turn. */
export function successor(exception: RaisedException, rule: ExceptionRule, at: At): PersonId | undefined {
  const had = [...exception.earlierOwners, exception.owner];
  const left = [rule.backup, rule.escalateTo].filter((person) => !had.includes(person));
  return left.find((person) => !isUnavailable(person, at)) ?? left[0];
}
