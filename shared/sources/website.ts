// The company's own website, and anything else that can post our JSON: the published contract of shared/contracts/website-lead.ts,
// signed as Standard Webhooks.

import { createHash } from 'node:crypto';
import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import type { SignalSource } from '../ports/signal-source.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { factsFrom, fieldsOf, isObject, statesNothing, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { verifyStandardWebhook } from './verify/standard-webhooks.ts';

/** `country` is where numbers without a country code are dialled, as two letters. */
export function website({ country }: { country: string }): SignalSource {
  return {
    contentTypes: ['application/json'],
    verify: ({ headers, body }, secrets, now) => verifyStandardWebhook(headers, body, secrets, now),
    read({ headers, body }, receivedAt) {
      const value = readJson(new TextDecoder().decode(body));
      if (value === undefined) return { kind: 'unreadable' };
      return { kind: 'signals', signals: [signalFrom(leadIn(value), headers['webhook-id'] ?? '', receivedAt, country)] };
    },
    answer: (eventIds) => ({ status: 202, contentType: 'application/json', body: JSON.stringify({ received: eventIds }) }),
  };
}

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
    eventId: eventIdFrom(textOf(requestId) ?? webhookId),
    kind: 'form.submitted',
    occurredAt: occurredAt ?? receivedAt,
    receivedAt,
    ...facts,
    ...(test === true && { test }),
  };
}

/** The id as sent; a digest of it when it is long or could be an address, since event ids stand in receipts (PI-07). */
const eventIdFrom = (id: string): string => (/^[A-Za-z0-9._:=/-]{1,200}$/.test(id) ? id : `sha256-${createHash('sha256').update(id, 'utf8').digest('hex')}`);
