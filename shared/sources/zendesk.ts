// Zendesk: a ticket is opened. Event subscriptions only: the body of a trigger is whatever an administrator wrote.

import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { besides, type Field, ignored, objectIn, one, readObject, signalOf } from './stated-signal.ts';
import { timedHmac, twoHeaders } from './verify/raw-hmac.ts';

/** Signed are the time, as ISO text, and the body, with nothing between. The secret that signs the test button of a hook not yet made is public: it must never be stored here. */
export const zendesk: Provider = {
  name: 'zendesk',
  title: 'Zendesk',
  secret: { from: 'provider', what: 'Signing secret of the webhook' },
  setup: [
    'Admin Center > Apps and integrations > Webhooks > Create: "Zendesk events", event Ticket created, endpoint <url>, POST, JSON.',
    'After saving: Reveal the signing secret.',
  ],
  contentTypes: ['application/json'],
  verification: timedHmac({
    encoding: 'base64',
    unit: 'iso',
    front: (time) => time,
    layout: twoHeaders('x-zendesk-webhook-signature', 'x-zendesk-webhook-signature-timestamp'),
  }),
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const ticket = objectIn(event.detail);
  if (event.type !== 'zen:event-type:ticket.created') return ignored('no new ticket');
  const occurrence = { source: 'zendesk', id: [event.account_id, event.id], kind: 'message.received', at: textOf(ticket.created_at) ?? textOf(event.time), receivedAt } as const;
  return one(signalOf(occurrence, fieldsOf(ticket), country));
}

/** The event names the requester by number only: who it is stays unknown until somebody looks into the ticket. */
const fieldsOf = (ticket: JsonObject): Field[] => [
  ['message', ticket.description],
  ['channel', objectIn(ticket.via).channel],
  ...besides(ticket, 'ticket', ['description', 'via', 'created_at', 'updated_at']),
];
