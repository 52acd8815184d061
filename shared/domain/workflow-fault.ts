// Whether the machine of a handoff waits for what its row waits for. The table decides; a machine that waits for nothing wakes nobody (M-02).

import { type Handoff, lastMovedAt } from './handoff.ts';
import { nextStep, type Wait } from './next-step.ts';
import type { Policy } from './policy.ts';

/** The machine of a handoff that was started last. `attempt` 0 is the first one, the others replaced one that had ended. */
export type Machine = { attempt: number; standing: 'running' | 'ended'; endedAt?: string };

/** Replacements a handoff may get: more than three days of sweeps. */
export const REPLACEMENTS = 1024;

/** What is wrong with the workflow of a handoff, since when, and what becomes of it without a person. */
export type WorkflowFault = { kind: 'none' | 'ended' | 'beyond-repair' | 'waits-for-what-is-over' | 'without-token' | 'unknown'; since: string };

/** What the sweep every five minutes does about each kind, or that a person has to. */
export const REPAIRS: Readonly<Record<WorkflowFault['kind'], string>> = {
  none: 'no workflow was ever started for it; reconcile starts one at its next sweep',
  ended: 'its workflow has ended; reconcile starts a replacement at its next sweep, and baton redrive at once',
  'beyond-repair': `its workflow ended more than ${REPLACEMENTS} times; reconcile has given up, and a person must find out why it ends`,
  'waits-for-what-is-over': 'its workflow waits for something that is over; reconcile wakes it at its next sweep',
  'without-token': 'its workflow runs, and no token stands by which it could be woken; look at its execution',
  unknown: 'whether its workflow runs could not be found out; reconcile looks again at its next sweep',
};

type Looked = { handoff: Handoff; wait?: { wait: Wait; storedAt: string; wokenAt?: string } };

/** The fault of a handoff's workflow at an instant, or undefined when all is well. `machine` is undefined when none was ever started, or `unknown`. */
export function workflowFault({ handoff, wait }: Looked, policy: Policy, now: string, machine: Machine | 'unknown' | undefined): WorkflowFault | undefined {
  const step = nextStep(handoff, policy, now);
  if (step.kind === 'done') return undefined;
  const since = lastMovedAt(handoff);
  if (machine === 'unknown') return { kind: 'unknown', since };
  if (machine === undefined) return { kind: 'none', since };
  if (machine.standing === 'ended') return { kind: machine.attempt >= REPLACEMENTS ? 'beyond-repair' : 'ended', since: later(since, machine.endedAt) };
  const expected = step.kind === 'await' ? step.wait : undefined;
  if (wait === undefined) return expected === undefined ? undefined : { kind: 'without-token', since };
  return wait.wait === expected ? undefined : { kind: 'waits-for-what-is-over', since: later(since, wait.wokenAt) };
}

const later = (one: string, other: string | undefined): string => (other !== undefined && Date.parse(other) > Date.parse(one) ? other : one);
