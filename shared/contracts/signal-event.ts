// `signal.received` on the bus: what Baton's own intake publishes, and what partners may put there directly.

import * as z from 'zod/mini';
import { SIGNAL_KINDS } from '../domain/signal.ts';

const text = (description: string, longest = 1000) => z.exactOptional(z.string().check(z.minLength(1), z.maxLength(longest), z.describe(description)));

const instant = (description: string) => z.iso.datetime({ offset: true }).check(z.describe(description));

/** A fact from outside, normalised. What a source does not state is absent; what no field here knows goes into `more`. */
const Signal = z.looseObject({
  source: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/), z.describe('Name of the source system, as contracts name it in `starts.from`.')),
  eventId: z
    .string()
    .check(z.regex(/^[!-~]{1,256}$/), z.describe('Stable id of the event at its source. Repetitions carry the same one; it must not be or contain personal data.')),
  kind: z.enum(SIGNAL_KINDS).check(z.describe('What the customer did.')),
  occurredAt: instant('When the customer acted: the ownership clock runs from here. ISO 8601 with offset.'),
  receivedAt: instant('When the delivery arrived. ISO 8601 with offset.'),
  contact: z
    .looseObject({
      name: text('Name as stated.'),
      email: z.exactOptional(z.string().check(z.regex(/^[^\s@]{1,64}@[^\s@]{1,189}$/), z.describe('Email address as stated.'))),
      phone: z.exactOptional(z.string().check(z.regex(/^\+[1-9]\d{5,14}$/), z.describe('Phone number in E.164, valid in its country; any other text belongs into `more`.'))),
      language: z.exactOptional(z.string().check(z.regex(/^[a-z]{2,3}$/), z.describe('Language as stated: ISO 639, such as `en` or `es`.'))),
      prefers: z.exactOptional(z.enum(['email', 'phone', 'sms']).check(z.describe('The channel the person asked to be answered on.'))),
    })
    .check(z.describe('Who the person is.')),
  request: z
    .looseObject({
      words: text("The person's own words, unchanged.", 200_000),
      category: text('Category as contracts name it in `starts.category`.'),
      product: text('Product as the roster names it.'),
      timing: text('When the person wants it, in their words.', 10_000),
      purpose: z.exactOptional(z.enum(['sales', 'service']).check(z.describe('Whether it is about something new, or about work that was done.'))),
      regulated: text('The regulated matter it touches, as contracts name it in `regulated.categories`.'),
      safety: z.exactOptional(z.enum(['yes', 'no']).check(z.describe('`yes`: somebody may come to harm, and it goes to a person before anything else.'))),
    })
    .check(z.describe('What the person asks for.')),
  location: z
    .looseObject({ postalCode: text('Postal code.', 100), city: text('City.', 200), region: text('Region or state.', 200), country: text('Country.', 200) })
    .check(z.describe('Where the work is, when stated.')),
  consent: z
    .looseObject({
      email: z.exactOptional(z.enum(['granted', 'denied']).check(z.describe('Answer to the question about email.'))),
      sms: z.exactOptional(z.enum(['granted', 'denied']).check(z.describe('Answer to the question about text messages.'))),
    })
    .check(z.describe('Answers to explicit consent questions; never inferred.')),
  account: z.exactOptional(
    z
      .looseObject({
        existingCustomer: z.exactOptional(z.enum(['yes', 'no']).check(z.describe('Whether the person is a customer already, by the records of the source.'))),
        matches: z.exactOptional(z.array(z.string()).check(z.maxLength(100), z.describe('Ids of the active account records that the person matches.'))),
      })
      .check(z.describe("What the business's own records say; never inferred.")),
  ),
  more: z.record(z.string(), z.string()).check(z.describe('Fields no rule knows, and texts that are not valid facts, as sent.')),
  test: z.exactOptional(z.boolean().check(z.describe("A provider's own test delivery: recorded, never opened."))),
  reference: z.exactOptional(
    z
      .looseObject({
        system: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/), z.describe('System that holds the answers, such as `meta`.')),
        id: z.string().check(z.minLength(1), z.maxLength(500), z.describe('Its id of the lead.')),
      })
      .check(z.describe('Where the answers are when the delivery only names them; Baton fetches them before it opens the handoff.')),
  ),
  threads: z.exactOptional(
    z
      .array(z.string().check(z.regex(/^[a-z]{2,20}:[!-~]{1,300}$/)))
      .check(
        z.maxLength(20),
        z.describe('Calls, conversations and meetings that it is part of: `call:CA…`, `mail:<message id>`, `meeting:…`. What shares one belongs to one handoff.'),
      ),
  ),
  booking: z.exactOptional(
    z
      .looseObject({
        id: z.string().check(z.minLength(1), z.maxLength(300), z.describe('Its id at the source.')),
        was: text('The id it had before it was moved.', 300),
        startsAt: z.exactOptional(instant('When it begins.')),
        endsAt: z.exactOptional(instant('When it ends.')),
        zone: text('The zone the customer chose in, such as `America/Los_Angeles`.', 100),
        host: text('Address of the member of staff it is with.', 320),
      })
      .check(z.describe('What an event of a calendar says. A meeting proves no ownership.')),
  ),
  rawRef: z.exactOptional(
    z
      .string()
      .check(z.regex(/^raw\/[a-z0-9-]{1,40}\/[0-9a-f]{64}$/), z.describe("Where Baton's own intake keeps the delivery as it came; `baton source raw` shows it until it expires.")),
  ),
  notALead: text('Why the source says that this is no request, such as `opt-out`: recorded, never opened.', 200),
});

/** Detail of the event with source `baton.intake` and detail-type `signal.received`. */
export const SignalEvent = z.looseObject({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  signal: Signal.check(z.describe('The signal.')),
});
export type SignalEvent = z.output<typeof SignalEvent>;
