import type { DatabaseSync } from 'node:sqlite';

/** A message that left Baton, as its reader would see it. */
export type MailboxMessage = {
  id: string;
  channel: 'email' | 'sms';
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  sentAt: string;
  /** Why it never reached anybody; empty when it did. */
  undelivered: string;
};

export type NewMailboxMessage = Omit<MailboxMessage, 'id' | 'links'>;

export type Mailbox = {
  add(message: NewMailboxMessage): string;
  /** Newest first. */
  all(): MailboxMessage[];
};

const LINK = /https?:\/\/[^\s<>"')\]]+/g;
const HREF = /href\s*=\s*["'](https?:\/\/[^"']+)["']/gi;

const plain = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** The web addresses in a message, each once, in the order a reader meets them. */
export const linksIn = (text: string, html: string): string[] => {
  const inText = [...text.matchAll(LINK)].map(([link]) => link.replace(/[.,;:!?]+$/, ''));
  const inHtml = [...html.matchAll(HREF)].map(([, link = '']) => plain(link));
  return [...new Set([...inText, ...inHtml])];
};

const messageOf = (row: Record<string, unknown>): MailboxMessage => ({
  id: String(row.id),
  channel: row.channel === 'sms' ? 'sms' : 'email',
  to: String(row.recipient),
  from: String(row.sender),
  subject: String(row.subject),
  text: String(row.text),
  html: String(row.html),
  links: linksIn(String(row.text), String(row.html)),
  sentAt: String(row.sent_at),
  undelivered: String(row.undelivered),
});

/** The mailbox in the journal. Numbers only grow, so that a later message always has the larger one. */
export const mailbox = (db: DatabaseSync): Mailbox => {
  db.exec(`CREATE TABLE IF NOT EXISTS mb_message (id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, recipient TEXT NOT NULL, sender TEXT NOT NULL,
    subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, sent_at TEXT NOT NULL, undelivered TEXT NOT NULL) STRICT`);
  const add = db.prepare('INSERT INTO mb_message (channel, recipient, sender, subject, text, html, sent_at, undelivered) VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const all = db.prepare('SELECT * FROM mb_message ORDER BY id DESC');
  return {
    add: (message) => String(add.run(message.channel, message.to, message.from, message.subject, message.text, message.html, message.sentAt, message.undelivered).lastInsertRowid),
    all: () => all.all().map(messageOf),
  };
};
