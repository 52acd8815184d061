// Meta Lead Ads: a delivery names leads, their answers are fetched later (shared/ports/lead-fetch.ts). So a signal here is a
// reference, and what stands in it alone is enough to find the lead in Meta's own screens.

import type { Signal } from '../domain/signal.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { ignored, instantIn, objectIn, objectsIn, readObject, restOf, signalOf } from './stated-signal.ts';
import { hubHandshake, hubSignature } from './verify/hub-handshake.ts';

export const metaLeads: Provider = {
  name: 'meta-leads',
  title: 'Meta Lead Ads (Facebook, Instagram)',
  secret: { from: 'provider', what: 'App secret (App settings, Basic)' },
  setup: [
    'developers.facebook.com > your app > Webhooks > Page > Subscribe: callback URL <url>, verify token <verify>; field leadgen.',
    'Subscribe the page to the app (POST /<page>/subscribed_apps?subscribed_fields=leadgen) with a token that has leads_retrieval.',
    'Give Baton a page token, so that it can fetch answers: baton source add meta-leads --fetch-token <token>.',
  ],
  contentTypes: ['application/json'],
  verification: hubSignature,
  setUp: hubHandshake,
  read: (delivery, receivedAt, { country }) =>
    readObject(delivery, (event) => {
      const changes = objectsIn(event.entry).flatMap((entry) => objectsIn(entry.changes).filter(({ field }) => field === 'leadgen'));
      const signals = changes.map((change) => referenceIn(objectIn(change.value), receivedAt, country));
      return signals.length === 0 ? ignored('no lead among the changes') : { kind: 'signals', signals: once(signals) };
    }),
  answer: received,
};

function referenceIn(value: JsonObject, receivedAt: string, country: string): Signal {
  const at = instantIn('seconds', value.created_time);
  const signal = signalOf({ source: 'meta-leads', id: [value.leadgen_id], kind: 'form.submitted', at, receivedAt }, restOf(value, ['created_time']), country);
  return { ...signal, reference: { system: 'meta', id: textOf(value.leadgen_id) ?? '' } };
}

/** A batch may name a lead twice. */
const once = (signals: readonly Signal[]): Signal[] => [...new Map(signals.map((signal) => [signal.eventId, signal])).values()];
