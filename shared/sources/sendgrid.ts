// SendGrid: what became of mail that was sent (JSON), and mail that arrives (multipart). Signed with a key whose public half is the "secret" here.

import { ContractError } from '../contracts/contract-error.ts';
import type { Announcement, DeliveryState, OptOutReason } from '../domain/announcement.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { mediaTypeOf, readMultipart, textIn } from './read-form.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { statedEmail } from './stated-email.ts';
import { statedEventId } from './stated-event-id.ts';
import { isObject, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { addressIn, headersIn, mailDate, readMail } from './stated-reply.ts';
import { type Field, ignored, instantIn, objectIn } from './stated-signal.ts';
import { choiceOf } from './stated-stop.ts';
import { verifyEcdsa } from './verify/public-key.ts';

export const sendgrid: Provider = {
  name: 'sendgrid',
  title: 'SendGrid',
  secret: { from: 'provider', what: 'Verification key (public key) of the signed webhook' },
  setup: [
    'Settings > Mail Settings > Event Webhook: Post URL <url>, Signed Event Webhook on; copy the verification key.',
    'Settings > Inbound Parse: your host, URL <url>, with a security policy that signs; add its public key as well.',
  ],
  contentTypes: ['application/json', 'multipart/form-data'],
  verification: {
    verify: ({ headers, body }, keys, now) =>
      verifyEcdsa({ signature: headers['x-twilio-email-event-webhook-signature'] ?? '', timestamp: headers['x-twilio-email-event-webhook-timestamp'] ?? '' }, body, keys, now),
    sign() {
      throw new Error('only SendGrid can sign as SendGrid: use "Test your integration" on its Event Webhook page');
    },
  },
  read: (delivery, receivedAt, { country }) => (mediaTypeOf(delivery) === 'application/json' ? readEvents(delivery, receivedAt) : readInbound(delivery, receivedAt, country)),
  answer: received,
};

const STATES: ReadonlyMap<string, DeliveryState> = new Map([
  ['processed', 'sent'],
  ['deferred', 'delayed'],
  ['delivered', 'delivered'],
  ['dropped', 'failed'],
  ['bounce', 'bounced'],
  ['spamreport', 'complained'],
]);

const REASONS: ReadonlyMap<string, OptOutReason> = new Map([
  ['spamreport', 'complaint'],
  ['unsubscribe', 'unsubscribed'],
  ['group_unsubscribe', 'unsubscribed'],
]);

/** Opens and clicks are not people (MS-16): they say nothing here. */
function readEvents({ body }: Delivery, receivedAt: string): Reading {
  const events = readJson(new TextDecoder().decode(body));
  if (events === undefined) return { kind: 'unreadable' };
  if (!Array.isArray(events) || !events.every(isObject)) throw new ContractError('the events', ['(whole)']);
  const announcements = events.flatMap((event) => announcementsOf(event, receivedAt));
  return announcements.length === 0 ? ignored('events that say nothing here') : { kind: 'signals', signals: [], announcements };
}

function announcementsOf(event: JsonObject, receivedAt: string): Announcement[] {
  const name = textOf(event.event) ?? '';
  const [state, messageId, id] = [stateOf(event), textOf(event.sg_message_id), textOf(event.sg_event_id)];
  const occurredAt = statedInstant(instantIn('seconds', event.timestamp) ?? '', receivedAt) ?? receivedAt;
  const address = statedEmail(textOf(event.email) ?? '');
  const because = state === 'bounced' ? 'hard-bounce' : REASONS.get(name);
  const said: Announcement[] = [];
  const detail = textOf(event.status)?.slice(0, 100);
  if (state !== undefined && messageId !== undefined)
    said.push({ kind: 'message.reported', provider: 'sendgrid', messageId: messageId.slice(0, 200), state, occurredAt, channel: 'email', ...(detail !== undefined && { detail }) });
  if (because !== undefined && address !== undefined && id !== undefined)
    said.push(choiceOf({ source: 'sendgrid', eventId: statedEventId(id), occurredAt }, 'contact.opted-out', { channel: 'email', address }, because));
  return said;
}

/** A bounce of type `blocked` is the receiving server's mood, not the address. */
const stateOf = ({ event, type }: JsonObject): DeliveryState | undefined => (event === 'bounce' && type === 'blocked' ? 'failed' : STATES.get(textOf(event) ?? ''));

function readInbound(delivery: Delivery, receivedAt: string, country: string): Reading {
  const fields = readMultipart(delivery);
  if (fields === undefined) return { kind: 'unreadable' };
  const of = (name: string) => textIn(fields, name);
  const headers = headersIn(of('headers') ?? '');
  const envelope = objectIn(readJson(of('envelope') ?? ''));
  const [first] = Array.isArray(envelope.to) ? envelope.to : [];
  const recipient = textOf(first) ?? of('to');
  const messageId = headers.get('message-id');
  if (recipient === undefined || messageId === undefined) throw new ContractError('the mail', ['to', 'headers.Message-ID']);
  return readMail(
    {
      occurrence: { source: 'sendgrid', id: [messageId, addressIn(recipient)], at: mailDate(headers.get('date')), receivedAt },
      from: of('from') ?? '',
      envelopeFrom: envelope.from === undefined ? undefined : (textOf(envelope.from) ?? ''),
      recipient,
      subject: of('subject'),
      words: of('text'),
      headers,
      isGenuine: of('SPF')?.toLowerCase() === 'pass' || /: pass\b/.test(of('dkim') ?? ''),
      more: attachmentsOf(of('attachments')),
    },
    country,
  );
}

/** Attachments themselves are not kept; that there were some is. */
const attachmentsOf = (count: string | undefined): Field[] => (count === undefined || count === '0' ? [] : [['mail.attachments', count]]);
