// What a delivery is part of, in the words of its source.

import type { BookingFacts } from '../domain/bookings.ts';
import type { JsonValue } from './read-json.ts';
import { statedEventId } from './stated-event-id.ts';
import { textOf } from './stated-facts.ts';

/** A call, a conversation, a mail or a meeting by its id; without an id it is none. */
export type StatedThread = readonly ['call' | 'chat' | 'mail' | 'meeting' | 'tag' | 'handoff', JsonValue | undefined];

/** A mail that answers a hundred others is found by its first and its last ones. */
const MOST_THREADS = 12;

/** Names of threads; ids that may be personal data, as those of mails are, become digests. */
export function statedThreads(threads: readonly StatedThread[]): string[] {
  const named = threads.flatMap(([kind, id]) => {
    const text = textOf(id)?.trim() ?? '';
    return text === '' ? [] : [`${kind}:${statedEventId(text)}`];
  });
  const all = [...new Set(named)];
  return all.length <= MOST_THREADS ? all : [...all.slice(0, 2), ...all.slice(2 - MOST_THREADS)];
}

type StatedBooking = Partial<Record<'id' | 'was' | 'startsAt' | 'endsAt' | 'zone' | 'host', JsonValue | undefined>>;

/** What a calendar says of a meeting; undefined without an id. A time without an offset is no time, and a made-up zone no zone. */
export function statedBooking({ id, was, startsAt, endsAt, zone, host }: StatedBooking): BookingFacts | undefined {
  const name = idText(id);
  if (name === undefined) return undefined;
  const facts = {
    was: idText(was),
    startsAt: instant(startsAt),
    endsAt: instant(endsAt),
    zone: match(zone, /^[A-Za-z0-9_+\-/]{1,60}$/),
    host: match(host, /^[^\s@]{1,64}@[^\s@]{1,189}$/),
  };
  return { id: name, ...(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Omit<BookingFacts, 'id'>) };
}

const match = (value: JsonValue | undefined, shape: RegExp): string | undefined => {
  const text = textOf(value);
  return text !== undefined && shape.test(text) ? text : undefined;
};

const idText = (value: JsonValue | undefined): string | undefined => {
  const text = textOf(value)?.trim();
  return text === undefined || text === '' ? undefined : statedEventId(text);
};

const SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Unlike what a customer did, a meeting may be at any time. */
function instant(value: JsonValue | undefined): string | undefined {
  const text = match(value, SHAPE);
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
