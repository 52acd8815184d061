import { scopeOf } from './context-object.ts';
import type { Draft } from './draft.ts';
import { evaluate } from './expression.ts';
import { dataLimitCause, exceedsDataLimit, StateError } from './failure.ts';
import type { Thread } from './position.ts';

/** How a state is left: by its own Output and Assign, by those of a choice rule, or by those of a catcher. */
export type Departure = {
  exit: { Assign?: Record<string, unknown>; Output?: unknown };
  /** Absent: the workflow ends here. */
  next: string | undefined;
  /** What the state hands on when it has no Output. */
  fallback: unknown;
  /** `$states.result` or `$states.errorOutput`. */
  visible?: { result: unknown } | { errorOutput: unknown };
};

/** Leaves the current state: evaluates first, then assigns, records and moves on. Throws `StateError` with nothing changed. */
export async function leaveState(draft: Draft, thread: Thread, departure: Departure): Promise<void> {
  const { exit, visible, fallback } = departure;
  const scope = scopeOf(draft, thread, visible);
  const assigned = exit.Assign === undefined ? undefined : ((await evaluate(exit.Assign, 'Assign', scope)) as Record<string, unknown>);
  const output = exit.Output === undefined ? fallback : await evaluate(exit.Output, 'Output', scope);
  const text = JSON.stringify(output);
  const assignedTexts = assigned && Object.fromEntries(Object.entries(assigned).map(([name, value]) => [name, JSON.stringify(value)]));
  if ([text, ...Object.values(assignedTexts ?? {})].some(exceedsDataLimit)) throw new StateError('States.DataLimitExceeded', dataLimitCause(thread.state));

  Object.assign(thread.variables, assigned);
  draft.emit(thread, `${draft.state(thread).Type}StateExited`, {
    stateExitedEventDetails: {
      name: thread.state,
      output: text,
      outputDetails: { truncated: false },
      ...(assignedTexts ? { assignedVariables: assignedTexts, assignedVariablesDetails: { truncated: false } } : {}),
    },
  });
  draft.closeTask(thread);
  draft.removeChildren(thread);
  delete thread.dueAt;
  thread.retries = [];
  if (departure.next === undefined) finishLine(draft, thread, output, text);
  else Object.assign(thread, { state: departure.next, input: output, phase: 'start' });
}

/** The line reached its end: a branch or iteration reports to its parent, the outermost one ends the execution. */
function finishLine(draft: Draft, thread: Thread, output: unknown, text: string): void {
  const parent = draft.parentOf(thread);
  if (!parent) {
    draft.emit(thread, 'ExecutionSucceeded', { executionSucceededEventDetails: { output: text, outputDetails: { truncated: false } } });
    draft.end('SUCCEEDED', { output: text });
    return;
  }
  thread.phase = 'done';
  thread.output = output;
  if (parent.children) parent.children.lastLine = thread.previous;
  parent.previous = thread.previous;
  if (draft.state(parent).Type === 'Map') {
    parent.previous = draft.record('MapIterationSucceeded', { mapIterationSucceededEventDetails: { name: parent.state, index: thread.parent?.index } }, thread.previous);
  }
}
