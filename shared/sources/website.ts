// The company's own website, and anything else that can post our JSON: the published contract of shared/contracts/website-lead.ts,
// signed as Standard Webhooks.

import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import { factsFrom } from './facts-from.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { statedEventId } from './stated-event-id.ts';
import { fieldsOf, isObject, statesNothing, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { signedStandardWebhook, verifyStandardWebhook } from './verify/standard-webhooks.ts';

/** Signed as Standard Webhooks: the scheme that covers the body and dates it. */
export const website: Provider = {
  name: 'website',
  title: 'Website, n8n or an own program (Standard Webhooks)',
  secret: { from: 'baton', what: 'signing secret (whsec_ and this)' },
  setup: ['POST the lead as JSON to <url> with webhook-id, webhook-timestamp and webhook-signature; any Standard Webhooks library signs with <secret>.'],
  contentTypes: ['application/json'],
  verification: {
    verify: ({ headers, body }, secrets, now) => verifyStandardWebhook(headers, body, secrets, now),
    sign: (delivery, secret, now) => signedStandardWebhook(delivery, secret, now),
  },
  read({ headers, body }, receivedAt, { country }) {
    const value = readJson(new TextDecoder().decode(body));
    if (value === undefined) return { kind: 'unreadable' };
    return { kind: 'signals', signals: [signalFrom(leadIn(value), headers['webhook-id'] ?? '', receivedAt, country)] };
  },
  answer: (eventIds) => ({ ...received(eventIds), status: 202 }),
};

/** The lead itself: the object, the only element of a list (a Zapier option), or the `data` of a Standard Webhooks envelope. */
function leadIn(value: JsonValue): JsonObject {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isObject(one)) throw new ContractError('the lead', ['(whole)']);
  const { type, timestamp, data, ...rest } = one;
  if (typeof type !== 'string' || !isObject(data) || Object.keys(rest).length > 0) return one;
  return { submitted_at: timestamp ?? null, ...data, type };
}

function signalFrom(lead: JsonObject, webhookId: string, receivedAt: string, country: string): Signal {
  const { request_id: requestId, submitted_at: submittedAt, test, ...rest } = lead;
  const stated = textOf(submittedAt);
  const occurredAt = stated === undefined ? undefined : statedInstant(stated, receivedAt);
  const facts = factsFrom(
    [...fieldsOf(rest), ...(occurredAt === undefined ? [['submitted_at', submittedAt ?? null] as const] : []), ...(test === true ? [] : [['test', test ?? null] as const])],
    country,
  );
  if (statesNothing(facts)) throw new ContractError('the lead', ['(whole)']);
  return {
    source: 'website',
    eventId: statedEventId(textOf(requestId) ?? webhookId),
    kind: 'form.submitted',
    occurredAt: occurredAt ?? receivedAt,
    receivedAt,
    ...facts,
    ...(test === true && { test }),
  };
}
