// Mail from customers, whichever service received it: a reply, a new message, an automatic answer, or "no more mail".

import type { ContactChoice, OptOutReason } from '../domain/announcement.ts';
import type { Signal } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { statedEmail } from './stated-email.ts';
import { type Field, ignored, type Occurrence, signalOf } from './stated-signal.ts';
import { choiceOf, type StopMeaning, stopMeaning } from './stated-stop.ts';
import type { StatedThread } from './stated-thread.ts';

export type Mail = {
  occurrence: Pick<Occurrence, 'source' | 'id' | 'at' | 'receivedAt'>;
  /** `Dana Whitfield <dana@example.com>`, or the address alone. */
  from: string;
  /** Who the envelope names as sender; empty for automatic mail. */
  envelopeFrom: string | undefined;
  /** The address of ours it was sent to. */
  recipient: string;
  subject: string | undefined;
  /** Its id as the sender made it, where no header says so. */
  messageId?: string;
  /** What the person wrote, without what they quoted when the service knows. */
  words: string | undefined;
  headers: MailHeaders;
  /** Whether SPF or DKIM says that the domain really sent it. Without that, nobody is suppressed by it. */
  isGenuine: boolean;
  /** What else the service said: kept as sent. */
  more?: readonly Field[];
};

/** Names in lower case. */
export type MailHeaders = ReadonlyMap<string, string>;

/** The reading of one mail. Automatic answers are nobody's wish. A reply is told to whoever follows the thread; its sender is not proof of anything. */
export function readMail(mail: Mail, country: string): Reading {
  if (isAutomatic(mail)) return ignored('automatic mail');
  const { name, address } = senderOf(mail.from);
  const thread = threadOf(mail.recipient);
  const isReply = thread !== undefined || mail.headers.has('in-reply-to') || mail.headers.has('references');
  const threads = [...messageIds(mail.messageId, mail.headers), ...tagged(thread)];
  const fields: Field[] = [['name', name], ['email', address], ['message', mail.words], ['mail.subject', mail.subject], ['mail.to', mail.recipient], ...(mail.more ?? [])];
  const meaning = stopMeaning(mail.words ?? '') ?? (/^\s*unsubscribe\s*$/i.test(mail.subject ?? '') ? 'opt-out' : undefined);
  const signal = signalOf(
    { ...mail.occurrence, threads, kind: isReply ? 'customer.replied' : 'message.received', notALead: meaning === 'opt-out' ? 'opt-out' : undefined },
    fields,
    country,
  );
  const { source, eventId, occurredAt } = signal;
  return {
    kind: 'signals',
    signals: [signal],
    announcements: [
      ...(isReply ? [{ kind: 'customer.replied' as const, source, eventId, occurredAt, ...(thread !== undefined && { thread }) }] : []),
      ...(mail.isGenuine ? choices(signal, meaning) : []),
    ],
  };
}

/** Mails of one conversation name each other, whichever service sent them (RFC 5322): its own id, what it answers, and what led there. */
function messageIds(own: string | undefined, headers: MailHeaders): StatedThread[] {
  const texts = [headers.get('message-id') ?? own ?? '', ...['references', 'in-reply-to'].map((name) => headers.get(name) ?? '')];
  return texts.flatMap((text) => text.slice(0, 20_000).match(/<[^<>\s]{1,500}>/g) ?? []).map((id): StatedThread => ['mail', id.slice(1, -1)]);
}

/** The address of the reply names a handoff, or whatever another system put there. */
const tagged = (thread: string | undefined): StatedThread[] => (thread === undefined ? [] : [[/^h-[0-9a-f]{32}$/.test(thread) ? 'handoff' : 'tag', thread]]);

/** An opted-in word in a mail lifts nothing: it may answer anything. */
function choices(signal: Signal, meaning: StopMeaning | undefined): ContactChoice[] {
  const { email } = signal.contact;
  if (email === undefined || (meaning !== 'opt-out' && meaning !== 'asks-to-stop')) return [];
  const because: OptOutReason = meaning === 'opt-out' ? 'unsubscribed' : 'asked-in-words';
  return [choiceOf(signal, 'contact.opted-out', { channel: 'email', address: email }, because)];
}

/** Out-of-office answers, bounces and lists, by what they say about themselves (RFC 3834). */
function isAutomatic({ headers, envelopeFrom, from, subject }: Mail): boolean {
  const submitted = headers.get('auto-submitted')?.trim().toLowerCase() ?? 'no';
  if (!submitted.startsWith('no') || /^(?:bulk|list|junk|auto_reply)$/i.test(headers.get('precedence')?.trim() ?? '')) return true;
  if (headers.has('x-autoreply') || headers.has('x-autorespond') || headers.has('list-id')) return true;
  if (envelopeFrom !== undefined && /^\s*<?>?\s*$/.test(envelopeFrom)) return true;
  if (/(?:^|[<\s])(?:mailer-daemon|postmaster|no-?reply)@/i.test(from.slice(0, 1000))) return true;
  return /^\s*(?:auto(?:matic)?[ -]?(?:reply|response)|out of (?:the )?office|respuesta autom[a\u00e1]tica|fuera de la oficina)\b/i.test(subject ?? '');
}

/** A display name is the person's name unless it is the address again. */
function senderOf(from: string): { name?: string; address: string } {
  const [, shown = '', inside = from] = /^([^<>]{0,500})<([^<>]{0,500})>\s*$/.exec(from.slice(0, 1100)) ?? [];
  const name = shown
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('\\"', '"')
    .trim();
  return name === '' || statedEmail(name) !== undefined ? { address: inside.trim() } : { name, address: inside.trim() };
}

/** What stands behind the plus of our address: `lead_01JD` in `reply+lead_01JD@…`. */
const threadOf = (recipient: string): string | undefined => /^[^@+]{1,64}\+([A-Za-z0-9_.-]{1,100})@/.exec(addressIn(recipient))?.[1];

/** The address in `Name <address>`, or the text itself. */
export const addressIn = (text: string): string => (/<([^<>]{1,320})>\s*$/.exec(text.slice(0, 1000))?.[1] ?? text.slice(0, 1000)).trim();

/** Headers from pairs; the first of a repeated name counts. */
export function headersFrom(pairs: Iterable<readonly [string, string]>): MailHeaders {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  return headers;
}

/** Header lines as text, folded lines joined. */
export const headersIn = (text: string): MailHeaders =>
  headersFrom(
    text
      .slice(0, 100_000)
      .replace(/\r?\n[ \t]+/g, ' ')
      .split(/\r?\n/)
      .flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
      }),
  );

/** A mail date such as `Mon, 30 Nov 2026 07:03:51 -0800`, as ISO; undefined without an offset. */
export function mailDate(text: string | undefined): string | undefined {
  const match = /^(?:[A-Za-z]{3}, )?\d{1,2} [A-Za-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|GMT|UTC)\b/.exec(text?.trim() ?? '');
  const at = match === null ? Number.NaN : Date.parse(match[0]);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
