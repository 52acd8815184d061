// Make: what an HTTP module posts, in any nesting, with a header that the module sets.

import { type Provider, received } from './provider.ts';
import { readAutomation } from './read-automation.ts';
import { headerToken } from './verify/static-token.ts';

export const make: Provider = {
  name: 'make',
  title: 'Make (HTTP module)',
  secret: { from: 'baton', what: 'value of a request header' },
  setup: [
    'Module HTTP > Make a request: URL <url>, method POST, body type Raw, content type JSON.',
    'Headers: "X-Webhook-Token" = "<secret>".',
    'Body: request_id (an id of the record), name, email, phone, message, category, submitted_at.',
  ],
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  verification: headerToken,
  read: (delivery, receivedAt, locale) => readAutomation('make', delivery, receivedAt, locale),
  answer: received,
};
