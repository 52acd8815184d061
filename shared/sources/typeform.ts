// Typeform: signed JSON, one delivery a response. Answers are read by the `ref` of their question, since titles can quote other answers.

import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import { factsFrom } from './facts-from.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { bodyHmac } from './verify/raw-hmac.ts';

/** Typeform: the secret of the webhook signs the body. Without a secret there Typeform sends no signature at all. */
export const typeform: Provider = {
  name: 'typeform',
  title: 'Typeform',
  secret: { from: 'baton', what: 'Secret' },
  setup: ['Form > Connect > Webhooks > Add a webhook: <url>.', 'Edit > Secret: <secret>. Switch the webhook on: a new one starts off.'],
  contentTypes: ['application/json'],
  verification: bodyHmac({ header: 'typeform-signature', prefix: 'sha256=', encoding: 'base64' }),
  read({ body }, receivedAt, { country }) {
    const value = readJson(new TextDecoder().decode(body));
    if (value === undefined) return { kind: 'unreadable' };
    if (!isObject(value)) throw new ContractError('the response', ['(whole)']);
    if (value.event_type !== 'form_response') return { kind: 'ignored', because: 'not a completed response' };
    return { kind: 'signals', signals: [signalFrom(value.form_response, receivedAt, country)] };
  },
  answer: received,
};

function signalFrom(response: JsonValue | undefined, receivedAt: string, country: string): Signal {
  if (!isObject(response)) throw new ContractError('the response', ['form_response']);
  const eventId = textOf(response.token) ?? textOf(response.response_id);
  if (eventId === undefined || !/^[A-Za-z0-9_-]{1,200}$/.test(eventId)) throw new ContractError('the response', ['form_response.token']);
  const submittedAt = textOf(response.submitted_at);
  const facts = factsFrom([...answersOf(response), ...contextOf(response)], country);
  return {
    source: 'typeform',
    eventId,
    kind: 'form.submitted',
    occurredAt: (submittedAt !== undefined && statedInstant(submittedAt, receivedAt)) || receivedAt,
    receivedAt,
    ...facts,
  };
}

type Field = readonly [string, JsonValue];

/** The answers by ref. An address or number in the one question of that type counts, whatever its ref says; among several nobody guesses. */
function answersOf({ answers }: JsonObject): Field[] {
  if (answers === undefined || answers === null) return [];
  if (!Array.isArray(answers) || !answers.every(isObject)) throw new ContractError('the response', ['form_response.answers']);
  const only = (type: string) => answers.filter((answer) => answer.type === type).length === 1;
  const [oneEmail, onePhone] = [only('email'), only('phone_number')];
  return answers.flatMap((answer, index): Field[] => {
    const key = oneEmail && answer.type === 'email' ? 'email' : onePhone && answer.type === 'phone_number' ? 'phone_number' : keyOf(answer, index);
    return [[key, key === 'category' || key === 'service' || key === 'product' ? choiceRef(answer) : answered(answer)]];
  });
}

function keyOf({ field }: JsonObject, index: number): string {
  return (isObject(field) && (textOf(field.ref) ?? textOf(field.id))) || `answer ${index + 1}`;
}

function answered(answer: JsonObject): JsonValue {
  const value = typeof answer.type === 'string' ? answer[answer.type] : undefined;
  if (value === undefined) return { ...answer };
  if (!isObject(value)) return value;
  if (Array.isArray(value.labels)) return value.labels.map((label) => textOf(label)).join(', ');
  return value.label ?? value.other ?? value;
}

/** The author's own short name of a choice where there is one; Typeform's generated ones say nothing, then the label is read. */
function choiceRef(answer: JsonObject): JsonValue {
  const { choice } = answer;
  const ref = isObject(choice) ? choice.ref : undefined;
  return typeof ref === 'string' && /^[a-z][a-z0-9-]{1,60}$/.test(ref) && !/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(ref) ? ref : answered(answer);
}

/** Hidden fields, variables and the form: kept as sent, never read as the person's own statement. */
function contextOf({ form_id: formId, hidden, variables }: JsonObject): Field[] {
  const hiddenFields = isObject(hidden) ? Object.entries(hidden).map(([key, value]): Field => [`hidden.${key}`, value]) : [];
  const variableFields: Field[] = Array.isArray(variables) && variables.length > 0 ? [['variables', variables]] : [];
  return [['form_id', formId ?? null], ...hiddenFields, ...variableFields];
}
