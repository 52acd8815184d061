// Webflow forms: JSON with a dated signature, for webhooks made through the API or an app. One made in the dashboard carries no
// signature and is refused.

import { answersIn, readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { type Field, ignored, objectIn, objectsIn, readObject } from './stated-signal.ts';
import { timedHmac, twoHeaders } from './verify/raw-hmac.ts';

export const webflow: Provider = {
  name: 'webflow',
  title: 'Webflow',
  secret: { from: 'provider', what: "the webhook's secret key, or the client secret of the app that made it" },
  setup: [
    'Make the webhook by API, since one made in the dashboard is not signed: POST https://api.webflow.com/v2/sites/<site>/webhooks with {"triggerType":"form_submission","url":"<url>"}.',
    'Its answer shows the secret key.',
  ],
  contentTypes: ['application/json'],
  verification: timedHmac({ layout: twoHeaders('x-webflow-signature', 'x-webflow-timestamp'), unit: 'milliseconds', encoding: 'hex', front: (time) => `${time}:` }),
  read: (delivery, receivedAt, locale) =>
    readObject(delivery, (event) => {
      if (event.triggerType !== undefined && event.triggerType !== 'form_submission') return ignored('not a form submission');
      const payload = objectIn(event.payload);
      const context = answersIn(payload, ['data', 'schema', 'submittedAt']);
      const submission = { source: 'webflow', id: [payload.id], at: payload.submittedAt, answers: answersOf(payload), context };
      return readSubmission(submission, delivery, receivedAt, locale);
    }),
  answer: received,
};

/** By the label, or by the id of the element where the address names that: a designer may rename labels. */
function answersOf({ data, schema }: JsonObject): Field[] {
  const types = new Map(objectsIn(schema).map((field) => [textOf(field.fieldName), field]));
  const answers = Object.entries(objectIn(data));
  const emails = answers.filter(([label]) => types.get(label)?.fieldType === 'FormEmailInput');
  return answers.map(([label, value]): Field => [emails.length === 1 && emails[0]?.[0] === label ? 'email' : label, value]);
}
