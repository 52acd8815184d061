import type { DatabaseSync } from 'node:sqlite';
import type { Engine } from './engine.ts';
import type { Thread } from './position.ts';
import { present } from './tables.ts';

/** `path` names the Parallel and Map states around it; `dueAt` is when a wait, a pause before a retry, or the time for a task ends. */
export type Whereabouts = { state: string; path: string[]; phase: Thread['phase']; enteredAt?: number; dueAt?: number };

/** Where an execution stands now, one entry a line of states. */
export function whereaboutsIn(engine: Engine, executionArn: string): Whereabouts[] {
  const threads = [...(engine.draft(executionArn)?.threads.values() ?? [])];
  return threads.map((thread) => {
    const deadlineAt = thread.task && engine.tasks.find(thread.task.id)?.deadlineAt;
    return present<Whereabouts>({
      state: thread.state,
      path: thread.path.map((step) => step.state),
      phase: thread.phase,
      enteredAt: thread.entered?.at,
      dueAt: thread.dueAt ?? deadlineAt,
    });
  });
}

/** How many executions of a machine are in which status, and in which states the running ones stand. */
export type Standing = { statuses: Record<string, number>; states: Record<string, number> };

export function standingOf(db: DatabaseSync, machineArn: string): Standing {
  const statuses = db.prepare('SELECT status, count(*) AS n FROM sfn_executions WHERE machine_arn = ? GROUP BY status').all(machineArn);
  const states = db
    .prepare(
      `SELECT json_extract(position, '$.state') AS state, count(*) AS n FROM sfn_threads JOIN sfn_executions ON arn = execution
       WHERE machine_arn = ? AND status = 'RUNNING' GROUP BY state`,
    )
    .all(machineArn);
  return {
    statuses: Object.fromEntries(statuses.map((row) => [String(row.status), Number(row.n)])),
    states: Object.fromEntries(states.map((row) => [String(row.state), Number(row.n)])),
  };
}
