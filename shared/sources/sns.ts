// Amazon SNS over HTTPS: what SES says, mail that SES received, and text messages that AWS received. The list of "secrets" is the
// list of topics that are ours, by ARN: a valid signature alone proves only that some topic of AWS said it.

import { ContractError } from '../contracts/contract-error.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { readSesInbound, sesAnnouncements } from './ses-events.ts';
import { isObject, textOf } from './stated-facts.ts';
import { ignored, signalOf } from './stated-signal.ts';
import { readText } from './stated-stop.ts';
import { isCertificateUrl, isConfirmationUrl, verifySns } from './verify/sns-signature.ts';

/** SNS retries for up to an hour and does not sign again. */
const TOLERANCE_MS = 60 * 60 * 1000;

/** Certificates by address, as fetched by this instance. SNS has a few; a flood of invented names fetches nothing more. */
const CERTIFICATES = new Map<string, string>();
const MOST_CERTIFICATES = 20;

export const sns: Provider = {
  name: 'sns',
  title: 'Amazon SNS (SES mail and events, AWS text messages)',
  secret: { from: 'provider', what: 'ARN of each topic that is yours' },
  setup: [
    'SNS > your topic > Create subscription: protocol HTTPS, endpoint <url>, raw message delivery off. Baton confirms it by itself.',
    'Add the ARN of the topic first: others are refused.',
  ],
  contentTypes: ['text/plain', 'application/json'],
  async prepare(delivery, fetchText) {
    const { SigningCertURL: url } = messageIn(delivery) ?? {};
    if (!isCertificateUrl(url) || CERTIFICATES.has(url) || CERTIFICATES.size >= MOST_CERTIFICATES) return;
    const pem = await fetchText(url);
    if (pem !== undefined) CERTIFICATES.set(url, pem);
  },
  verification: {
    verify(delivery, topics, now) {
      const message = messageIn(delivery);
      const url = message?.SigningCertURL;
      const pem = isCertificateUrl(url) ? CERTIFICATES.get(url) : undefined;
      if (message === undefined || pem === undefined || !verifySns(message, pem, now)) return false;
      return topics.includes(textOf(message.TopicArn) ?? '') && Math.abs(Date.parse(now) - Date.parse(textOf(message.Timestamp) ?? '')) <= TOLERANCE_MS;
    },
    sign() {
      throw new Error('only SNS can sign as SNS: publish to the topic instead');
    },
  },
  read: (delivery, receivedAt, { country }) => readMessage(messageIn(delivery), receivedAt, country),
  answer: received,
};

function messageIn({ body }: Delivery): JsonObject | undefined {
  const message = readJson(new TextDecoder().decode(body));
  return isObject(message) ? message : undefined;
}

/** Verified already, so the address that confirms may be opened; it still must be one that confirms this very topic, and nothing else. */
function readMessage(message: JsonObject | undefined, receivedAt: string, country: string): Reading {
  if (message === undefined) return { kind: 'unreadable' };
  const { Type: type, SubscribeURL: url, TopicArn: topic } = message;
  if (type === 'UnsubscribeConfirmation') return ignored('the subscription ended');
  if (type === 'SubscriptionConfirmation')
    return isConfirmationUrl(url, textOf(topic) ?? '') ? { ...ignored('the subscription is confirmed'), visit: url } : ignored('a confirmation at an address that is not SNS');
  const event = readJson(textOf(message.Message) ?? '');
  if (!isObject(event)) return ignored('a message that is no event');
  if (event.notificationType === 'Received') return readSesInbound(event, receivedAt, country);
  if (event.originationNumber !== undefined) return readInboundText(event, textOf(message.Timestamp), receivedAt, country);
  const announcements = sesAnnouncements(event, receivedAt);
  return announcements.length === 0 ? ignored('an event that says nothing here') : { kind: 'signals', signals: [], announcements };
}

/** A text message to a number of AWS End User Messaging, which Baton's own messages come from: so this is where staff say STOP (MS-15). */
function readInboundText(event: JsonObject, at: string | undefined, receivedAt: string, country: string): Reading {
  if (textOf(event.inboundMessageId) === undefined) throw new ContractError('the text message', ['inboundMessageId']);
  const occurrence = { source: 'sns', id: ['sms', event.inboundMessageId], kind: 'message.received', at, receivedAt } as const;
  return readText(
    signalOf(
      occurrence,
      [
        ['message', event.messageBody],
        ['phone', event.originationNumber],
        ['sms.to', event.destinationNumber],
      ],
      country,
    ),
  );
}
