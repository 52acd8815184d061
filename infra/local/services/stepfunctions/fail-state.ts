import type { Catcher, Retrier, State } from './definition.ts';
import type { Draft } from './draft.ts';
import { type Failure, matchesError, StateError } from './failure.ts';
import { leaveState } from './leave-state.ts';
import type { Thread } from './position.ts';

export type Random = () => number;

const NEVER_LONGER_THAN_SECONDS = 31_622_400;

/** Delay before a retrier's next attempt, in milliseconds. `used` is how often it was used before. */
export function retryDelayMs(retrier: Retrier, used: number, random: Random): number {
  const backoff = (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** used;
  const seconds = Math.min(backoff, retrier.MaxDelaySeconds ?? NEVER_LONGER_THAN_SECONDS);
  return Math.round(seconds * 1000 * (retrier.JitterStrategy === 'FULL' ? random() : 1));
}

function recoveryOf(state: State): { retriers: Retrier[]; catchers: Catcher[] } {
  return state.Type === 'Task' || state.Type === 'Parallel' || state.Type === 'Map' ? { retriers: state.Retry ?? [], catchers: state.Catch ?? [] } : { retriers: [], catchers: [] };
}

/** A state failed: try again if a retrier has attempts left, else go where a catcher says, else fail the line. */
export async function failState(draft: Draft, thread: Thread, failure: Failure, random: Random): Promise<void> {
  const state = draft.state(thread);
  const { retriers, catchers } = recoveryOf(state);
  draft.closeTask(thread);
  if (scheduleRetry(draft, thread, { retriers, failure, random })) return;
  if (state.Type === 'Map' || state.Type === 'Parallel') draft.emit(thread, `${state.Type}StateFailed`, {});
  const catcher = catchers.find(({ ErrorEquals }) => matchesError(ErrorEquals, failure));
  if (!catcher) return failLine(draft, thread, failure);
  const errorOutput = { Error: failure.error ?? '', Cause: failure.cause ?? '' };
  try {
    await leaveState(draft, thread, { exit: catcher, next: catcher.Next, fallback: errorOutput, visible: { errorOutput } });
  } catch (fault) {
    if (!(fault instanceof StateError)) throw fault;
    failLine(draft, thread, noteEvaluationFailure(draft, thread, fault));
  }
}

/** The first retrier that knows the error decides; when its attempts are spent, later ones are not asked. */
function scheduleRetry(draft: Draft, thread: Thread, { retriers, failure, random }: { retriers: Retrier[]; failure: Failure; random: Random }): boolean {
  const index = retriers.findIndex(({ ErrorEquals }) => matchesError(ErrorEquals, failure));
  const retrier = retriers[index];
  const used = thread.retries[index] ?? 0;
  if (!retrier || used >= (retrier.MaxAttempts ?? 3)) return false;
  thread.retries = retriers.map((_, position) => (thread.retries[position] ?? 0) + (position === index ? 1 : 0));
  thread.phase = 'retry';
  thread.dueAt = draft.now + retryDelayMs(retrier, used, random);
  draft.removeChildren(thread);
  return true;
}

/** Nothing recovers: a branch waits for its parent to see it, the outermost line fails the execution. */
export function failLine(draft: Draft, thread: Thread, failure: Failure): void {
  thread.phase = 'failed';
  thread.failure = failure;
  for (const child of draft.childrenOf(thread)) stopLine(draft, child);
  if (thread.parent) return;
  const details = { ...(failure.error ? { error: failure.error } : {}), ...(failure.cause ? { cause: failure.cause } : {}) };
  draft.emit(thread, 'ExecutionFailed', { executionFailedEventDetails: details });
  draft.end('FAILED', details);
}

/** Stops what still moves below a line that failed. It stays where it is, for a redrive. */
export function stopLine(draft: Draft, line: Thread): void {
  for (const child of draft.childrenOf(line)) stopLine(draft, child);
  if (line.phase === 'done' || line.phase === 'failed') return;
  line.phase = 'stopped';
  delete line.dueAt;
  draft.closeTask(line);
}

/** Words an error as AWS does, with the state and the event it was entered at; evaluation errors get their own event. */
export function noteEvaluationFailure(draft: Draft, thread: Thread, fault: StateError): Failure {
  if (!fault.evaluation && fault.failure.error !== 'States.Runtime') return fault.failure;
  const cause = `An error occurred while executing the state '${thread.state}' (entered at the event id #${thread.entered?.event ?? 0}). ${fault.failure.cause ?? ''}`;
  const failure = { ...fault.failure, cause };
  if (fault.evaluation) {
    const location = fault.location === undefined ? {} : { location: fault.location };
    thread.previous = draft.record('EvaluationFailed', { evaluationFailedEventDetails: { ...failure, ...location, state: thread.state } }, thread.entered?.previous ?? 0);
  }
  return failure;
}
