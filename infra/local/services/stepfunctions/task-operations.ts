import type { Caller, Kernel } from '../../kernel/types.ts';
import { type Fields, refuse, requireOutput } from './arguments.ts';
import type { Engine } from './engine.ts';
import type { Operation } from './execution-operations.ts';
import { DATA_LIMIT } from './failure.ts';
import type { Outcome, Task } from './position.ts';
import { present } from './tables.ts';
import { isToken } from './tokens.ts';

/**
 * The broker of task tokens.
 *
 *            SendTaskSuccess / SendTaskFailure, the function's own error
 *   open ───────────────────────────────────────────────────────────────▶ done
 *     └────── TimeoutSeconds or HeartbeatSeconds passed ────────────────▶ timed out
 *
 * Only an open token is accepted. Done and timed out answer `TaskTimedOut`, a well-formed token whose task is gone
 * `TaskDoesNotExist`, anything else `InvalidToken`.
 */
export function taskOperations(kernel: Kernel, engine: Engine): Record<string, Operation> {
  const authorize = (caller: Caller, action: string) => kernel.iam.authorize(caller, `states:${action}`, '*');
  const closed = () => refuse('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");

  const openTask = (fields: Fields): Task => {
    const token = fields.text('taskToken');
    const task = engine.tasks.byToken(token);
    if (!task && isToken(token)) throw refuse('TaskDoesNotExist', "Task Does Not Exist: 'Provided task does not exist anymore'");
    if (!task) throw refuse('InvalidToken', "Invalid Token: 'Invalid token'");
    if (task.status !== 'open') throw closed();
    if (engine.expireTask(task)) {
      void engine.wake(task.execution);
      throw closed();
    }
    return task;
  };
  const settle = (task: Task, outcome: Outcome) => {
    if (!engine.tasks.settle(task.id, outcome)) throw closed();
    void engine.wake(task.execution);
    return {};
  };

  return {
    SendTaskSuccess(fields, caller) {
      authorize(caller, 'SendTaskSuccess');
      const output = fields.text('output');
      requireOutput(output, DATA_LIMIT);
      return settle(openTask(fields), { kind: 'success', output: JSON.parse(output) });
    },

    SendTaskFailure(fields, caller) {
      authorize(caller, 'SendTaskFailure');
      return settle(openTask(fields), {
        kind: 'failure',
        ...present<{ error?: string; cause?: string }>({ error: fields.optionalText('error'), cause: fields.optionalText('cause') }),
      });
    },

    SendTaskHeartbeat(fields, caller) {
      authorize(caller, 'SendTaskHeartbeat');
      const task = openTask(fields);
      if (task.heartbeatMs !== undefined) engine.tasks.beat(task.id, kernel.time.now() + task.heartbeatMs);
      return {};
    },
  };
}
