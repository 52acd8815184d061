import type { Draft } from './draft.ts';
import type { Scope } from './expression.ts';
import type { Thread } from './position.ts';

const iso = (at: number) => new Date(at).toISOString();

function nearestItem(draft: Draft, thread: Thread): Thread['item'] {
  for (let line: Thread | undefined = thread; line; line = draft.parentOf(line)) if (line.item) return line.item;
  return undefined;
}

/** The context object (`$states.context`) of a state. `item` overrides the iteration it belongs to, `token` is given to callback tasks only. */
function contextObject(draft: Draft, thread: Thread, extra: { token?: string; item?: Thread['item'] }): Record<string, unknown> {
  const { execution } = draft;
  const item = extra.item ?? nearestItem(draft, thread);
  const retryCount = thread.retries.reduce((sum, count) => sum + count, 0);
  return {
    Execution: {
      Id: execution.arn,
      Input: JSON.parse(execution.input),
      Name: execution.name,
      RoleArn: execution.roleArn,
      StartTime: iso(execution.startedAt),
      RedriveCount: execution.redriveCount,
      ...(execution.redrivenAt === undefined ? {} : { RedriveTime: iso(execution.redrivenAt) }),
    },
    StateMachine: { Id: execution.machineArn, Name: execution.machineArn.split(':').at(-1) },
    State: { Name: thread.state, EnteredTime: iso(thread.entered?.at ?? draft.now), RetryCount: retryCount },
    ...(item ? { Map: { Item: { Index: item.index, Value: item.value } } } : {}),
    ...(extra.token === undefined ? {} : { Task: { Token: extra.token } }),
  };
}

/** Variables in reach: a nested workflow reads those of every workflow around it, and assigns only its own. */
function variablesInReach(draft: Draft, thread: Thread): Record<string, unknown> {
  const outer = draft.parentOf(thread);
  return outer ? { ...variablesInReach(draft, outer), ...thread.variables } : thread.variables;
}

/** What the expressions of a state can see. */
export function scopeOf(draft: Draft, thread: Thread, extra: { token?: string; item?: Thread['item']; result?: unknown; errorOutput?: unknown } = {}): Scope {
  return {
    states: {
      input: thread.input,
      context: contextObject(draft, thread, extra),
      ...('result' in extra ? { result: extra.result } : {}),
      ...('errorOutput' in extra ? { errorOutput: extra.errorOutput } : {}),
    },
    variables: variablesInReach(draft, thread),
    now: draft.now,
  };
}
