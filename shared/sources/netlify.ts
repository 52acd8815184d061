// Netlify forms: JSON bound by a signed token in a header. A function event wraps the same submission in `payload`.

import { answersIn, readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import { isObject } from './stated-facts.ts';
import { objectIn, readObject } from './stated-signal.ts';
import { bindsBody, bodyHash, claimsOf, tokenOf } from './verify/jws.ts';
import { withHeaders } from './verify/raw-hmac.ts';

/** What Netlify adds to the answers about the visitor's browser. */
const BROWSER = ['ip', 'user_agent', 'referrer'];

export const netlify: Provider = {
  name: 'netlify',
  title: 'Netlify Forms',
  secret: { from: 'baton', what: 'JWS secret token' },
  setup: ['Project > Forms > Form notifications > Add notification > HTTP POST request: event "New form submission", URL <url>.', 'JWS secret token: <secret>.'],
  contentTypes: ['application/json'],
  verification: {
    verify: ({ headers, body }, secrets) => bindsBody(claimsOf(headers['x-webhook-signature'] ?? '', secrets)?.sha256, body),
    sign: (delivery, secret) => withHeaders(delivery, { 'x-webhook-signature': tokenOf({ iss: 'netlify', sha256: bodyHash(delivery.body) }, secret) }),
  },
  read: (delivery, receivedAt, locale) =>
    readObject(delivery, (event) => {
      const form = isObject(event.payload) ? event.payload : event;
      const data = objectIn(form.data);
      const context = [
        ...BROWSER.map((name) => [name, data[name]] as const),
        ...(['id', 'form_id', 'form_name', 'site_url', 'number'] as const).map((name) => [name, form[name]] as const),
      ];
      return readSubmission({ source: 'netlify', id: [form.id], at: form.created_at, answers: answersIn(data, BROWSER), context }, delivery, receivedAt, locale);
    }),
  answer: received,
};
