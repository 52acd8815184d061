import { scopeOf } from './context-object.ts';
import type { ChoiceState, FailState, PassState, SucceedState, WaitState } from './definition.ts';
import type { Draft } from './draft.ts';
import { evaluateInteger, evaluateTo } from './expression.ts';
import { failLine } from './fail-state.ts';
import { evaluationError, StateError } from './failure.ts';
import { leaveState } from './leave-state.ts';
import type { Thread } from './position.ts';

const LONGEST_WAIT_SECONDS = 99_999_999;
/** AWS counts the milliseconds of a wait until a moment in 31 bits of seconds. */
const LONGEST_WAIT_MS = 2 ** 31 * 1000;

export async function passOn(draft: Draft, thread: Thread, state: PassState | SucceedState): Promise<void> {
  await leaveState(draft, thread, { exit: state, next: state.Type === 'Pass' ? state.Next : undefined, fallback: thread.input });
}

/** Takes the first rule whose condition is true. The state's own Output and Assign belong to the default. */
export async function choose(draft: Draft, thread: Thread, state: ChoiceState): Promise<void> {
  const scope = scopeOf(draft, thread);
  for (const [index, rule] of state.Choices.entries()) {
    const holds = await evaluateTo('boolean', rule.Condition, `Choices[${index}]/Condition`, scope);
    if (holds) return leaveState(draft, thread, { exit: rule, next: rule.Next, fallback: thread.input });
  }
  if (state.Default === undefined) throw new StateError('States.NoChoiceMatched', `No choice of the state '${thread.state}' matched and it has no default.`);
  return leaveState(draft, thread, { exit: state, next: state.Default, fallback: thread.input });
}

const OFFSET_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds of an RFC 3339 instant, or undefined when it is none. */
export function instantOf(text: string): number | undefined {
  const at = OFFSET_DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

export async function startWait(draft: Draft, thread: Thread, state: WaitState): Promise<void> {
  const scope = scopeOf(draft, thread);
  if (state.Seconds !== undefined) {
    const seconds = await evaluateInteger(state.Seconds, 'Seconds', scope, { from: 0, to: LONGEST_WAIT_SECONDS });
    thread.dueAt = draft.now + seconds * 1000;
  } else {
    const text = (await evaluateTo('string', state.Timestamp, 'Timestamp', scope)) as string;
    const at = instantOf(text);
    if (at === undefined) throw evaluationError(`The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${text}`, 'Timestamp');
    if (at - draft.now >= LONGEST_WAIT_MS) throw new StateError('States.Runtime', 'Wait state delay is too long.');
    thread.dueAt = at;
  }
  thread.phase = 'wait';
}

export async function endWait(draft: Draft, thread: Thread, state: WaitState): Promise<void> {
  await leaveState(draft, thread, { exit: state, next: state.Next, fallback: thread.input });
}

export async function failOnPurpose(draft: Draft, thread: Thread, state: FailState): Promise<void> {
  const scope = scopeOf(draft, thread);
  const error = state.Error === undefined ? undefined : ((await evaluateTo('string', state.Error, 'Error', scope)) as string);
  const cause = state.Cause === undefined ? undefined : ((await evaluateTo('string', state.Cause, 'Cause', scope)) as string);
  failLine(draft, thread, { ...(error === undefined ? {} : { error }), ...(cause === undefined ? {} : { cause }) });
}
