// Zapier: what a Zap posts, as JSON or as a form, with a header that the Zap sets.

import { type Provider, received } from './provider.ts';
import { readAutomation } from './read-automation.ts';
import { headerToken } from './verify/static-token.ts';

export const zapier: Provider = {
  name: 'zapier',
  title: 'Zapier (Webhooks by Zapier)',
  secret: { from: 'baton', what: 'value of a request header' },
  setup: [
    'Action "Webhooks by Zapier" > POST: URL <url>, payload type json.',
    'Headers: "Authorization" = "Bearer <secret>".',
    'Data: request_id (an id of the record, so that a replay opens nothing twice), name, email, phone, message, category, submitted_at, consent__sms.',
  ],
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  verification: headerToken,
  read: (delivery, receivedAt, locale) => readAutomation('zapier', delivery, receivedAt, locale),
  answer: received,
};
