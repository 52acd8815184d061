// From fetched answers to the facts of a signal that so far was only a reference.

import type { Signal } from '../domain/signal.ts';
import { sourceParts } from '../domain/source-name.ts';
import type { FetchedLead, LeadFetch } from '../ports/lead-fetch.ts';
import { factsWith, type ReadPhone, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';

/** What Meta's test tool writes into every field; it sets no flag. */
const DUMMY = /^<test lead: dummy data for /;

/** Meta checks numbers and writes them in E.164, so only that is taken: the metadata of all countries would add 140 KB to who opens handoffs. */
const readE164: ReadPhone = (text) => (/^\+[1-9]\d{7,14}$/.test(text.trim()) ? { number: text.trim(), whole: true } : undefined);

/** Completes signals that are references. Never throws. */
export const answersOf = (leads: LeadFetch): { complete(signal: Signal): Promise<Signal> } => ({
  complete: async (signal) => (signal.reference === undefined ? signal : withAnswers(signal, await leads.fetch(signal.reference, sourceParts(signal.source)?.site))),
});

/** The signal with the answers, or with the reason why there are none: the reference itself is never lost, and opens a handoff either way. */
export function withAnswers(signal: Signal, lead: FetchedLead): Signal {
  if (lead.kind === 'unavailable') return { ...signal, more: { ...signal.more, 'answers not fetched': lead.because } };
  const answers = lead.answers.map(({ name, value }) => [name, value] as const);
  const consents = lead.consents.map(({ key, checked }) => [key, checked ? 'yes' : 'no'] as const);
  const { more, ...facts } = factsWith(
    readE164,
    [...answers, ...consents].filter(([name]) => name !== '__proto__'),
  );
  const at = lead.createdAt === undefined ? undefined : statedInstant(lead.createdAt, signal.receivedAt);
  const isEmpty = answers.every(([, value]) => textOf(value) === undefined);
  return {
    ...signal,
    ...facts,
    more: { ...signal.more, ...more },
    occurredAt: at ?? signal.occurredAt,
    ...(answers.some(([, value]) => DUMMY.test(value)) && { test: true }),
    ...(isEmpty && signal.notALead === undefined && { notALead: 'empty submission' }),
  };
}
