import type { DatabaseSync } from 'node:sqlite';
import type { Execution, HistoryEvent, Status, Thread } from './position.ts';
import { optionalNumber, orNull, parseJson, present, type Row } from './tables.ts';

type Facts = Pick<Execution, 'lastEvent' | 'lastThread' | 'redriveCount'> & Partial<Pick<Execution, 'output' | 'error' | 'cause' | 'deadlineAt' | 'redrivenAt'>>;

function executionOf(row: Row): Execution {
  return present<Execution>({
    arn: String(row.arn),
    machineArn: String(row.machine_arn),
    name: String(row.name),
    roleArn: String(row.role_arn),
    definition: String(row.definition),
    input: String(row.input),
    status: row.status as Status,
    startedAt: Number(row.started_at),
    stoppedAt: optionalNumber(row.stopped_at),
    ...(parseJson<Facts>(row.facts) as Facts),
  } as Execution);
}

function factsOf({ lastEvent, lastThread, redriveCount, output, error, cause, deadlineAt, redrivenAt }: Execution): string {
  return JSON.stringify({ lastEvent, lastThread, redriveCount, output, error, cause, deadlineAt, redrivenAt });
}

function eventOf(row: Row): HistoryEvent {
  return { id: Number(row.id), previous: Number(row.previous), at: Number(row.at), type: String(row.type), details: parseJson(row.details) ?? {} };
}

export type Page = { offset: number; limit: number };

/** Executions, their positions and their histories. */
export class ExecutionTable {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  add(execution: Execution): void {
    const { arn, machineArn, name, roleArn, definition, input, status, startedAt } = execution;
    this.#db
      .prepare('INSERT INTO sfn_executions (arn, machine_arn, name, role_arn, definition, input, status, started_at, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(arn, machineArn, name, roleArn, definition, input, status, startedAt, factsOf(execution));
  }

  update(execution: Execution): void {
    this.#db
      .prepare('UPDATE sfn_executions SET status = ?, stopped_at = ?, facts = ? WHERE arn = ?')
      .run(execution.status, orNull(execution.stoppedAt), factsOf(execution), execution.arn);
  }

  find(arn: string): Execution | undefined {
    const row = this.#db.prepare('SELECT * FROM sfn_executions WHERE arn = ?').get(arn);
    return row && executionOf(row);
  }

  running(): string[] {
    return this.#db
      .prepare("SELECT arn FROM sfn_executions WHERE status = 'RUNNING' ORDER BY started_at, arn")
      .all()
      .map((row) => String(row.arn));
  }

  /** Executions of a machine, newest first. */
  list(machineArn: string, status: string | undefined, page: Page): Execution[] {
    const matching = status === undefined ? '' : 'AND status = :status';
    const rows = this.#db.prepare(`SELECT * FROM sfn_executions WHERE machine_arn = :machine ${matching} ORDER BY started_at DESC, arn DESC LIMIT :limit OFFSET :offset`);
    return rows.all({ machine: machineArn, ...page, ...(status === undefined ? {} : { status }) }).map(executionOf);
  }

  /** Forgets an execution except that its tokens existed. */
  remove(arn: string): void {
    for (const table of ['sfn_threads', 'sfn_history', 'sfn_redrives']) this.#db.prepare(`DELETE FROM ${table} WHERE execution = ?`).run(arn);
    this.#db.prepare('DELETE FROM sfn_executions WHERE arn = ?').run(arn);
  }

  /** Positions as stored; the caller compares texts to write back only what changed. */
  threads(arn: string): Map<number, string> {
    const rows = this.#db.prepare('SELECT id, position FROM sfn_threads WHERE execution = ? ORDER BY id').all(arn);
    return new Map(rows.map((row) => [Number(row.id), String(row.position)]));
  }

  putThread(arn: string, thread: Thread, position: string): void {
    this.#db
      .prepare('INSERT INTO sfn_threads (execution, id, position) VALUES (?, ?, ?) ON CONFLICT (execution, id) DO UPDATE SET position = excluded.position')
      .run(arn, thread.id, position);
  }

  removeThread(arn: string, id: number): void {
    this.#db.prepare('DELETE FROM sfn_threads WHERE execution = ? AND id = ?').run(arn, id);
  }

  addEvent(arn: string, event: HistoryEvent): void {
    this.#db
      .prepare('INSERT INTO sfn_history (execution, id, previous, at, type, details) VALUES (?, ?, ?, ?, ?, ?)')
      .run(arn, event.id, event.previous, event.at, event.type, JSON.stringify(event.details));
  }

  history(arn: string, order: 'ASC' | 'DESC', page: Page): HistoryEvent[] {
    const rows = this.#db.prepare(`SELECT * FROM sfn_history WHERE execution = ? ORDER BY id ${order} LIMIT ? OFFSET ?`).all(arn, page.limit, page.offset);
    return rows.map(eventOf);
  }
}
