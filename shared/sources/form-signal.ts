// What forms share: from the fields of a submission to a signal, whatever the form calls them.

import type { Delivery, Reading } from '../ports/signal-source.ts';
import type { Locale } from './provider.ts';
import type { JsonValue } from './read-json.ts';
import { contentEventId } from './stated-event-id.ts';
import { TAKES, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { type Field, one, signalOf } from './stated-signal.ts';

export type Submission = {
  source: string;
  /** The parts of its id at the provider. A part that is missing makes the content the id: such forms name no submission. */
  id: readonly (JsonValue | undefined)[];
  /** When it was sent, as the provider writes it, with an offset. */
  at?: JsonValue | undefined;
  /** What the person filled in, by the form's own names. */
  answers: readonly Field[];
  /** What the provider says about the form: kept as sent, never read as the person's statement. */
  context?: readonly Field[];
  test?: boolean;
  notALead?: string | undefined;
};

/** The one signal of a submission. A form sent with nothing in it is recorded as that, and opens nothing. */
export function readSubmission(submission: Submission, delivery: Delivery, receivedAt: string, { country }: Locale): Reading {
  const { source, id, test, context = [] } = submission;
  const answers = renamed(submission.answers.map(flat), delivery.url);
  const at = textOf(submission.at);
  const unread: Field[] = at !== undefined && statedInstant(at, receivedAt) === undefined ? [['submitted_at', at]] : [];
  const notALead = submission.notALead ?? (answers.some(([, value]) => textOf(value) !== undefined) ? undefined : 'empty submission');
  const named = id.every((part) => textOf(part) !== undefined) && test !== true;
  const occurrence = {
    source,
    id: named ? id : [contentEventId(delivery.body, receivedAt)],
    kind: 'form.submitted',
    at,
    receivedAt,
    notALead,
    ...(test === true && { test }),
  } as const;
  return one(signalOf(occurrence, [...answers, ...asContext(context), ...unread], country));
}

/** A single choice is that choice; several stay a list, which states no one fact. */
function flat([name, value]: Field): Field {
  if (typeof value === 'string' && value.includes('||')) return [name, value.split('||')];
  return Array.isArray(value) && value.length === 1 ? [name, value[0]] : [name, value];
}

/** The address may say which field is which: `?email=2&message=5` for a form that numbers its fields. */
function renamed(answers: readonly Field[], url: string): Field[] {
  const mark = url.indexOf('?');
  if (mark === -1) return [...answers];
  const names = new Map([...new URLSearchParams(url.slice(mark + 1).slice(0, 2000))].filter(([fact]) => TAKES.has(fact)).map(([fact, field]) => [field, fact]));
  return answers.map(([name, value]) => [names.get(name) ?? name, value]);
}

/** Under a name that no fact has. */
const asContext = (fields: readonly Field[]): Field[] => fields.map(([name, value]) => [`form.${name}`, value]);

/** The fields of an object, as answers. */
export const answersIn = (object: { [key: string]: JsonValue }, without: readonly string[] = []): Field[] => Object.entries(object).filter(([name]) => !without.includes(name));
