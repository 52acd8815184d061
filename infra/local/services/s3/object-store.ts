import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ObjectBody } from './read-body.ts';

export type StoredObject = { key: string; etag: string; size: number; headers: Record<string, string>; modifiedAt: number; file: string };

const objectOf = (row: Record<string, unknown>): StoredObject => ({
  key: String(row.key),
  etag: String(row.etag),
  size: Number(row.size),
  headers: JSON.parse(String(row.headers)),
  modifiedAt: Number(row.modified_at),
  file: String(row.file),
});

/** Objects: bytes in files, everything else in the journal. A file is complete on disk before the journal names it. */
export class ObjectStore {
  readonly #db: DatabaseSync;
  readonly #folder: string;

  constructor(db: DatabaseSync, dataDir: string) {
    this.#db = db;
    this.#folder = join(dataDir, 'objects');
    mkdirSync(this.#folder, { recursive: true });
    db.exec(`CREATE TABLE IF NOT EXISTS s3_object (bucket TEXT NOT NULL, key TEXT NOT NULL, etag TEXT NOT NULL, size INTEGER NOT NULL,
      headers TEXT NOT NULL, modified_at REAL NOT NULL, file TEXT NOT NULL, PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID`);
  }

  put(bucket: string, key: string, body: ObjectBody, details: { headers: Record<string, string>; now: number }): StoredObject {
    const before = this.find(bucket, key);
    const file = randomUUID();
    this.#write(file, body.data);
    const etag = `"${createHash('md5').update(body.data).digest('hex')}"`;
    this.#db
      .prepare('INSERT OR REPLACE INTO s3_object (bucket, key, etag, size, headers, modified_at, file) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(bucket, key, etag, body.data.length, JSON.stringify(details.headers), details.now, file);
    if (before !== undefined) this.#erase(before.file);
    return { key, etag, size: body.data.length, headers: details.headers, modifiedAt: details.now, file };
  }

  #write(file: string, data: Buffer): void {
    const handle = openSync(join(this.#folder, file), 'wx');
    try {
      for (let written = 0; written < data.length; ) written += writeSync(handle, data, written);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }

  #erase(file: string): void {
    rmSync(join(this.#folder, file), { force: true });
  }

  find(bucket: string, key: string): StoredObject | undefined {
    const row = this.#db.prepare('SELECT * FROM s3_object WHERE bucket = ? AND key = ?').get(bucket, key);
    return row === undefined ? undefined : objectOf(row);
  }

  read(object: StoredObject): Buffer {
    return readFileSync(join(this.#folder, object.file));
  }

  remove(bucket: string, key: string): void {
    const object = this.find(bucket, key);
    if (object === undefined) return;
    this.#db.prepare('DELETE FROM s3_object WHERE bucket = ? AND key = ?').run(bucket, key);
    this.#erase(object.file);
  }

  /** Objects after a key, in the order of their UTF-8 bytes. */
  list(bucket: string, prefix: string, after: string): StoredObject[] {
    const rows = this.#db.prepare('SELECT * FROM s3_object WHERE bucket = ? AND key > ? ORDER BY key').all(bucket, after);
    return rows.map(objectOf).filter((object) => object.key.startsWith(prefix));
  }
}
