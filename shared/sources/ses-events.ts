// What Amazon SES says about a mail, on EventBridge and through SNS alike: delivered, bounced, complained; or a mail that arrived.

import { ContractError } from '../contracts/contract-error.ts';
import type { Announcement, DeliveryState, OptOutReason } from '../domain/announcement.ts';
import type { Reading } from '../ports/signal-source.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { statedEmail } from './stated-email.ts';
import { statedEventId } from './stated-event-id.ts';
import { textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { headersFrom, headersIn, mailDate, readMail } from './stated-reply.ts';
import { objectIn, objectsIn } from './stated-signal.ts';

const STATES: ReadonlyMap<string, DeliveryState> = new Map([
  ['Send', 'sent'],
  ['DeliveryDelay', 'delayed'],
  ['Delivery', 'delivered'],
  ['Reject', 'failed'],
  ['Rendering Failure', 'failed'],
  ['Bounce', 'bounced'],
  ['Complaint', 'complained'],
]);

/** The tag in which our own mails name what they are about, as base64url. */
const REFERENCE = 'baton-reference';

/** Event publishing says `eventType`, identity feedback `notificationType`. Opens and clicks say nothing (MS-16). */
export function sesAnnouncements(event: JsonObject, receivedAt: string): Announcement[] {
  const type = textOf(event.eventType) ?? textOf(event.notificationType) ?? '';
  const mail = objectIn(event.mail);
  const about = objectIn(event[type.toLowerCase()]);
  const messageId = textOf(mail.messageId)?.slice(0, 200);
  const state = stateOf(type, about);
  if (state === undefined || messageId === undefined) return [];
  const occurredAt = statedInstant(textOf(about.timestamp) ?? textOf(mail.timestamp) ?? '', receivedAt) ?? receivedAt;
  const reference = referenceIn(objectIn(mail.tags)[REFERENCE]);
  const detail = [textOf(about.bounceType), textOf(about.bounceSubType)]
    .filter((part) => part !== undefined)
    .join('/')
    .slice(0, 100);
  const reported: Announcement = {
    kind: 'message.reported',
    provider: 'ses',
    messageId,
    state,
    occurredAt,
    channel: 'email',
    ...(reference !== undefined && { reference }),
    ...(detail !== '' && { detail }),
  };
  const id = [messageId, type, textOf(about.feedbackId) ?? ''].join(':');
  return [reported, ...choices(state, about, { eventId: id, occurredAt })];
}

function referenceIn(tag: JsonValue | undefined): string | undefined {
  const [text] = Array.isArray(tag) ? tag : [];
  const reference = typeof text === 'string' && /^[A-Za-z0-9_-]{1,400}$/.test(text) ? Buffer.from(text, 'base64url').toString('utf8') : '';
  return /^[!-~]{1,300}$/.test(reference) ? reference : undefined;
}

/** A bounce that is not permanent is a delay. SES calls its own suppression list a permanent bounce, which it is for us (MS-02). */
const stateOf = (type: string, { bounceType }: JsonObject): DeliveryState | undefined => (type === 'Bounce' && bounceType !== 'Permanent' ? 'delayed' : STATES.get(type));

function choices(state: DeliveryState, about: JsonObject, { eventId, occurredAt }: { eventId: string; occurredAt: string }): Announcement[] {
  const because: OptOutReason | undefined = state === 'bounced' ? 'hard-bounce' : state === 'complained' ? 'complaint' : undefined;
  if (because === undefined) return [];
  return objectsIn(about.bouncedRecipients ?? about.complainedRecipients)
    .map(({ emailAddress }) => statedEmail(textOf(emailAddress) ?? ''))
    .flatMap((address, index): Announcement[] =>
      address === undefined
        ? []
        : [{ kind: 'contact.opted-out', source: 'ses', eventId: statedEventId(index === 0 ? eventId : `${eventId}:${index}`), occurredAt, channel: 'email', address, because }],
    );
}

/** A mail that SES received. Only the SNS action carries its text, and only plain mail is read: of anything else the words stay unknown. */
export function readSesInbound(event: JsonObject, receivedAt: string, country: string): Reading {
  const mail = objectIn(event.mail);
  const receipt = objectIn(event.receipt);
  const common = objectIn(mail.commonHeaders);
  const [recipient] = Array.isArray(receipt.recipients) ? receipt.recipients : Array.isArray(mail.destination) ? mail.destination : [];
  if (textOf(mail.messageId) === undefined || textOf(recipient) === undefined) throw new ContractError('the mail', ['mail.messageId', 'mail.destination']);
  const [from] = Array.isArray(common.from) ? common.from : [];
  const passed = (verdict: string) => objectIn(receipt[verdict]).status === 'PASS';
  return readMail(
    {
      occurrence: { source: 'sns', id: ['ses-inbound', mail.messageId], at: mailDate(textOf(common.date)) ?? textOf(mail.timestamp), receivedAt },
      from: textOf(from) ?? textOf(mail.source) ?? '',
      envelopeFrom: textOf(mail.source) ?? '',
      recipient: textOf(recipient) ?? '',
      subject: textOf(common.subject),
      words: plainWords(textOf(event.content)),
      headers: headersFrom(objectsIn(mail.headers).map(({ name, value }): [string, string] => [textOf(name) ?? '', textOf(value) ?? ''])),
      isGenuine: passed('dkimVerdict') || passed('spfVerdict'),
      more: objectIn(receipt.spamVerdict).status === 'FAIL' ? [['mail.spam', 'FAIL']] : [],
    },
    country,
  );
}

/** The body of a mail that is plain, unencoded text. */
function plainWords(content: string | undefined): string | undefined {
  const split = content?.search(/\r?\n\r?\n/) ?? -1;
  if (content === undefined || split === -1) return undefined;
  const headers = headersIn(content.slice(0, split));
  const isPlain = /^text\/plain\b/i.test(headers.get('content-type') ?? 'text/plain') && /^(?:7bit|8bit)?$/i.test(headers.get('content-transfer-encoding') ?? '');
  return isPlain ? content.slice(split).trim() : undefined;
}
