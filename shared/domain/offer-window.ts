// How long one person may take to answer: from when, until when, and when they are reminded.

import type { AskStep, Policy } from './policy.ts';
import { acceptanceStartsAt, deadlineAfter, windowCalendars } from './window.ts';

/** The step of the contract with this number. A candidate of a step that its contract does not have is a fault. */
export function askStep({ contract }: Pick<Policy, 'contract'>, step: number): AskStep {
  const ask = contract.ask[step];
  if (ask === undefined) throw new Error(`contract ${contract.name} has no step ${step}`);
  return ask;
}

/** The window of an offer of this step that is made, or begins again, now. */
export function offerWindow(step: number, policy: Policy, now: string): { startsAt: string; deadlineAt: string; warnAt?: string } {
  const { window, warnAt } = askStep(policy, step);
  const startsAt = acceptanceStartsAt(policy, now);
  const after = (length: typeof window) => deadlineAfter(startsAt, length, windowCalendars(policy));
  return { startsAt, deadlineAt: after(window), ...(warnAt !== undefined && { warnAt: after(warnAt) }) };
}
