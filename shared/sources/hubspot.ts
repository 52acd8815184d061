// HubSpot: a workflow that sends a form's contact, or the Webhooks API that only says that a contact was created.

import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { type Field, ignored, instantIn, one, signalOf } from './stated-signal.ts';
import { hubspotV3 } from './verify/url-hmac.ts';

export const hubspot: Provider = {
  name: 'hubspot',
  title: 'HubSpot',
  secret: { from: 'provider', what: 'Client secret of the app' },
  setup: [
    'Workflow (form submission as trigger) > Send a webhook: POST <url>, signed with your app; send hs_object_id, recent_conversion_date, email, firstname, lastname, phone, message.',
    'Or: app > Webhooks > Target URL <url>, subscription contact created. That one names the contact only.',
  ],
  contentTypes: ['application/json'],
  verification: hubspotV3,
  read(delivery, receivedAt, { country }) {
    const value = readJson(new TextDecoder().decode(delivery.body));
    if (value === undefined) return { kind: 'unreadable' };
    if (Array.isArray(value)) return readCreations(value.filter(isObject), receivedAt, country);
    if (!isObject(value)) throw new ContractError('the delivery', ['(whole)']);
    return readWorkflow(value, receivedAt, country);
  },
  answer: received,
};

const CREATIONS: ReadonlySet<string> = new Set(['contact.creation', 'object.creation']);

/** `contact.creation` and `object.creation` of one contact are one lead, and the id of the contact names it. Which event said so, and how often, is left out. */
function readCreations(events: readonly JsonObject[], receivedAt: string, country: string): Reading {
  const created = events.filter((event) => CREATIONS.has(textOf(event.subscriptionType) ?? '') && (event.objectTypeId === undefined || event.objectTypeId === '0-1'));
  if (created.length === 0) return ignored('no new contact among the events');
  const signals = new Map<string, Signal>();
  for (const { portalId, objectId, occurredAt } of created) {
    const occurrence = { source: 'hubspot', id: [portalId, 'contact', objectId], kind: 'contact.created', at: instantIn('milliseconds', occurredAt), receivedAt } as const;
    const signal = signalOf(occurrence, [['hubspot_contact', `https://app.hubspot.com/contacts/${textOf(portalId) ?? ''}/record/0-1/${textOf(objectId) ?? ''}`]], country);
    if (!signals.has(signal.eventId)) signals.set(signal.eventId, signal);
  }
  return { kind: 'signals', signals: [...signals.values()] };
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['firstname', 'first_name'],
  ['lastname', 'last_name'],
  ['mobilephone', 'mobile'],
  ['hs_language', 'language'],
]);

const SAID = ['hs_object_id', 'recent_conversion_date'];

/** The properties that were picked in the workflow: the contact's own, so they state facts. */
function readWorkflow(contact: JsonObject, receivedAt: string, country: string): Reading {
  const fields = Object.entries(contact).flatMap(([name, value]): Field[] => (SAID.includes(name) ? [] : [[NAMES.get(name) ?? name, value]]));
  const id = ['workflow', contact.hs_object_id, contact.recent_conversion_date];
  const at = instantIn('milliseconds', contact.recent_conversion_date);
  return one(signalOf({ source: 'hubspot', id, kind: 'form.submitted', at, receivedAt }, [...fields, ['hubspot_contact_id', contact.hs_object_id]], country));
}
