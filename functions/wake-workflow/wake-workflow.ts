// Wakes the workflow of a handoff whose wait is over. The table decides what is over; the event only says where to look.

import type { HandoffId } from '../../shared/domain/ids.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import type { HandoffStore, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';

export type WakeWorkflowDeps = { handoffs: Pick<HandoffStore, 'load'>; waits: WaitBook; policies: Pick<PolicyBook, 'at'>; workflow: Pick<Workflow, 'wake'>; time: TimeSource };

export type Woken =
  | { kind: 'woken' }
  /** The token was spent or had expired: the workflow moved on by itself (SF-01). */
  | { kind: 'nobody-waits' }
  /** An earlier event did it (SF-02). */
  | { kind: 'already-woken' }
  /** The row still waits for exactly this. */
  | { kind: 'still-waiting' }
  /** No workflow stored a token yet; the step that does looks at the row itself. */
  | { kind: 'no-token' }
  | { kind: 'unknown-handoff' };

/**
 * Repeating it is harmless at any point: a crash after the wake-up finds a spent token, and marks it. A fault of the
 * wake-up itself is thrown, tried again, and in the end left to reconcile (SF-25).
 */
export async function wakeWorkflow({ handoffs, waits, policies, workflow, time }: WakeWorkflowDeps, id: HandoffId): Promise<Woken> {
  // The token first: a row that is read later can only be further on, never behind the wait it is compared with.
  const stored = await waits.find(id);
  if (stored === undefined) return { kind: 'no-token' };
  if (stored.wokenAt !== undefined) return { kind: 'already-woken' };
  const loaded = await handoffs.load(id);
  if (loaded === undefined) return { kind: 'unknown-handoff' };
  const { handoff } = loaded;
  const next = nextStep(handoff, await policies.at(handoff.contract, handoff.contractVersion), time.now());
  if (next.kind === 'await' && next.wait === stored.wait) return { kind: 'still-waiting' };
  const answer = await workflow.wake(stored.token, id);
  await waits.markWoken(id, stored.token, time.now());
  return { kind: answer };
}
