// Tally: signed JSON, one delivery a response. Choices come as ids of options.

import { answersIn, readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { type Field, ignored, objectIn, objectsIn, readObject } from './stated-signal.ts';
import { bodyHmac } from './verify/raw-hmac.ts';

/** "Tally for Agents" is another product with the same header name and another scheme: it does not verify here. */
export const tally: Provider = {
  name: 'tally',
  title: 'Tally',
  secret: { from: 'baton', what: 'Signing secret' },
  setup: ['Form > Integrations > Webhooks > Connect: endpoint URL <url>.', 'Add a signing secret: <secret>.'],
  contentTypes: ['application/json'],
  verification: bodyHmac({ header: 'tally-signature', encoding: 'base64' }),
  read: (delivery, receivedAt, locale) =>
    readObject(delivery, (event) => {
      if (event.eventType !== 'FORM_RESPONSE') return ignored('not a form response');
      const data = objectIn(event.data);
      const fields = objectsIn(data.fields);
      const [hidden, answers] = [fields.filter(isHidden), fields.filter((field) => !isHidden(field))];
      const context: Field[] = [...answersIn(data, ['fields', 'createdAt']), ...hidden.map((field, index): Field => [labelOf(field, index), field.value])];
      const at = data.createdAt ?? event.createdAt;
      return readSubmission({ source: 'tally', id: [event.eventId], at, answers: answersOf(answers), context }, delivery, receivedAt, locale);
    }),
  answer: received,
};

const isHidden = ({ type }: JsonObject): boolean => type === 'HIDDEN_FIELDS' || type === 'CALCULATED_FIELDS';

const labelOf = (field: JsonObject, index: number): string => textOf(field.label) ?? textOf(field.key) ?? `answer ${index + 1}`;

/** By label; the one question of the type for addresses or numbers counts whatever it is called. */
function answersOf(fields: readonly JsonObject[]): Field[] {
  const only = (type: string) => fields.filter((field) => field.type === type).length === 1;
  const [oneEmail, onePhone] = [only('INPUT_EMAIL'), only('INPUT_PHONE_NUMBER')];
  return fields.map((field, index): Field => {
    const key = oneEmail && field.type === 'INPUT_EMAIL' ? 'email' : onePhone && field.type === 'INPUT_PHONE_NUMBER' ? 'phone' : labelOf(field, index);
    return [key, chosen(field)];
  });
}

/** Ids of options become their texts; an id without an option stays what it is. */
function chosen({ value, options }: JsonObject): JsonValue | undefined {
  if (!Array.isArray(value) || !Array.isArray(options)) return value;
  const texts = new Map(options.filter(isObject).map(({ id, text }) => [id, text]));
  return value.map((id) => texts.get(id) ?? id);
}
