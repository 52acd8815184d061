// What providers of conversations share: from a verified body to a signal, with every field either understood or kept as sent.

import { ContractError } from '../contracts/contract-error.ts';
import type { BookingFacts } from '../domain/bookings.ts';
import type { Signal, SignalKind } from '../domain/signal.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { factsFrom } from './facts-from.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { statedEventId } from './stated-event-id.ts';
import { isObject, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { type StatedThread, statedThreads } from './stated-thread.ts';

export type Field = readonly [string, JsonValue | undefined];

export type Occurrence = {
  source: string;
  /** The stable id, from the parts that name the event at its source. */
  id: readonly (JsonValue | undefined)[];
  kind: SignalKind;
  /** When the customer acted, as `instantIn` or the provider's ISO text gives it; the arrival when it is unknown. */
  at: string | undefined;
  receivedAt: string;
  notALead?: string | undefined;
  test?: boolean;
  /** What it is part of. */
  threads?: readonly StatedThread[];
  booking?: BookingFacts | undefined;
};

/** The signal of an event. Fields named as in `stated-facts.ts` state facts; all others are kept as sent. Throws `ContractError` when a part of the id is missing. */
export function signalOf({ source, id, kind, at, receivedAt, notALead, test, threads = [], booking }: Occurrence, fields: readonly Field[], country: string): Signal {
  const stated = fields.flatMap(([name, value]): [string, JsonValue][] => (value === undefined || name === '__proto__' ? [] : [[name, value]]));
  const named = statedThreads(threads);
  return {
    source,
    eventId: eventIdOf(id),
    kind,
    occurredAt: (at !== undefined && statedInstant(at, receivedAt)) || receivedAt,
    receivedAt,
    ...factsFrom(stated, country),
    ...(notALead !== undefined && { notALead }),
    ...(test === true && { test }),
    ...(named.length > 0 && { threads: named }),
    ...(booking !== undefined && { booking }),
  };
}

/** An id from its parts, joined by colons. Throws `ContractError` when one is missing: without an id no repetition can be told from a new event. */
export function eventIdOf(parts: readonly (JsonValue | undefined)[]): string {
  const texts = parts.map(textOf);
  if (texts.length === 0 || texts.some((text) => text === undefined)) throw new ContractError('the delivery', ['(event id)']);
  return statedEventId(texts.join(':'));
}

/** The ISO text of a count of seconds or milliseconds since 1970; undefined for anything else. */
export function instantIn(unit: 'seconds' | 'milliseconds', value: JsonValue | undefined): string | undefined {
  const count = Number(textOf(value) ?? Number.NaN) * (unit === 'seconds' ? 1000 : 1);
  return Number.isFinite(count) && count > 0 && count < 8e15 ? new Date(count).toISOString() : undefined;
}

/** Reads the JSON object of a body. Other JSON is no delivery of this provider, and other text is no JSON. */
export function readObject({ body }: Delivery, read: (object: JsonObject) => Reading): Reading {
  const value = readJson(new TextDecoder().decode(body));
  if (value === undefined) return { kind: 'unreadable' };
  if (!isObject(value)) throw new ContractError('the delivery', ['(whole)']);
  return read(value);
}

/** An object inside, or an empty one: what is not stated has no fields. */
export const objectIn = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** The objects of a list, or none. */
export const objectsIn = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The fields of an object that are not said elsewhere in the signal. */
export const restOf = (object: JsonObject, said: readonly string[]): Field[] => Object.entries(object).filter(([name]) => !said.includes(name));

/** The same under a prefix that no fact has: what a provider says is kept as sent, never read as the person's statement. */
export const besides = (object: JsonObject, prefix: string, said: readonly string[]): Field[] => restOf(object, said).map(([name, value]): Field => [`${prefix}.${name}`, value]);

export const ignored = (because: string): Extract<Reading, { kind: 'ignored' }> => ({ kind: 'ignored', because });
export const one = (signal: Signal): Reading => ({ kind: 'signals', signals: [signal] });
