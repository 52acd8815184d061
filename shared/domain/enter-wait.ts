// What a workflow that comes to wait finds: a wait that begins, one that stands already, or none.

import type { Handoff } from './handoff.ts';
import { nextStep, type Wait } from './next-step.ts';
import type { Policy } from './policy.ts';
import { type WorkflowWait, waitOf } from './workflow-answer.ts';
import { type Transition, transition, wishFor } from './workflow-transition.ts';

/** How a wait is entered. `over`: the row does not wait for this (any more), so the workflow must be woken at once (SF-21, SF-23). */
export type Entry = { kind: 'begins'; wait: Wait; transition: Transition } | { kind: 'stands'; wait: Wait } | { kind: 'over'; wait: Wait };

/** A wait that nothing ever is, since offers count from 1. Stored with a token, it makes `wake-workflow` end the wait. */
const OVER: Wait = 'offer:0';

/** Decides how the machine enters one of its waits, from the row as it is now. */
export function enterWait(which: WorkflowWait, handoff: Handoff, policy: Policy, now: string): Entry {
  const step = nextStep(handoff, policy, now);
  if (step.kind === 'await' && waitOf(step.wait) === which) return { kind: 'stands', wait: step.wait };
  if (step.kind !== which) return { kind: 'over', wait: OVER };
  const wish = wishFor(step, handoff);
  const made = wish && transition(handoff, wish, policy, now);
  if (made?.kind !== 'transition') return { kind: 'over', wait: OVER };
  const after = nextStep(made.after, policy, now);
  return after.kind === 'await' ? { kind: 'begins', wait: after.wait, transition: made } : { kind: 'over', wait: OVER };
}
