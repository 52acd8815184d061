// Quo, formerly OpenPhone: calls and texts of a shared business number. New hooks are Standard Webhooks; old ones sign in a header of their own.

import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { besides, type Field, ignored, objectIn, one, readObject, signalOf } from './stated-signal.ts';
import { readText } from './stated-stop.ts';
import { timedHmac } from './verify/raw-hmac.ts';
import { signedStandardWebhook, verifyStandardWebhook } from './verify/standard-webhooks.ts';

/** `openphone-signature: hmac;1;<milliseconds>;<base64>`, key in base64. */
const legacy = timedHmac({
  encoding: 'base64',
  unit: 'milliseconds',
  front: (time) => `${time}.`,
  keyOf: (secret) => (/^[A-Za-z0-9+/]{20,}={0,2}$/.test(secret) ? Buffer.from(secret, 'base64') : undefined),
  layout: {
    find({ 'openphone-signature': header = '' }) {
      const [, time, signature] = /^hmac;1;(\d{1,15});([A-Za-z0-9+/=]{1,200})$/.exec(header) ?? [];
      return time === undefined || signature === undefined ? undefined : { time, signatures: [signature] };
    },
    write: (time, signature) => ({ 'openphone-signature': `hmac;1;${time};${signature}` }),
  },
});

/** Which of the two it is, the headers say: a delivery with both is checked as the new kind. */
export const quo: Provider = {
  name: 'quo',
  title: 'Quo (OpenPhone)',
  secret: { from: 'provider', what: 'Signing secret of the webhook (new: whsec_…; old: base64)' },
  setup: ['Settings > Webhooks > Create webhook: URL <url>, events message.received, call.completed and call.recording.completed.', 'Copy the signing secret.'],
  contentTypes: ['application/json'],
  verification: {
    verify: (delivery, secrets, now) =>
      delivery.headers['webhook-signature'] === undefined ? legacy.verify(delivery, secrets, now) : verifyStandardWebhook(delivery.headers, delivery.body, secrets, now),
    sign: (delivery, secret, now) => signedStandardWebhook(delivery, secret, now),
  },
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

/** The new form has `data.resource`, the old one `data.object`. */
function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const data = objectIn(event.data);
  const item = objectIn(data.resource ?? data.object);
  const occurrence = { source: 'quo', id: [event.id], at: textOf(item.createdAt) ?? textOf(event.createdAt), receivedAt } as const;
  if (item.direction !== 'incoming') return ignored('not incoming');
  const fields: Field[] = [['phone', callerOf(item)], ...besides(item, 'quo', ['from', 'text', 'body', 'id', 'type', 'object', 'createdAt'])];
  if (event.type === 'message.received') return readText(signalOf({ ...occurrence, kind: 'message.received' }, [['message', item.text ?? item.body], ...fields], country));
  if (!CALLS.has(textOf(event.type) ?? '')) return ignored('no message and no end of a call');
  if (!isMissed(item)) return ignored('call was not missed');
  const call = { ...occurrence, threads: [['call', item.id]] } as const;
  return one(signalOf({ ...call, kind: event.type === 'call.completed' ? 'call.missed' : 'voicemail.left' }, fields, country));
}

const CALLS: ReadonlySet<string> = new Set(['call.completed', 'call.recording.completed']);

/** Nobody answered; a recorded voicemail does not make it an answer. The fields of calls are known from old hooks only. */
const isMissed = ({ answeredAt, answeredBy, status }: JsonObject): boolean =>
  ['missed', 'no-answer', 'unanswered'].includes(textOf(status) ?? '') || (answeredAt === null && (answeredBy === null || answeredBy === undefined));

function callerOf({ from, participants }: JsonObject): JsonValue | undefined {
  const [first] = Array.isArray(participants) ? participants : [];
  return from ?? first;
}
