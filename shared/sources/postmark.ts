// Postmark: mail that arrives, and what became of mail that was sent. The proof is Basic authentication, which the address carries. 403 would stop retries.

import { ContractError } from '../contracts/contract-error.ts';
import type { Announcement, DeliveryState, OptOutReason } from '../domain/announcement.ts';
import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { statedEmail } from './stated-email.ts';
import { statedEventId } from './stated-event-id.ts';
import { textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { headersFrom, mailDate, readMail } from './stated-reply.ts';
import { ignored, objectsIn, readObject } from './stated-signal.ts';
import { choiceOf } from './stated-stop.ts';
import { withHeaders } from './verify/raw-hmac.ts';
import { isActive } from './verify/static-token.ts';

export const postmark: Provider = {
  name: 'postmark',
  title: 'Postmark',
  secret: { from: 'baton', what: 'user and password in front of the host of the address' },
  setup: [
    'Server > Inbound stream > Settings > Webhook: <url>, with baton:<secret>@ in front of its host.',
    'For bounces and complaints: the same address under Webhooks of the outbound stream.',
  ],
  contentTypes: ['application/json'],
  verification: {
    verify: ({ headers }, secrets) => isActive(pairIn(headers.authorization), secrets.filter((secret) => secret !== '').map(pairOf)),
    sign: (delivery, secret) => withHeaders(delivery, { authorization: `Basic ${Buffer.from(pairOf(secret), 'utf8').toString('base64')}` }),
  },
  read: (delivery, receivedAt, { country }) =>
    readObject(delivery, (event) => (event.RecordType === undefined ? readInbound(event, receivedAt, country) : readReport(event, receivedAt))),
  answer: received,
};

/** A secret without a user is the password of `baton`. */
const pairOf = (secret: string): string => (secret.includes(':') ? secret : `baton:${secret}`);

function pairIn(authorization: string | undefined): string | undefined {
  const credentials = /^Basic +([A-Za-z0-9+/]{1,1000}={0,2})$/i.exec(authorization ?? '')?.[1];
  return credentials === undefined ? undefined : Buffer.from(credentials, 'base64').toString('utf8');
}

function readInbound(mail: JsonObject, receivedAt: string, country: string): Reading {
  const recipient = textOf(mail.OriginalRecipient) ?? textOf(mail.To);
  if (textOf(mail.MessageID) === undefined || recipient === undefined) throw new ContractError('the mail', ['MessageID', 'OriginalRecipient']);
  const headers = headersFrom(objectsIn(mail.Headers).map(({ Name, Value }): [string, string] => [textOf(Name) ?? '', textOf(Value) ?? '']));
  const from = textOf(mail.From) ?? '';
  const name = textOf(mail.FromName);
  return readMail(
    {
      occurrence: { source: 'postmark', id: [mail.MessageID], at: mailDate(textOf(mail.Date)), receivedAt },
      from: name === undefined ? from : `${name.replace(/[<>"]/g, '')} <${from}>`,
      envelopeFrom: undefined,
      recipient,
      subject: textOf(mail.Subject),
      words: textOf(mail.StrippedTextReply) ?? textOf(mail.TextBody),
      headers,
      isGenuine: /^pass\b/i.test(headers.get('received-spf') ?? ''),
    },
    country,
  );
}

const STATES: ReadonlyMap<string, DeliveryState> = new Map([
  ['Delivery', 'delivered'],
  ['Bounce', 'bounced'],
  ['SpamComplaint', 'complained'],
]);

/** Reports about mail that was sent through Postmark. A temporary bounce suppresses nobody. */
function readReport(report: JsonObject, receivedAt: string): Reading {
  const state = STATES.get(textOf(report.RecordType) ?? '');
  const messageId = textOf(report.MessageID);
  const address = statedEmail(textOf(report.Email) ?? textOf(report.Recipient) ?? '');
  if (messageId === undefined) throw new ContractError('the report', ['MessageID']);
  const occurredAt = statedInstant(textOf(report.BouncedAt) ?? textOf(report.DeliveredAt) ?? textOf(report.ChangedAt) ?? '', receivedAt) ?? receivedAt;
  const announcements: Announcement[] = [];
  const detail = textOf(report.Type)?.slice(0, 100);
  const definite = state !== 'bounced' || report.Type === 'HardBounce';
  if (state !== undefined)
    announcements.push({
      kind: 'message.reported',
      provider: 'postmark',
      messageId: messageId.slice(0, 200),
      state: definite ? state : 'delayed',
      occurredAt,
      channel: 'email',
      ...(detail !== undefined && { detail }),
    });
  const because = reasonIn(report);
  const event = { source: 'postmark', eventId: statedEventId(`${messageId}:${textOf(report.RecordType) ?? ''}`), occurredAt };
  if (because !== undefined && address !== undefined) announcements.push(choiceOf(event, 'contact.opted-out', { channel: 'email', address }, because));
  return announcements.length === 0 ? ignored('a report that says nothing here') : { kind: 'signals', signals: [], announcements };
}

function reasonIn({ RecordType: record, Type: type, SuppressSending: suppress }: JsonObject): OptOutReason | undefined {
  if (record === 'SpamComplaint') return 'complaint';
  if (record === 'Bounce' && type === 'HardBounce') return 'hard-bounce';
  return record === 'SubscriptionChange' && suppress === true ? 'unsubscribed' : undefined;
}
