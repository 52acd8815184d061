import type { DatabaseSync } from 'node:sqlite';
import type { Input } from '../protocol/input.ts';

export type ScheduleRow = { name: string; group: string; raw: Input; origin: 'template' | 'request'; createdAt: number; nextAt: number | undefined };

export type ScheduleTable = {
  find(group: string, name: string): ScheduleRow | undefined;
  save(row: ScheduleRow): void;
  remove(group: string, name: string): void;
  all(): ScheduleRow[];
};

const rowOf = (row: Record<string, unknown>): ScheduleRow => ({
  name: String(row.name),
  group: String(row.grouping),
  raw: JSON.parse(String(row.raw)),
  origin: row.origin === 'template' ? 'template' : 'request',
  createdAt: Number(row.created_at),
  nextAt: row.next_at === null ? undefined : Number(row.next_at),
});

/** Schedules in the journal, each with the moment it fires next. */
export const scheduleTable = (db: DatabaseSync): ScheduleTable => {
  db.exec(`CREATE TABLE IF NOT EXISTS sc_schedule (grouping TEXT NOT NULL, name TEXT NOT NULL, raw TEXT NOT NULL, origin TEXT NOT NULL,
    created_at REAL NOT NULL, next_at REAL, PRIMARY KEY (grouping, name)) STRICT`);
  const find = db.prepare('SELECT * FROM sc_schedule WHERE grouping = ? AND name = ?');
  const save = db.prepare('INSERT OR REPLACE INTO sc_schedule (grouping, name, raw, origin, created_at, next_at) VALUES (?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM sc_schedule WHERE grouping = ? AND name = ?');
  const all = db.prepare('SELECT * FROM sc_schedule ORDER BY grouping, name');
  return {
    find(group, name) {
      const row = find.get(group, name);
      return row === undefined ? undefined : rowOf(row);
    },
    save(row) {
      save.run(row.group, row.name, JSON.stringify(row.raw), row.origin, row.createdAt, row.nextAt ?? null);
    },
    remove(group, name) {
      remove.run(group, name);
    },
    all: () => all.all().map(rowOf),
  };
};
