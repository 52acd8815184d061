// Google Ads lead forms: the whole lead as JSON, with a key in the body. Nothing signs it.

import { readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { type Field, objectsIn, readObject, restOf } from './stated-signal.ts';
import { bodyToken } from './verify/static-token.ts';

/** Google's names of its own questions; other questions go by their text. */
const COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    FULL_NAME: 'name',
    FIRST_NAME: 'first_name',
    LAST_NAME: 'last_name',
    EMAIL: 'email',
    PHONE_NUMBER: 'phone',
    POSTAL_CODE: 'postal_code',
    CITY: 'city',
    REGION: 'region',
    COUNTRY: 'country',
  }),
);

export const googleAds: Provider = {
  name: 'google-ads',
  title: 'Google Ads lead form',
  secret: { from: 'baton', what: 'Key' },
  setup: [
    'Lead form asset > Export leads from Google Ads > Other data integration options > Webhook URL: <url>, Key: <secret>.',
    'Send test data: it is recorded, and opens nothing.',
  ],
  contentTypes: ['application/json'],
  verification: bodyToken({
    find({ body }) {
      const lead = readJson(new TextDecoder().decode(body));
      return isObject(lead) && typeof lead.google_key === 'string' ? lead.google_key : undefined;
    },
    put(delivery, secret) {
      const lead = readJson(new TextDecoder().decode(delivery.body));
      return { ...delivery, body: new TextEncoder().encode(JSON.stringify({ ...(isObject(lead) ? lead : {}), google_key: secret })) };
    },
  }),
  read: (delivery, receivedAt, locale) =>
    readObject(delivery, (lead) => {
      const answers = objectsIn(lead.user_column_data).map(answerOf);
      const context = restOf(lead, ['lead_id', 'user_column_data', 'google_key', 'is_test', 'lead_submit_time', 'api_version']);
      const submission = { source: 'google-ads', id: [lead.lead_id], at: lead.lead_submit_time, answers, context, test: lead.is_test === true };
      return readSubmission(submission, delivery, receivedAt, locale);
    }),
  answer: received,
};

/** `column_name` may be missing and is translated, so the id counts. */
function answerOf(column: JsonObject, index: number): Field {
  const id = textOf(column.column_id);
  return [COLUMNS.get(id ?? '') ?? id ?? textOf(column.column_name) ?? `answer ${index + 1}`, column.string_value];
}
