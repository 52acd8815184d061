import { DatabaseSync } from 'node:sqlite';

/** Opens the runtime's journal. What a statement wrote is with the operating system when it returns, so killing the process loses nothing. */
export function openJournal(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  db.exec('CREATE TABLE IF NOT EXISTS runtime_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  return db;
}

/** A single remembered value of the runtime itself. */
export function readFact(db: DatabaseSync, name: string): string | undefined {
  const row = db.prepare('SELECT value FROM runtime_facts WHERE name = ?').get(name);
  return row ? String(row.value) : undefined;
}

export function rememberFact(db: DatabaseSync, name: string, value: string): void {
  db.prepare('INSERT INTO runtime_facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(name, value);
}

/** Runs several writes as one: all of them are in the journal, or none. */
export function inTransaction<T>(db: DatabaseSync, write: () => T): T {
  if (db.isTransaction) return write();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = write();
    db.exec('COMMIT');
    return result;
  } catch (fault) {
    db.exec('ROLLBACK');
    throw fault;
  }
}
