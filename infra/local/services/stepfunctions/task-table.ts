import type { DatabaseSync } from 'node:sqlite';
import type { Outcome, Task } from './position.ts';
import { optionalNumber, orNull, parseJson, present, type Row } from './tables.ts';

function taskOf(row: Row): Task {
  return present<Task>({
    id: String(row.id),
    execution: String(row.execution),
    thread: Number(row.thread),
    resource: String(row.resource),
    arguments: parseJson(row.arguments),
    token: row.token === null ? undefined : String(row.token),
    deadlineAt: optionalNumber(row.deadline_at),
    heartbeatMs: optionalNumber(row.heartbeat_ms),
    beatUntil: optionalNumber(row.beat_until),
    reply: parseJson(row.reply),
    outcome: parseJson<Outcome>(row.outcome),
    status: row.status as Task['status'],
  });
}

/** Attempts of tasks and the fate of their tokens. Every ending is one conditional write, so that only the first one counts. */
export class TaskTable {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  add(task: Task): void {
    this.#db
      .prepare('INSERT INTO sfn_tasks (id, execution, thread, resource, arguments, token, deadline_at, heartbeat_ms, beat_until, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        task.id,
        task.execution,
        task.thread,
        task.resource,
        JSON.stringify(task.arguments),
        orNull(task.token),
        orNull(task.deadlineAt),
        orNull(task.heartbeatMs),
        orNull(task.beatUntil),
        task.status,
      );
  }

  find(id: string): Task | undefined {
    const row = this.#db.prepare('SELECT * FROM sfn_tasks WHERE id = ?').get(id);
    return row && taskOf(row);
  }

  byToken(token: string): Task | undefined {
    const row = this.#db.prepare('SELECT * FROM sfn_tasks WHERE token = ?').get(token);
    return row && taskOf(row);
  }

  /** Ends a task if nothing ended it before. False: somebody else was first. */
  settle(id: string, outcome: Outcome): boolean {
    const status = outcome.kind === 'timed-out' ? 'timed-out' : 'done';
    return this.#db.prepare("UPDATE sfn_tasks SET status = ?, outcome = ? WHERE id = ? AND status = 'open'").run(status, JSON.stringify(outcome), id).changes > 0;
  }

  /** Keeps the answer of a callback task's call, while the task still waits. */
  recordReply(id: string, reply: unknown): boolean {
    return this.#db.prepare("UPDATE sfn_tasks SET reply = ? WHERE id = ? AND status = 'open'").run(JSON.stringify(reply), id).changes > 0;
  }

  beat(id: string, until: number): boolean {
    return this.#db.prepare("UPDATE sfn_tasks SET beat_until = ? WHERE id = ? AND status = 'open'").run(until, id).changes > 0;
  }

  /** Forgets what an attempt carried, but not that its token existed. Ends it if it was open. */
  close(id: string): void {
    this.#db.prepare("UPDATE sfn_tasks SET arguments = NULL, reply = NULL, outcome = NULL, status = CASE status WHEN 'open' THEN 'done' ELSE status END WHERE id = ?").run(id);
  }
}
