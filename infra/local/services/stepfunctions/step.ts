import type { TaskState, WaitState } from './definition.ts';
import type { Draft } from './draft.ts';
import { failState, noteEvaluationFailure, type Random } from './fail-state.ts';
import { StateError } from './failure.ts';
import { moveNested, nestedMayMove, startMap, startParallel } from './nested-states.ts';
import { choose, endWait, failOnPurpose, passOn, startWait } from './plain-states.ts';
import type { Task, Thread } from './position.ts';
import { concludeTask, noteSubmission, scheduleTask } from './task-state.ts';

/** What a step may look at besides the draft. */
export type Surroundings = { taskOf(thread: Thread): Task | undefined; random: Random };

/** Takes the next step of an execution that is possible now. False: everything waits for time, a token or a function. */
export async function takeStep(draft: Draft, surroundings: Surroundings): Promise<boolean> {
  const { execution } = draft;
  if (execution.status !== 'RUNNING') return false;
  if (execution.deadlineAt !== undefined && draft.now >= execution.deadlineAt) {
    draft.record('ExecutionTimedOut', { executionTimedOutEventDetails: {} }, 0);
    draft.end('TIMED_OUT', {});
    return true;
  }
  for (const thread of draft.threads.values()) {
    const move = moveOf(draft, thread, surroundings);
    if (!move) continue;
    await attempt(draft, thread, { move, random: surroundings.random });
    return true;
  }
  return false;
}

/** An error inside a step belongs to the state it happened in. */
async function attempt(draft: Draft, thread: Thread, { move, random }: { move: () => Promise<void>; random: Random }): Promise<void> {
  try {
    await move();
  } catch (fault) {
    if (!(fault instanceof StateError)) throw fault;
    await failState(draft, thread, noteEvaluationFailure(draft, thread, fault), random);
  }
}

function moveOf(draft: Draft, thread: Thread, surroundings: Surroundings): (() => Promise<void>) | undefined {
  const due = thread.dueAt !== undefined && draft.now >= thread.dueAt;
  switch (thread.phase) {
    case 'start':
      return () => enterState(draft, thread);
    case 'retry':
      return due ? () => runState(draft, thread) : undefined;
    case 'wait':
      return due ? () => endWait(draft, thread, draft.state(thread) as WaitState) : undefined;
    case 'task':
      return moveOfTask(draft, thread, surroundings);
    case 'children':
      return nestedMayMove(draft, thread) ? () => moveNested(draft, thread, draft.state(thread) as never, surroundings.random) : undefined;
    default:
      return undefined;
  }
}

function moveOfTask(draft: Draft, thread: Thread, { taskOf, random }: Surroundings): (() => Promise<void>) | undefined {
  const task = taskOf(thread);
  if (!task) return undefined;
  const { outcome, reply } = task;
  if (outcome) return () => concludeTask(draft, thread, outcome, random);
  if (reply === undefined || thread.task?.submitted) return undefined;
  return async () => noteSubmission(draft, thread, draft.state(thread) as TaskState, reply);
}

async function enterState(draft: Draft, thread: Thread): Promise<void> {
  const { Type } = draft.state(thread);
  const before = thread.previous;
  const details = { name: thread.state, input: JSON.stringify(thread.input), inputDetails: { truncated: false } };
  const event = draft.emit(thread, `${Type}StateEntered`, { stateEnteredEventDetails: details });
  thread.entered = { event, previous: before, at: draft.now };
  await runState(draft, thread);
}

/** Runs the state the line stands in, for the first time or again. */
async function runState(draft: Draft, thread: Thread): Promise<void> {
  delete thread.dueAt;
  const state = draft.state(thread);
  switch (state.Type) {
    case 'Task':
      return scheduleTask(draft, thread, state);
    case 'Choice':
      return choose(draft, thread, state);
    case 'Wait':
      return startWait(draft, thread, state);
    case 'Pass':
    case 'Succeed':
      return passOn(draft, thread, state);
    case 'Fail':
      return failOnPurpose(draft, thread, state);
    case 'Parallel':
      return startParallel(draft, thread, state);
    case 'Map':
      return startMap(draft, thread, state);
  }
}
