// Intercom: a visitor starts a conversation, or leaves an address. Slow answers lower the priority, so nothing is fetched here.

import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { plainText } from './stated-markup.ts';
import { type Field, ignored, instantIn, objectIn, objectsIn, one, readObject, signalOf } from './stated-signal.ts';
import { bodyHmac } from './verify/raw-hmac.ts';

export const intercom: Provider = {
  name: 'intercom',
  title: 'Intercom',
  secret: { from: 'provider', what: 'Client secret of the app (Developer Hub, Basic information)' },
  setup: [
    'Developer Hub > your app > Webhooks: Endpoint URL <url>.',
    'Topics: conversation.user.created, conversation.user.replied, contact.lead.created, contact.lead.added_email.',
  ],
  contentTypes: ['application/json'],
  verification: bodyHmac({ header: 'x-hub-signature', prefix: 'sha1=', algorithm: 'sha1', encoding: 'hex' }),
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const item = objectIn(objectIn(event.data).item);
  const occurrence = { source: 'intercom', id: [event.id], at: instantIn('seconds', event.created_at), receivedAt } as const;
  switch (event.topic) {
    case 'conversation.user.created':
      return one(signalOf({ ...occurrence, kind: 'message.received', threads: [['chat', item.id]] }, conversationFields(item), country));
    case 'conversation.user.replied': {
      const signal = signalOf({ ...occurrence, kind: 'customer.replied', threads: [['chat', item.id]] }, replyFields(item), country);
      const { source, eventId, occurredAt } = signal;
      const thread = textOf(item.id);
      return { kind: 'signals', signals: [signal], announcements: [{ kind: 'customer.replied', source, eventId, occurredAt, ...(thread !== undefined && { thread }) }] };
    }
    case 'contact.lead.created':
    case 'contact.lead.added_email':
      return one(signalOf({ ...occurrence, kind: 'contact.created' }, contactFields(item), country));
    default:
      return ignored('a topic that is no request');
  }
}

/** The words are markup; the person is the author. */
function conversationFields(item: JsonObject): Field[] {
  const { source } = item;
  const { body, subject, url, author } = objectIn(source);
  const { name, email, id } = objectIn(author);
  return [
    ['message', plainText(textOf(body) ?? '')],
    ['subject', subject],
    ['name', name],
    ['email', email],
    ['url', url],
    ['conversation_id', item.id],
    ['contact_id', id],
  ];
}

/** The newest part that the person wrote; what began the conversation was a message of its own. */
function replyFields(item: JsonObject): Field[] {
  const parts = objectsIn(objectIn(item.conversation_parts).conversation_parts).filter(({ author }) => ['user', 'lead', 'contact'].includes(textOf(objectIn(author).type) ?? ''));
  const last = parts.at(-1);
  if (last === undefined) return conversationFields(item);
  return [['message', plainText(textOf(last.body) ?? '')], ...conversationFields(item).filter(([name]) => name !== 'message')];
}

const contactFields = ({ name, email, phone, id, external_id: externalId }: JsonObject): Field[] => [
  ['name', name],
  ['email', email],
  ['phone', phone],
  ['contact_id', id],
  ['external_id', externalId],
];
