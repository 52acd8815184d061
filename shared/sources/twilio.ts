// Twilio: missed calls (the action of a Dial) and inbound text messages, form-encoded; Event Streams as JSON.

import type { Delivery } from '../ports/signal-source.ts';
import type { Provider } from './provider.ts';
import { readEventStream } from './twilio-event-stream.ts';
import { readTwilioForm } from './twilio-form.ts';
import { withHeaders } from './verify/raw-hmac.ts';
import { sameText } from './verify/same-text.ts';
import { bodyIsCovered, signedParameters, spellings, urlHmac } from './verify/url-hmac.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Secrets are auth tokens as they are, and shared keys as `<key id>=<key>`. A delivery whose settings header names an
 * algorithm is checked with the shared key of that name alone: an auth token never stands in for it.
 */
export const twilio: Provider = {
  name: 'twilio',
  title: 'Twilio',
  secret: { from: 'provider', what: 'Auth Token (Console, Account Info)' },
  setup: [
    'Console > Phone Numbers > your number > Messaging: "A message comes in" = Webhook, <url>, HTTP POST.',
    'For missed calls: the action of your <Dial> in TwiML or Studio = <url>, method POST.',
    'For voicemail: the action of your <Record> = <url>. For delivery reports: the status callback of your messages = <url>.',
  ],
  contentTypes: [FORM, 'application/json'],
  verification: {
    verify: (delivery, secrets) => {
      if (!isForm(delivery) && !bodyIsCovered(delivery.url, delivery.body)) return false;
      const scheme = schemeOf(delivery.headers, secrets);
      const received = delivery.headers['x-twilio-signature'] ?? '';
      const parameters = isForm(delivery) ? signedParameters(formOf(delivery)) : '';
      const urls = spellings(delivery.url);
      return scheme.keys.some((key) => urls.some((url) => sameText(received, urlHmac(scheme.algorithm, key, url, parameters))));
    },
    sign: (delivery, secret) => withHeaders(delivery, { 'x-twilio-signature': urlHmac('sha1', secret, delivery.url, signedParameters(formOf(delivery))) }),
  },
  read: (delivery, receivedAt, { country }) => (isForm(delivery) ? readTwilioForm(formOf(delivery), receivedAt, country) : readEventStream(textOf(delivery), receivedAt, country)),
  answer: () => ({ status: 200, contentType: 'text/xml; charset=utf-8', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' }),
};

const isForm = ({ headers }: Delivery): boolean => (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === FORM;
const textOf = ({ body }: Delivery): string => new TextDecoder().decode(body);
const formOf = (delivery: Delivery): URLSearchParams => new URLSearchParams(textOf(delivery));

type Scheme = { algorithm: 'sha1' | 'sha256'; keys: readonly string[] };

function schemeOf(headers: Readonly<Record<string, string>>, secrets: readonly string[]): Scheme {
  const settings = headers['x-twilio-webhooks-signature-settings'];
  if (settings === undefined) return { algorithm: 'sha1', keys: secrets.filter((secret) => secret !== '' && !secret.includes('=')) };
  const match = /^key=([A-Za-z0-9_-]+),\s*algorithm=HMAC_SHA256$/.exec(settings.trim());
  if (match === null) return { algorithm: 'sha256', keys: [] };
  const prefix = `${match[1]}=`;
  return { algorithm: 'sha256', keys: secrets.filter((secret) => secret.startsWith(prefix) && secret.length > prefix.length).map((secret) => secret.slice(prefix.length)) };
}
