import { createHash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

export type MessageAttribute = { DataType: string; StringValue?: string; BinaryValue?: string };

export type NewMessage = { body: string; attributes: Record<string, MessageAttribute>; delaySeconds: number; sender: string };

export type Message = {
  id: string;
  body: string;
  attributes: Record<string, MessageAttribute>;
  sender: string;
  sentAt: number;
  receives: number;
  firstReceivedAt: number;
  receipt: string;
};

export type QueueSettings = { name: string; retentionSeconds: number; redrive: { queue: string; maxReceiveCount: number } | undefined };

export type QueueCounts = { visible: number; inFlight: number; delayed: number; oldestSentAt: number | undefined };

/** A message as somebody who only looks sees it. */
export type SeenMessage = { id: string; sentAt: string; receives: number; visibleAt: string; attributes: Record<string, string>; body: string };

const md5 = (data: string | Buffer): string => createHash('md5').update(data).digest('hex');
const lengthOf = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
};

/** Digest of a body, as clients check it. */
export const bodyDigest = (body: string): string => md5(body);

/** Digest of message attributes, in the order and encoding AWS defines. */
export const attributesDigest = (attributes: Record<string, MessageAttribute>): string => {
  const parts = Object.entries(attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { DataType, StringValue, BinaryValue }]) => {
      const binary = StringValue === undefined;
      const value = binary ? Buffer.from(BinaryValue ?? '', 'base64') : Buffer.from(StringValue);
      const [key, type] = [Buffer.from(name), Buffer.from(DataType)];
      return [lengthOf(key), key, lengthOf(type), type, Buffer.from([binary ? 2 : 1]), lengthOf(value), value];
    });
  return md5(Buffer.concat(parts));
};

type Row = Record<string, unknown>;
const messageOf = (row: Row, receipt: string, now: number): Message => ({
  id: String(row.id),
  body: String(row.body),
  attributes: JSON.parse(String(row.attributes)),
  sender: String(row.sender),
  sentAt: Number(row.sent_at),
  receives: Number(row.receives) + 1,
  firstReceivedAt: row.first_received_at === null ? now : Number(row.first_received_at),
  receipt,
});

/** Messages of all queues in the journal. Every change is written before it returns. */
export class Messages {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(`CREATE TABLE IF NOT EXISTS sq_message (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, queue TEXT NOT NULL, body TEXT NOT NULL,
      attributes TEXT NOT NULL, sender TEXT NOT NULL, sent_at REAL NOT NULL, visible_at REAL NOT NULL, receives INTEGER NOT NULL DEFAULT 0,
      first_received_at REAL, receipt TEXT) STRICT;
      CREATE INDEX IF NOT EXISTS sq_by_queue ON sq_message (queue, visible_at)`);
  }

  add(queue: string, message: NewMessage, now: number): string {
    const id = randomUUID();
    this.#db
      .prepare('INSERT INTO sq_message (id, queue, body, attributes, sender, sent_at, visible_at) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, queue, message.body, JSON.stringify(message.attributes), message.sender, now, now + message.delaySeconds * 1000);
    return id;
  }

  /** Takes up to `most` visible messages and hides them. One that was received too often moves to its dead-letter queue instead, keeping its age (OP-01). */
  take(queue: QueueSettings, most: number, hiddenSeconds: number, now: number): Message[] {
    this.#forgetOld(queue, now);
    const taken: Message[] = [];
    const rows = this.#db.prepare('SELECT * FROM sq_message WHERE queue = ? AND visible_at <= ? ORDER BY seq LIMIT 200').all(queue.name, now);
    for (const row of rows) {
      if (taken.length === most) break;
      if (this.#redriven(queue, row)) continue;
      const message = messageOf(row, randomUUID(), now);
      this.#db
        .prepare('UPDATE sq_message SET receives = ?, first_received_at = ?, receipt = ?, visible_at = ? WHERE id = ?')
        .run(message.receives, message.firstReceivedAt, message.receipt, now + hiddenSeconds * 1000, message.id);
      taken.push(message);
    }
    return taken;
  }

  #redriven(queue: QueueSettings, row: Row): boolean {
    if (queue.redrive === undefined || Number(row.receives) < queue.redrive.maxReceiveCount) return false;
    this.#db.prepare('UPDATE sq_message SET queue = ?, receives = 0, first_received_at = NULL, receipt = NULL WHERE id = ?').run(queue.redrive.queue, String(row.id));
    return true;
  }

  #forgetOld(queue: QueueSettings, now: number): void {
    this.#db.prepare('DELETE FROM sq_message WHERE queue = ? AND sent_at <= ?').run(queue.name, now - queue.retentionSeconds * 1000);
  }

  remove(queue: string, receipt: string): void {
    this.#db.prepare('DELETE FROM sq_message WHERE queue = ? AND receipt = ?').run(queue, receipt);
  }

  /** False when no message is held under this receipt. */
  hide(queue: string, receipt: string, until: number, now: number): boolean {
    return this.#db.prepare('UPDATE sq_message SET visible_at = ? WHERE queue = ? AND receipt = ? AND visible_at > ?').run(until, queue, receipt, now).changes > 0;
  }

  /** The oldest messages, untouched. */
  peek(queue: string, most: number): SeenMessage[] {
    const rows = this.#db.prepare('SELECT * FROM sq_message WHERE queue = ? ORDER BY seq LIMIT ?').all(queue, most);
    return rows.map((row) => ({
      id: String(row.id),
      sentAt: new Date(Number(row.sent_at)).toISOString(),
      receives: Number(row.receives),
      visibleAt: new Date(Number(row.visible_at)).toISOString(),
      attributes: Object.fromEntries(
        Object.entries(JSON.parse(String(row.attributes)) as Record<string, MessageAttribute>).map(([name, one]) => [name, one.StringValue ?? 'binary']),
      ),
      body: String(row.body),
    }));
  }

  purge(queue: string): void {
    this.#db.prepare('DELETE FROM sq_message WHERE queue = ?').run(queue);
  }

  counts(queue: QueueSettings, now: number): QueueCounts {
    this.#forgetOld(queue, now);
    const row = this.#db
      .prepare(
        `SELECT sum(visible_at <= ?) AS visible, sum(visible_at > ? AND receives > 0) AS in_flight, sum(visible_at > ? AND receives = 0) AS delayed, min(sent_at) AS oldest
         FROM sq_message WHERE queue = ?`,
      )
      .get(now, now, now, queue.name);
    const oldest = row?.oldest ?? null;
    return {
      visible: Number(row?.visible ?? 0),
      inFlight: Number(row?.in_flight ?? 0),
      delayed: Number(row?.delayed ?? 0),
      oldestSentAt: oldest === null ? undefined : Number(oldest),
    };
  }
}
