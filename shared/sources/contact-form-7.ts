// Contact Form 7 with the plugin "CF7 to Webhook": it delivers while the visitor waits, shows the visitor an error for anything
// but 2xx, and tries nothing again. So whatever comes with the right token is taken in, also text that its template broke.

import { readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import { mediaTypeOf, readForm } from './read-form.ts';
import { readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import type { Field } from './stated-signal.ts';
import { headerToken } from './verify/static-token.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Special mail tags: about the page and the moment, in the site's own format and zone. */
const CONTEXT: ReadonlySet<string> = new Set(['page_url', 'remote_ip', 'submitted_date', 'submitted_time', 'user_agent', 'form_id', 'form_title', 'request_id', 'acceptance']);

export const contactForm7: Provider = {
  name: 'contact-form-7',
  title: 'Contact Form 7 (CF7 to Webhook)',
  secret: { from: 'baton', what: 'value of a request header' },
  setup: [
    'Contact > your form > Webhook: address <url>.',
    'Headers: one line "X-Webhook-Token: <secret>".',
    'Best: add a hidden field request_id that is different each time, so that the same text sent twice on a day counts twice.',
  ],
  contentTypes: ['application/json', 'text/plain', FORM],
  verification: headerToken,
  read(delivery, receivedAt, locale) {
    const fields = mediaTypeOf(delivery) === FORM ? readForm(delivery) : jsonOrText(new TextDecoder().decode(delivery.body));
    if (fields === undefined) return { kind: 'unreadable' };
    const requestId = fields.find(([name]) => name === 'request_id')?.[1];
    const answers = fields.filter(([name]) => !CONTEXT.has(name));
    const context = fields.filter(([name]) => CONTEXT.has(name) && name !== 'request_id');
    return readSubmission({ source: 'contact-form-7', id: [textOf(requestId)], answers, context }, delivery, receivedAt, locale);
  },
  answer: received,
};

/** A quote or a new line in an answer breaks the plugin's own template: the text is kept whole rather than lost. */
function jsonOrText(text: string): Field[] {
  const value = readJson(text);
  return isObject(value) ? Object.entries(value) : [['body', text.toWellFormed()]];
}
