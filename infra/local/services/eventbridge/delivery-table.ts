import type { DatabaseSync } from 'node:sqlite';
import type { Caller } from '../../kernel/types.ts';

/** What goes where, for how long it is tried, and where it ends up when it cannot be delivered. */
export type Delivery = {
  target: string;
  /** JSON text handed to the target. */
  payload: string;
  /** JSON text put into the dead-letter queue: what came in, before any transformation. */
  original: string;
  /** What the dead letter says about where it came from. */
  labels: Record<string, string>;
  caller: Caller;
  deadLetterArn: string | undefined;
  /** Who puts the dead letter there. */
  deadLetterCaller: Caller;
  maximumAttempts: number;
  maximumAgeSeconds: number;
};

export type DeliveryRow = { id: number; delivery: Delivery; queuedAt: number; attempts: number; nextAt: number; lastError: string | undefined };

export type DeliveryTable = {
  insert(delivery: Delivery, now: number): number;
  find(id: number): DeliveryRow | undefined;
  all(): { id: number; nextAt: number }[];
  postpone(id: number, attempts: number, nextAt: number, error: string): void;
  remove(id: number): void;
};

/** The journal's table of deliveries under way. */
export const deliveryTable = (db: DatabaseSync, name: string): DeliveryTable => {
  db.exec(`CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY AUTOINCREMENT, delivery TEXT NOT NULL, queued_at REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, next_at REAL NOT NULL, last_error TEXT) STRICT`);
  const insert = db.prepare(`INSERT INTO ${name} (delivery, queued_at, next_at) VALUES (?, ?, ?)`);
  const find = db.prepare(`SELECT * FROM ${name} WHERE id = ?`);
  const all = db.prepare(`SELECT id, next_at FROM ${name} ORDER BY id`);
  const postpone = db.prepare(`UPDATE ${name} SET attempts = ?, next_at = ?, last_error = ? WHERE id = ?`);
  const remove = db.prepare(`DELETE FROM ${name} WHERE id = ?`);
  return {
    insert: (delivery, now) => Number(insert.run(JSON.stringify(delivery), now, now).lastInsertRowid),
    find(id) {
      const row = find.get(id);
      if (row === undefined) return undefined;
      const lastError = row.last_error === null ? undefined : String(row.last_error);
      return { id, delivery: JSON.parse(String(row.delivery)), queuedAt: Number(row.queued_at), attempts: Number(row.attempts), nextAt: Number(row.next_at), lastError };
    },
    all: () => all.all().map((row) => ({ id: Number(row.id), nextAt: Number(row.next_at) })),
    postpone(id, attempts, nextAt, error) {
      postpone.run(attempts, nextAt, error, id);
    },
    remove(id) {
      remove.run(id);
    },
  };
};
