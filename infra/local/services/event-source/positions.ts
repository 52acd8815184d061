import type { DatabaseSync } from 'node:sqlite';
import type { Retrying } from './batch.ts';

/** How far each mapping has come in each shard, and what it is trying again there, in the journal. */
export class Positions {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec('CREATE TABLE IF NOT EXISTS stream_positions (mapping TEXT NOT NULL, shard TEXT NOT NULL, position TEXT NOT NULL, PRIMARY KEY (mapping, shard)) STRICT');
    db.exec('CREATE TABLE IF NOT EXISTS stream_retries (mapping TEXT NOT NULL, shard TEXT NOT NULL, retries TEXT NOT NULL, PRIMARY KEY (mapping, shard)) STRICT');
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

  retries(mapping: string, shard: string): Retrying[] {
    const row = this.#db.prepare('SELECT retries FROM stream_retries WHERE mapping = ? AND shard = ?').get(mapping, shard);
    return row ? (JSON.parse(String(row.retries)) as Retrying[]) : [];
  }

  /** Keeps what is being tried again; nothing is left of it once the list is empty. */
  keepRetries(mapping: string, shard: string, retries: readonly Retrying[]): void {
    if (retries.length === 0) this.#db.prepare('DELETE FROM stream_retries WHERE mapping = ? AND shard = ?').run(mapping, shard);
    else
      this.#db
        .prepare('INSERT INTO stream_retries (mapping, shard, retries) VALUES (?, ?, ?) ON CONFLICT (mapping, shard) DO UPDATE SET retries = excluded.retries')
        .run(mapping, shard, JSON.stringify(retries));
  }
}
