// CallRail: calls, texts and forms behind tracking numbers. It never repeats a delivery, so what is authentic is taken in, however odd.

import { ContractError } from '../contracts/contract-error.ts';
import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { besides, type Field, ignored, one, readObject, signalOf } from './stated-signal.ts';
import { readText } from './stated-stop.ts';
import { bodyHmac } from './verify/raw-hmac.ts';

/** The scheme is known from one transcription only. The `timestamp` in the body dates it but is not enforced: nothing is sent twice, so a wrong guess would lose calls. */
export const callrail: Provider = {
  name: 'callrail',
  title: 'CallRail',
  secret: { from: 'provider', what: 'Signing key of the company (Settings, Integrations, Webhooks)' },
  setup: ['Settings > Integrations > Webhooks: paste <url> under Post-Call, Text Message Received and Form Submission.', 'Copy the signing key that is shown there.'],
  contentTypes: ['application/json'],
  verification: bodyHmac({ header: 'signature', algorithm: 'sha1', encoding: 'base64' }),
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const id = textOf(event.resource_id) ?? '';
  if (id.startsWith('FRM') || event.form_data !== undefined) return readForm(event, receivedAt, country);
  if (id.startsWith('SMT') || event.content !== undefined) return readMessage(event, receivedAt, country);
  if (id.startsWith('CAL')) return readCall(event, receivedAt, country);
  throw new ContractError('the delivery', ['resource_id']);
}

/** `answered: false` is a missed call, also when the machine took a voicemail. */
function readCall(event: JsonObject, receivedAt: string, country: string): Reading {
  if (event.direction !== 'inbound') return ignored('outbound call');
  if (event.answered !== false) return ignored('call was not missed');
  const occurrence = {
    source: 'callrail',
    id: [event.resource_id, 'post_call'],
    kind: 'call.missed',
    at: textOf(event.start_time),
    receivedAt,
    threads: [['call', event.resource_id]],
  } as const;
  return one(signalOf(occurrence, fieldsOf(event), country));
}

function readMessage(event: JsonObject, receivedAt: string, country: string): Reading {
  if (event.direction !== undefined && event.direction !== 'inbound') return ignored('outbound message');
  const occurrence = { source: 'callrail', id: [event.resource_id, 'text'], kind: 'message.received', at: textOf(event.timestamp), receivedAt } as const;
  return readText(signalOf(occurrence, [['message', event.content], ['phone', event.source_number], ...fieldsOf(event)], country));
}

function readForm(event: JsonObject, receivedAt: string, country: string): Reading {
  const occurrence = { source: 'callrail', id: [event.resource_id, 'form'], kind: 'form.submitted', at: textOf(event.submitted_at), receivedAt } as const;
  const answers = typeof event.form_data === 'object' && event.form_data !== null && !Array.isArray(event.form_data) ? Object.entries(event.form_data) : [];
  return one(signalOf(occurrence, [...answers, ...fieldsOf(event)], country));
}

const SAID = ['resource_id', 'form_data', 'content', 'source_number', 'customer_name', 'customer_phone_number', 'customer_email', 'timestamp'];

/** City and state of a caller are where the number was registered: they stay with the rest. */
const fieldsOf = (event: JsonObject): Field[] => [
  ['name', event.customer_name],
  ['phone', event.customer_phone_number],
  ['email', event.customer_email],
  ...besides(event, 'callrail', SAID),
];
