import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Rises when an older runtime could no longer read what a newer one wrote. */
export const JOURNAL_FORMAT = 1;
const FORMAT = 'journal.format';
const WAY_OUT = 'choose another folder with --data, or begin anew with --fresh';

/** Opens the runtime's journal. What a statement wrote is with the operating system when it returns, so killing the process loses nothing. */
export function openJournal(file: string): DatabaseSync {
  const db = rememberStatements(new DatabaseSync(file, { timeout: 5000 }));
  try {
    prepare(db, file);
    return db;
  } catch (fault) {
    db.close();
    throw fault;
  }
}

/** Far more than there are different ones; one that is made up as it goes is not remembered beyond it. */
const MOST_STATEMENTS = 500;

/** Compiles each statement once: services name theirs where they use them, and compiling was a fifteenth of all that the runtime did. */
function rememberStatements(db: DatabaseSync): DatabaseSync {
  const compile = db.prepare.bind(db);
  const known = new Map<string, StatementSync>();
  db.prepare = (sql: string) => {
    const statement = known.get(sql) ?? compile(sql);
    if (known.size < MOST_STATEMENTS) known.set(sql, statement);
    return statement;
  };
  return db;
}

function prepare(db: DatabaseSync, file: string): void {
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    db.exec('CREATE TABLE IF NOT EXISTS runtime_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  } catch (fault) {
    throw new Error(`${file} cannot be read (${fault instanceof Error ? fault.message : String(fault)}): ${WAY_OUT}.`, { cause: fault });
  }
  const written = Number(readFact(db, FORMAT) ?? JOURNAL_FORMAT);
  if (written > JOURNAL_FORMAT) throw new Error(`${file} was written by a newer version (format ${written}; this one reads ${JOURNAL_FORMAT}): use that version, ${WAY_OUT}.`);
  rememberFact(db, FORMAT, String(JOURNAL_FORMAT));
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
