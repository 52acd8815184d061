// Who answers for an exception, and who after them.

import type { RaisedException } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { ExceptionClass, ExceptionRule, Policy } from './policy.ts';

/** The rule of a class; a class the contract does not list falls to its `default` rule, never to nobody. */
export const ruleFor = (policy: Policy, exception: ExceptionClass): ExceptionRule => policy.contract.exceptions[exception] ?? policy.contract.exceptions.default;

/** Who answers next when the present exception owner does not; undefined when every named person had a turn. */
export function successor(exception: RaisedException, rule: ExceptionRule): PersonId | undefined {
  const had = [...exception.earlierOwners, exception.owner];
  return [rule.backup, rule.escalateTo].find((person) => !had.includes(person));
}
