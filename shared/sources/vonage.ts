// Vonage: inbound messages and calls, signed by a token that binds the body, or by `sig` for the older SMS API. Numbers come without a plus.

import { ContractError } from '../contracts/contract-error.ts';
import type { Announcement } from '../domain/announcement.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { statedEventId } from './stated-event-id.ts';
import { textOf } from './stated-facts.ts';
import { besides, type Field, ignored, instantIn, one, signalOf } from './stated-signal.ts';
import { choiceOf, readText } from './stated-stop.ts';
import { bindsBody, bodyHash, claimsOf, tokenOf } from './verify/jws.ts';
import { withHeaders } from './verify/raw-hmac.ts';
import { hasSignature, verifyVonageSms, vonageParameters } from './vonage-sms-signature.ts';

const TOLERANCE_MS = 300_000;

export const vonage: Provider = {
  name: 'vonage',
  title: 'Vonage',
  secret: { from: 'provider', what: 'Signature secret of the account (API settings)' },
  setup: [
    'Dashboard > Applications > your app: Inbound URL, Status URL and Event URL = <url>, POST.',
    'SMS API: Settings > Inbound SMS webhooks = <url>, format POST-JSON, signature method SHA-256 HMAC or SHA-512 HMAC.',
  ],
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  verification: {
    verify: (delivery, secrets, now) => (bearer(delivery) === undefined ? verifyVonageSms(delivery, secrets, now) : verifyToken(delivery, secrets, now)),
    sign: (delivery, secret, now) =>
      withHeaders(delivery, { authorization: `Bearer ${tokenOf({ iat: Math.floor(Date.parse(now) / 1000), iss: 'Vonage', payload_hash: bodyHash(delivery.body) }, secret)}` }),
  },
  read: (delivery, receivedAt, { country }) => readEvent(delivery, receivedAt, country),
  answer: received,
  /** Vonage now and then sends without a token, and says that the retry after a 5xx is signed. */
  refuseWith: (kind, delivery) => (kind === 'bad-signature' && bearer(delivery) === undefined && !hasSignature(delivery) ? 503 : undefined),
};

const bearer = ({ headers }: Delivery): string | undefined => /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** The `api_key` claim would only pick one of the active secrets; all of them are tried. */
function verifyToken(delivery: Delivery, secrets: readonly string[], now: string): boolean {
  const claims = claimsOf(bearer(delivery) ?? '', secrets);
  const issuedAt = Date.parse(instantIn('seconds', claims?.iat) ?? '');
  return claims !== undefined && bindsBody(claims.payload_hash, delivery.body) && Math.abs(Date.parse(now) - issuedAt) <= TOLERANCE_MS;
}

function readEvent(delivery: Delivery, receivedAt: string, country: string): Reading {
  const event = vonageParameters(delivery);
  if (event === undefined) return { kind: 'unreadable' };
  if (event.status !== undefined && (event.message_uuid !== undefined || event.messageId !== undefined)) return readStatus(event, receivedAt);
  if (event.message_uuid !== undefined || event.messageId !== undefined) return readMessage(event, receivedAt, country);
  if (event.uuid !== undefined) return readCall(event, receivedAt, country);
  throw new ContractError('the delivery', ['message_uuid', 'messageId', 'uuid']);
}

function readMessage(event: JsonObject, receivedAt: string, country: string): Reading {
  const at = textOf(event['message-timestamp'])?.concat('Z') ?? textOf(event.timestamp);
  const occurrence = { source: 'vonage', id: [event.message_uuid ?? event.messageId], kind: 'message.received', at, receivedAt } as const;
  const fields: Field[] = [['message', event.text], ['phone', withPlus(event.from ?? event.msisdn)], ...besides(event, 'vonage', SAID)];
  return readText(signalOf(occurrence, fields, country));
}

/** Outcomes of an inbound call in which nobody spoke to the caller. */
const MISSED: ReadonlySet<string> = new Set(['unanswered', 'timeout', 'busy', 'failed', 'rejected', 'cancelled']);

function readCall(event: JsonObject, receivedAt: string, country: string): Reading {
  const status = textOf(event.status) ?? '';
  if (event.direction !== 'inbound' || !MISSED.has(status)) return ignored('call was not missed');
  const occurrence = { source: 'vonage', id: [event.uuid, status], kind: 'call.missed', at: textOf(event.timestamp), receivedAt, threads: [['call', event.uuid]] } as const;
  return one(signalOf(occurrence, [['phone', withPlus(event.from)], ...besides(event, 'vonage', SAID)], country));
}

const SAID = ['text', 'from', 'msisdn', 'message_uuid', 'messageId', 'uuid', 'sig', 'nonce', 'timestamp', 'message-timestamp', 'api-key', 'usage'];

const withPlus = (number: JsonValue | undefined): string | undefined => textOf(number)?.replace(/^(?=\d{7,15}$)/, '+');

const STATES: ReadonlyMap<string, 'sent' | 'delivered' | 'failed'> = new Map([
  ['submitted', 'sent'],
  ['accepted', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['rejected', 'failed'],
  ['undeliverable', 'failed'],
  ['failed', 'failed'],
  ['expired', 'failed'],
]);

/** Error 9 of a delivery receipt says that the person opted out, after the send call had said yes (MS-09). */
const OPTED_OUT = '9';

function readStatus(event: JsonObject, receivedAt: string): Reading {
  const state = STATES.get(textOf(event.status) ?? '');
  const messageId = textOf(event.message_uuid ?? event.messageId);
  if (state === undefined || messageId === undefined) return ignored('a message status that says nothing');
  const detail = textOf(event['err-code']);
  const announcements: Announcement[] = [
    {
      kind: 'message.reported',
      provider: 'vonage',
      messageId: messageId.slice(0, 200),
      state,
      occurredAt: receivedAt,
      channel: 'sms',
      ...(detail !== undefined && { detail: detail.slice(0, 100) }),
    },
  ];
  const phone = withPlus(event.msisdn ?? event.to);
  if (detail === OPTED_OUT && phone !== undefined && /^\+[1-9]\d{5,14}$/.test(phone))
    announcements.push(
      choiceOf(
        { source: 'vonage', eventId: statedEventId(`${messageId}:opted-out`), occurredAt: receivedAt },
        'contact.opted-out',
        { channel: 'sms', address: phone },
        'refused-by-carrier',
      ),
    );
  return { kind: 'signals', signals: [], announcements };
}
