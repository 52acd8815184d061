import type { DatabaseSync } from 'node:sqlite';

export type RuleHits = { count(bus: string, rule: string, now: number): void; all(): { rule: string; bus: string; matched: number; lastAt: string }[] };

/** Counts matches per rule in the journal, so that a person sees which rules work. */
export const ruleHits = (db: DatabaseSync): RuleHits => {
  db.exec('CREATE TABLE IF NOT EXISTS eb_hits (bus TEXT NOT NULL, rule TEXT NOT NULL, matched INTEGER NOT NULL, last_at REAL NOT NULL, PRIMARY KEY (bus, rule)) STRICT');
  const count = db.prepare('INSERT INTO eb_hits VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE SET matched = matched + 1, last_at = excluded.last_at');
  const all = db.prepare('SELECT * FROM eb_hits ORDER BY bus, rule');
  return {
    count(bus, rule, now) {
      count.run(bus, rule, now);
    },
    all: () => all.all().map((row) => ({ rule: String(row.rule), bus: String(row.bus), matched: Number(row.matched), lastAt: new Date(Number(row.last_at)).toISOString() })),
  };
};
