// CloudEvents over HTTP: structured, binary and batch, with a bearer token; and the OPTIONS request by which a sender asks first.

import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import type { Delivery, Reading, SetUpRequest, SourceAnswer } from '../ports/signal-source.ts';
import { readSubmission } from './form-signal.ts';
import { type Locale, type Provider, received } from './provider.ts';
import { mediaTypeOf } from './read-form.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { fieldsOf, isObject, textOf } from './stated-facts.ts';
import type { Field } from './stated-signal.ts';
import { headerToken } from './verify/static-token.ts';

const STRUCTURED = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';

export const cloudevents: Provider = {
  name: 'cloudevents',
  title: 'CloudEvents',
  secret: { from: 'baton', what: 'bearer token' },
  setup: ['Deliver to <url> with header Authorization: Bearer <secret>. Structured, binary and batched mode; data as JSON with the names of the published lead.'],
  contentTypes: ['application/json', STRUCTURED, BATCH],
  verification: headerToken,
  setUp: allowSender,
  read(delivery, receivedAt, locale) {
    const value = readJson(new TextDecoder().decode(delivery.body));
    if (value === undefined) return { kind: 'unreadable' };
    const signals = eventsIn(value, delivery).flatMap((event) => signalsOf(event, delivery, receivedAt, locale));
    return signals.length === 0 ? { kind: 'ignored', because: 'empty batch' } : { kind: 'signals', signals: [...new Map(signals.map((one) => [one.eventId, one])).values()] };
  },
  answer: (eventIds) => ({ ...received(eventIds), status: 202 }),
};

/** The events with their attributes and data in one object, whatever the mode. */
function eventsIn(value: JsonValue, delivery: Delivery): JsonObject[] {
  const type = mediaTypeOf(delivery);
  const events = type === BATCH ? value : [type === STRUCTURED ? value : { ...attributesIn(delivery.headers), data: value }];
  if (!Array.isArray(events) || !events.every(isObject)) throw new ContractError('the events', ['(whole)']);
  return events;
}

/** `ce-` headers are percent-encoded UTF-8; one that is not stays as it came. */
function attributesIn(headers: Readonly<Record<string, string>>): JsonObject {
  const attributes: JsonObject = Object.create(null);
  for (const [name, value] of Object.entries(headers)) if (/^ce-[a-z0-9]{1,30}$/.test(name)) attributes[name.slice(3)] = decoded(value);
  return attributes;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value.toWellFormed();
  }
}

function signalsOf(event: JsonObject, delivery: Delivery, receivedAt: string, locale: Locale): readonly Signal[] {
  const { specversion, id, source, time, data, datacontenttype: _type, ...rest } = event;
  if (specversion !== '1.0' || textOf(id) === undefined || textOf(source) === undefined) throw new ContractError('the event', ['specversion', 'id', 'source']);
  const lead = isObject(data) ? data : {};
  const { test, submitted_at: submittedAt, ...facts } = lead;
  const answers: Field[] = isObject(data) ? fieldsOf(facts) : [['data', data]];
  const context: Field[] = [['source', source], ...Object.entries(rest)];
  const submission = { source: 'cloudevents', id: [source, id], at: submittedAt ?? time, answers, context, test: test === true };
  const reading: Reading = readSubmission(submission, delivery, receivedAt, locale);
  return reading.kind === 'signals' ? reading.signals : [];
}

/** Anybody may ask, at any rate: the token decides, and the front door throttles. */
function allowSender({ method, headers }: SetUpRequest): SourceAnswer | undefined {
  const origin = headers['webhook-request-origin'];
  if (method !== 'OPTIONS' || origin === undefined || !/^[A-Za-z0-9.:*-]{1,253}$/.test(origin)) return undefined;
  const rate = headers['webhook-request-rate'] ?? '';
  const granted = { allow: 'POST', 'webhook-allowed-origin': origin, 'webhook-allowed-rate': /^\d{1,9}$/.test(rate) ? rate : '*' };
  return { status: 200, contentType: 'text/plain; charset=utf-8', body: '', headers: granted };
}
