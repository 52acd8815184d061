// WPForms with its Webhooks addon: JSON with a dated signature. The form format is refused, since the addon signs a text there
// that never travels. It tries nothing again.

import { answersIn, readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { instantIn, readObject } from './stated-signal.ts';
import { pairsHeader, timedHmac } from './verify/raw-hmac.ts';

export const wpforms: Provider = {
  name: 'wpforms',
  title: 'WPForms (Webhooks addon)',
  secret: { from: 'baton', what: 'Secret' },
  setup: [
    'Form > Settings > Webhooks: request URL <url>, method POST, format JSON, secret <secret>.',
    'Request Body: keys name, email, phone, message, service; and entry_id, form_id from the smart tags, so that a repetition is known.',
  ],
  contentTypes: ['application/json'],
  verification: timedHmac({ layout: pairsHeader('x-wpforms-webhook-signature', 'v'), unit: 'seconds', encoding: 'hex', front: (time) => `${time}.` }),
  read: (delivery, receivedAt, locale) =>
    readObject(delivery, (form) => {
      const { form_id: formId, entry_id: entryId } = form;
      const time = timeIn(form);
      const answers = answersIn(form, ['form_id', 'entry_id', ...(time === undefined ? [] : [time[0]])]);
      const context = [
        ['id', formId],
        ['entry_id', entryId],
      ] as const;
      return readSubmission({ source: 'wpforms', id: [formId, entryId], at: time?.[1], answers, context }, delivery, receivedAt, locale);
    }),
  answer: received,
};

/** The one field that is a date with its Unix time. */
function timeIn(form: JsonObject): [string, string] | undefined {
  const dates = Object.entries(form).flatMap(([name, value]): [string, string][] => {
    const at = isObject(value) && /^(?:submitted|submitted_at|date|entry_date)$/.test(name) ? instantIn('seconds', value.unix) : undefined;
    return at === undefined || textOf(at) === undefined ? [] : [[name, at]];
  });
  return dates.length === 1 ? dates[0] : undefined;
}
