// The JSON that `POST /in/website` is documented to take. The intake reads more leniently than this and refuses less; see shared/sources/website.ts.

import * as z from 'zod/mini';

const text = (description: string) => z.exactOptional(z.string().check(z.describe(description)));

/** What a website, Zapier, Make or an own program sends. Every field is optional; what is not stated stays unknown. Other fields are kept as sent. */
export const WebsiteLead = z.looseObject({
  request_id: text('Your id of this request: letters, digits and . _ : = / -, at most 200. The same id twice opens one handoff. Without it, `webhook-id` counts.'),
  name: text('Full name. Or send `first_name` and `last_name`.'),
  first_name: text('First name.'),
  last_name: text('Last name.'),
  email: text('Email address.'),
  phone: text('Phone number, best with country code.'),
  message: text("The person's own words."),
  category: text('What it is about, as the contracts name it; `service` is read as well.'),
  product: text('The product, as the roster names it.'),
  timing: text('When the person wants it.'),
  postal_code: text('Postal code of the place of work, as text.'),
  city: text('City.'),
  region: text('Region or state.'),
  country: text('Two-letter country code; also used to read the phone number.'),
  language: text('Language the person wants to be answered in, such as `en` or `es`.'),
  prefers: text('`email`, `phone` or `sms`.'),
  submitted_at: text('When the form was sent: ISO 8601 with offset. The ownership clock runs from here.'),
  purpose: text('`sales` for something new, `service` for work that was done.'),
  regulated: text('The regulated matter it touches, as the contract names it.'),
  safety: text('`yes`: somebody may come to harm, and it goes to a person before anything else.'),
  existing_customer: text('`yes` or `no`, by your own records.'),
  account_matches: text('Ids of the active account records the person matches, with commas between them.'),
  consent: z.exactOptional(z.looseObject({ email: text('`yes` or `no`.'), sms: text('`yes` or `no`.') }).check(z.describe('Answers to explicit consent questions.'))),
  test: z.exactOptional(z.boolean().check(z.describe('True for a trial: recorded, never opened.'))),
});
