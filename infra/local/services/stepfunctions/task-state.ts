import { REGION } from '../../kernel/types.ts';
import { scopeOf } from './context-object.ts';
import type { TaskState } from './definition.ts';
import type { Draft } from './draft.ts';
import { evaluate, evaluateInteger } from './expression.ts';
import { failState, type Random } from './fail-state.ts';
import { dataLimitCause, exceedsDataLimit, StateError } from './failure.ts';
import { integrationOf } from './integrations.ts';
import { leaveState } from './leave-state.ts';
import type { Outcome, Task, Thread } from './position.ts';
import { present } from './tables.ts';
import { newToken } from './tokens.ts';

const LONGEST_TIMEOUT_SECONDS = 99_999_999;

/** Makes an attempt of a task: a new token, arguments evaluated anew, deadlines counted from now. The call itself follows once this is in the journal. */
export async function scheduleTask(draft: Draft, thread: Thread, state: TaskState): Promise<void> {
  const { resource, resourceType, callback } = integrationOf(state.Resource);
  const token = callback ? newToken() : undefined;
  const scope = scopeOf(draft, thread, token === undefined ? {} : { token });
  const argumentsGiven = state.Arguments === undefined ? thread.input : await evaluate(state.Arguments, 'Arguments', scope);
  const bounds = { from: 1, to: LONGEST_TIMEOUT_SECONDS };
  const timeout = state.TimeoutSeconds === undefined ? undefined : await evaluateInteger(state.TimeoutSeconds, 'TimeoutSeconds', scope, bounds);
  const heartbeat = state.HeartbeatSeconds === undefined ? undefined : await evaluateInteger(state.HeartbeatSeconds, 'HeartbeatSeconds', scope, bounds);
  const parameters = JSON.stringify(argumentsGiven);
  if (exceedsDataLimit(parameters)) throw new StateError('States.DataLimitExceeded', dataLimitCause(thread.state));

  draft.emit(thread, 'TaskScheduled', {
    taskScheduledEventDetails: present({ resourceType, resource, region: REGION, parameters, timeoutInSeconds: timeout, heartbeatInSeconds: heartbeat }),
  });
  const scheduled = draft.emit(thread, 'TaskStarted', { taskStartedEventDetails: { resourceType, resource } });
  const task = present<Task>({
    id: `${draft.execution.arn}#${thread.id}#${scheduled}`,
    execution: draft.execution.arn,
    thread: thread.id,
    resource: state.Resource,
    arguments: argumentsGiven,
    token,
    deadlineAt: timeout === undefined ? undefined : draft.now + timeout * 1000,
    heartbeatMs: heartbeat === undefined ? undefined : heartbeat * 1000,
    beatUntil: heartbeat === undefined ? undefined : draft.now + heartbeat * 1000,
    status: 'open',
  });
  draft.addTask(task);
  thread.task = { id: task.id, submitted: false };
  thread.phase = 'task';
}

/** The call of a callback task came back well; the token decides from here on. */
export function noteSubmission(draft: Draft, thread: Thread, state: TaskState, reply: unknown): void {
  const { resource, resourceType } = integrationOf(state.Resource);
  draft.emit(thread, 'TaskSubmitted', { taskSubmittedEventDetails: { resourceType, resource, output: JSON.stringify(reply), outputDetails: { truncated: false } } });
  if (thread.task) thread.task.submitted = true;
}

/** Applies how the task ended. */
export async function concludeTask(draft: Draft, thread: Thread, outcome: Outcome, random: Random): Promise<void> {
  const state = draft.state(thread) as TaskState;
  const { resource, resourceType } = integrationOf(state.Resource);
  if (outcome.kind === 'success') {
    draft.emit(thread, 'TaskSucceeded', { taskSucceededEventDetails: { resourceType, resource, output: JSON.stringify(outcome.output), outputDetails: { truncated: false } } });
    return leaveState(draft, thread, { exit: state, next: state.Next, fallback: outcome.output, visible: { result: outcome.output } });
  }
  if (outcome.kind === 'timed-out') {
    draft.emit(thread, 'TaskTimedOut', { taskTimedOutEventDetails: { resourceType, resource, error: 'States.Timeout' } });
    return failState(draft, thread, { error: 'States.Timeout', heartbeat: outcome.heartbeat }, random);
  }
  const { error, cause } = outcome;
  draft.emit(thread, 'TaskFailed', { taskFailedEventDetails: present({ resourceType, resource, error, cause }) });
  return failState(draft, thread, present({ error, cause }), random);
}
