import { randomInt, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../kernel/journal.ts';
import { ACCOUNT, AwsError, REGION } from '../../kernel/types.ts';

export type Secret = { arn: string; name: string; description: string; origin: 'template' | 'request'; settings: string; createdAt: number; changedAt: number };
export type Version = { id: string; text: string | undefined; binary: string | undefined; stages: string[]; createdAt: number };
export type NewValue = { id: string; text: string | undefined; binary: string | undefined; stages: readonly string[] };

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const suffix = (): string => Array.from({ length: 6 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

const secretOf = (row: Record<string, unknown>): Secret => ({
  arn: String(row.arn),
  name: String(row.name),
  description: String(row.description),
  origin: row.origin === 'template' ? 'template' : 'request',
  settings: String(row.settings),
  createdAt: Number(row.created_at),
  changedAt: Number(row.changed_at),
});

const textOf = (value: unknown): string | undefined => (value === null ? undefined : String(value));
const versionOf = (row: Record<string, unknown>): Version => ({
  id: String(row.id),
  text: textOf(row.text),
  binary: textOf(row.binary),
  stages: JSON.parse(String(row.stages)),
  createdAt: Number(row.created_at),
});

/** Secrets and their versions in the journal: generated once, then the same over every restart. */
export class SecretStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(`CREATE TABLE IF NOT EXISTS sm_secret (name TEXT PRIMARY KEY, arn TEXT NOT NULL UNIQUE, description TEXT NOT NULL, origin TEXT NOT NULL,
      settings TEXT NOT NULL, created_at REAL NOT NULL, changed_at REAL NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS sm_version (arn TEXT NOT NULL, id TEXT NOT NULL, text TEXT, binary TEXT, stages TEXT NOT NULL, created_at REAL NOT NULL, PRIMARY KEY (arn, id)) STRICT`);
  }

  create(from: { name: string; description: string; origin: Secret['origin']; settings: string }, now: number): Secret {
    const arn = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${from.name}-${suffix()}`;
    this.#db
      .prepare('INSERT INTO sm_secret (name, arn, description, origin, settings, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(from.name, arn, from.description, from.origin, from.settings, now, now);
    return { arn, ...from, createdAt: now, changedAt: now };
  }

  /** By name, ARN, or ARN without its random end. */
  find(id: string): Secret | undefined {
    const row = this.#db.prepare('SELECT * FROM sm_secret WHERE name = ? OR arn = ? OR substr(arn, 1, length(arn) - 7) = ?').get(id, id, id);
    return row === undefined ? undefined : secretOf(row);
  }

  need(id: string): Secret {
    const secret = this.find(id);
    if (secret === undefined) throw new AwsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret: ${id}`);
    return secret;
  }

  all(): Secret[] {
    return this.#db.prepare('SELECT * FROM sm_secret ORDER BY name').all().map(secretOf);
  }

  describe(secret: Secret, description: string, settings: string, now: number): void {
    this.#db.prepare('UPDATE sm_secret SET description = ?, settings = ?, changed_at = ? WHERE arn = ?').run(description, settings, now, secret.arn);
  }

  versions(secret: Secret): Version[] {
    return this.#db.prepare('SELECT * FROM sm_version WHERE arn = ? ORDER BY created_at').all(secret.arn).map(versionOf);
  }

  /** Adds a version. Stages move to it from whichever version had them; the former current one becomes the previous one. */
  put(secret: Secret, value: NewValue, now: number): string {
    const known = this.versions(secret).find((version) => version.id === value.id);
    if (known !== undefined) {
      if (known.text === value.text && known.binary === value.binary) return known.id;
      throw new AwsError('ResourceExistsException', `The version ${value.id} exists already with a different value.`);
    }
    inTransaction(this.#db, () => {
      for (const version of this.versions(secret)) this.#keepStages(secret, version, value.stages);
      this.#db
        .prepare('INSERT INTO sm_version (arn, id, text, binary, stages, created_at) VALUES (?, ?, ?, ?, ?, ?)')
        .run(secret.arn, value.id, value.text ?? null, value.binary ?? null, JSON.stringify(value.stages), now);
      this.#db.prepare('UPDATE sm_secret SET changed_at = ? WHERE arn = ?').run(now, secret.arn);
    });
    return value.id;
  }

  #keepStages(secret: Secret, version: Version, taken: readonly string[]): void {
    const demoted = taken.includes('AWSCURRENT') && version.stages.includes('AWSCURRENT');
    const kept = version.stages.filter((stage) => !taken.includes(stage) && !(stage === 'AWSPREVIOUS' && taken.includes('AWSCURRENT')));
    this.#db.prepare('UPDATE sm_version SET stages = ? WHERE arn = ? AND id = ?').run(JSON.stringify(demoted ? [...kept, 'AWSPREVIOUS'] : kept), secret.arn, version.id);
  }
}

export const newVersionId = (): string => randomUUID();
