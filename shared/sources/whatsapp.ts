// WhatsApp Cloud API: messages to a business number. Delivery statuses come through the same field and are no requests.

import type { Signal } from '../domain/signal.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { type Field, ignored, instantIn, objectIn, objectsIn, readObject, restOf, signalOf } from './stated-signal.ts';
import { readText } from './stated-stop.ts';
import { hubHandshake, hubSignature } from './verify/hub-handshake.ts';

export const whatsapp: Provider = {
  name: 'whatsapp',
  title: 'WhatsApp Cloud API',
  secret: { from: 'provider', what: 'App secret (App settings, Basic)' },
  setup: ['developers.facebook.com > your app > WhatsApp > Configuration > Webhook: callback URL <url>, verify token <verify>; field messages.'],
  contentTypes: ['application/json'],
  verification: hubSignature,
  setUp: hubHandshake,
  read: (delivery, receivedAt, { country }) =>
    readObject(delivery, (event) => {
      const values = objectsIn(event.entry).flatMap((entry) => objectsIn(entry.changes).flatMap(({ field, value }) => (field === 'messages' ? [objectIn(value)] : [])));
      const signals = values.flatMap((value) => objectsIn(value.messages).map((message) => messageIn(message, value, receivedAt, country)));
      const readings = once(signals).map((signal) => readText(signal));
      if (readings.length === 0) return ignored('no message among the changes');
      const read = readings.flatMap((reading) => (reading.kind === 'signals' ? [reading] : []));
      return { kind: 'signals', signals: read.flatMap((one) => one.signals), announcements: read.flatMap((one) => one.announcements ?? []) };
    }),
  answer: received,
};

/** The id of a message holds the sender's number in base64, so its digest is the event id (PI-07). Numbers come without their plus sign. */
function messageIn(message: JsonObject, value: JsonObject, receivedAt: string, country: string): Signal {
  const from = textOf(message.from);
  const contact = objectsIn(value.contacts).find(({ wa_id: id }) => textOf(id) === from);
  const words = wordsOf(message);
  const fields: Field[] = [
    ['name', objectIn(contact?.profile).name],
    ['phone', from === undefined || !/^\d+$/.test(from) ? from : `+${from}`],
    ['message', words],
    ['type', message.type],
    ...restOf(objectIn(value.metadata), []),
    ...restOf(message, ['from', 'id', 'timestamp', 'type', 'text']).map(([name, part]): Field => [name === 'name' ? 'message_name' : name, part]),
  ];
  const at = instantIn('seconds', message.timestamp);
  return signalOf({ source: 'whatsapp', id: [`wamid ${textOf(message.id) ?? ''}`], kind: 'message.received', at, receivedAt, threads: [['chat', from]] }, fields, country);
}

/** What the person wrote or tapped; a picture without words says nothing here. */
function wordsOf(message: JsonObject): JsonValue | undefined {
  const { text, button, image, video, document } = message;
  return objectIn(text).body ?? objectIn(button).text ?? [image, video, document].map((media) => objectIn(media).caption).find((caption) => textOf(caption) !== undefined);
}

const once = (signals: readonly Signal[]): Signal[] => [...new Map(signals.map((signal) => [signal.eventId, signal])).values()];
