import type { DatabaseSync } from 'node:sqlite';

/** Creates the tables of Step Functions. `facts` and `position` hold JSON; every step rewrites only the rows it changed. */
export function createTables(db: DatabaseSync): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS sfn_machines (
      arn TEXT PRIMARY KEY, name TEXT NOT NULL, role_arn TEXT NOT NULL, definition TEXT NOT NULL, created_at INTEGER NOT NULL, revision TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS sfn_executions (
      arn TEXT PRIMARY KEY, machine_arn TEXT NOT NULL, name TEXT NOT NULL, role_arn TEXT NOT NULL, definition TEXT NOT NULL, input TEXT NOT NULL,
      status TEXT NOT NULL, started_at INTEGER NOT NULL, stopped_at INTEGER, facts TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS sfn_executions_of_machine ON sfn_executions (machine_arn, started_at DESC);
    CREATE INDEX IF NOT EXISTS sfn_executions_running ON sfn_executions (status) WHERE status = 'RUNNING';
    CREATE TABLE IF NOT EXISTS sfn_threads (execution TEXT NOT NULL, id INTEGER NOT NULL, position TEXT NOT NULL, PRIMARY KEY (execution, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sfn_history (
      execution TEXT NOT NULL, id INTEGER NOT NULL, previous INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, details TEXT NOT NULL, PRIMARY KEY (execution, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sfn_tasks (
      id TEXT PRIMARY KEY, execution TEXT NOT NULL, thread INTEGER NOT NULL, resource TEXT NOT NULL, arguments TEXT, token TEXT UNIQUE,
      deadline_at INTEGER, heartbeat_ms INTEGER, beat_until INTEGER, reply TEXT, outcome TEXT, status TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS sfn_tasks_of_execution ON sfn_tasks (execution);
    CREATE TABLE IF NOT EXISTS sfn_announcements (id INTEGER PRIMARY KEY AUTOINCREMENT, execution TEXT NOT NULL, detail TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS sfn_redrives (execution TEXT NOT NULL, client_token TEXT NOT NULL, redriven_at INTEGER NOT NULL, PRIMARY KEY (execution, client_token)) STRICT, WITHOUT ROWID;
  `);
}

/** Runs several writes as one: all of them are in the journal, or none. */
export function together<T>(db: DatabaseSync, write: () => T): T {
  if (db.isTransaction) return write();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = write();
    db.exec('COMMIT');
    return result;
  } catch (fault) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw fault;
  }
}

export type Row = Record<string, unknown>;

export function parseJson<T>(text: unknown): T | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as T) : undefined;
}

/** `null` for what is absent, as SQLite wants it. */
export function orNull<T>(value: T | undefined): T | null {
  return value === undefined ? null : value;
}

export function optionalNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

/** Leaves out what is undefined, so that absent and undefined are the same. */
export function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}
