// Aircall: calls of a phone system. The proof is a token inside the body, which is taken out before anything is kept.

import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { besides, type Field, ignored, instantIn, objectIn, one, readObject, signalOf } from './stated-signal.ts';
import { bodyToken } from './verify/static-token.ts';

export const aircall: Provider = {
  name: 'aircall',
  title: 'Aircall',
  secret: { from: 'provider', what: 'Token of the webhook' },
  setup: ['Integrations > Webhook: URL <url>, events call.ended and call.voicemail_left.', 'Copy the token that Aircall shows for this webhook.'],
  contentTypes: ['application/json'],
  verification: bodyToken({
    find: ({ body }) => textOf(bodyOf(body).token),
    put: (delivery, token) => ({ ...delivery, body: new TextEncoder().encode(JSON.stringify({ ...bodyOf(delivery.body), token })) }),
  }),
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

function bodyOf(body: Uint8Array): JsonObject {
  const value = readJson(new TextDecoder().decode(body));
  return isObject(value) ? value : {};
}

function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const call = objectIn(event.data);
  if (call.direction !== 'inbound') return ignored('no inbound call');
  const occurrence = { source: 'aircall', id: [event.event, call.id], at: instantIn('seconds', call.started_at), receivedAt, threads: [['call', call.id]] } as const;
  if (event.event === 'call.voicemail_left') return one(signalOf({ ...occurrence, kind: 'voicemail.left' }, fieldsOf(call), country));
  if (event.event !== 'call.ended') return ignored('no end of a call');
  if (textOf(call.missed_call_reason) === undefined) return ignored('call was not missed');
  return one(signalOf({ ...occurrence, kind: 'call.missed' }, fieldsOf(call), country));
}

/** `raw_digits` may be "anonymous": then the number stays unknown. */
function fieldsOf(call: JsonObject): Field[] {
  const contact = objectIn(call.contact);
  const [email] = Array.isArray(contact.emails) ? contact.emails : [];
  return [
    ['phone', call.raw_digits],
    ['first_name', contact.first_name],
    ['last_name', contact.last_name],
    ['email', objectIn(email).value],
    ...besides(call, 'call', ['raw_digits', 'contact', 'participants', 'comments', 'user', 'assigned_to', 'cost']),
  ];
}
