import type { DatabaseSync } from 'node:sqlite';

/** How far each mapping has come in each shard, in the journal. */
export class Positions {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec('CREATE TABLE IF NOT EXISTS stream_positions (mapping TEXT NOT NULL, shard TEXT NOT NULL, position TEXT NOT NULL, PRIMARY KEY (mapping, shard)) STRICT');
  }

  of(mapping: string, shard: string): string | undefined {
    const row = this.#db.prepare('SELECT position FROM stream_positions WHERE mapping = ? AND shard = ?').get(mapping, shard);
    return row ? String(row.position) : undefined;
  }

  remember(mapping: string, shard: string, position: string): void {
    this.#db
      .prepare('INSERT INTO stream_positions (mapping, shard, position) VALUES (?, ?, ?) ON CONFLICT (mapping, shard) DO UPDATE SET position = excluded.position')
      .run(mapping, shard, position);
  }
}
