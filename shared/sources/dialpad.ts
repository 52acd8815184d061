// Dialpad: the body is a token. A hook without a secret sends plain JSON, which nothing protects and which is refused here.
// It never repeats after a 4xx, and tries for 14 seconds after a 5xx.

import { ContractError } from '../contracts/contract-error.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { besides, type Field, ignored, instantIn, objectIn, one, signalOf } from './stated-signal.ts';
import { readText } from './stated-stop.ts';
import type { StatedThread } from './stated-thread.ts';
import { claimsOf, tokenOf } from './verify/jws.ts';

/** No `exp` is documented; retries last seconds, so a quarter of an hour is generous. */
const TOLERANCE_MS = 15 * 60 * 1000;
const UNANSWERED: ReadonlySet<string> = new Set(['missed', 'voicemail', 'voicemail_uploaded']);

export const dialpad: Provider = {
  name: 'dialpad',
  title: 'Dialpad',
  secret: { from: 'baton', what: 'secret of the webhook, algorithm HS256' },
  setup: ['API: create a webhook with hook_url <url> and secret <secret>.', 'Subscribe call events (states missed, voicemail_uploaded) and inbound SMS events to it.'],
  contentTypes: ['application/jwt', 'application/json', 'text/plain'],
  verification: {
    verify({ body }, secrets, now) {
      const claims = claimsOf(decoded(body), secrets);
      const at = Date.parse(instantIn('milliseconds', claims?.event_timestamp) ?? '');
      return claims !== undefined && Math.abs(Date.parse(now) - at) <= TOLERANCE_MS;
    },
    sign: (delivery, secret, now) => {
      const claims = { ...claimsIn(delivery), event_timestamp: Date.parse(now) };
      return { ...delivery, body: new TextEncoder().encode(tokenOf(claims, secret)) };
    },
  },
  read: (delivery, receivedAt, { country }) => readEvent(claimsIn(delivery), receivedAt, country),
  answer: received,
};

const decoded = (body: Uint8Array): string => new TextDecoder().decode(body);

/** The claims of a token that was verified already. */
function claimsIn({ body }: Delivery): JsonObject {
  const claims = readJson(Buffer.from(decoded(body).split('.')[1] ?? '', 'base64url').toString('utf8'));
  if (!isObject(claims)) throw new ContractError('the token', ['(claims)']);
  return claims;
}

function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  if (event.direction !== 'inbound') return ignored('not inbound');
  if (event.call_id === undefined && event.text !== undefined) return readMessage(event, receivedAt, country);
  const state = textOf(event.state) ?? '';
  if (!UNANSWERED.has(state)) return ignored('call was not missed');
  const kind = state === 'missed' ? 'call.missed' : 'voicemail.left';
  const id = [event.call_id, state, event.event_timestamp];
  const threads = [event.call_id, event.entry_point_call_id, event.master_call_id].map((call): StatedThread => ['call', call]);
  return one(signalOf({ source: 'dialpad', id, kind, at: instantIn('milliseconds', event.date_started), receivedAt, threads }, fieldsOf(event), country));
}

function readMessage(event: JsonObject, receivedAt: string, country: string): Reading {
  const occurrence = { source: 'dialpad', id: ['sms', event.id], kind: 'message.received', at: instantIn('milliseconds', event.created_date), receivedAt } as const;
  return readText(signalOf(occurrence, [['message', event.text], ['phone', event.from_number], ...fieldsOf(event)], country));
}

/** A name that Dialpad made of the number itself is no name. */
function fieldsOf(event: JsonObject): Field[] {
  const { name, email, phone } = objectIn(event.contact);
  const isNumber = /^[+\d\s().-]+$/.test(textOf(name) ?? '');
  return [
    ['phone', event.external_number],
    [isNumber ? 'contact.name' : 'name', name],
    ['email', email],
    ['contact.phone', phone === event.external_number ? undefined : phone],
    ...besides(event, 'call', ['external_number', 'contact', 'text', 'from_number', 'event_timestamp']),
  ];
}
