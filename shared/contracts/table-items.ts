// The form of every item in the table, as far as Baton reads it back. Key attributes are checked where items are written.

import * as z from 'zod/mini';
import { OPT_OUT_REASONS } from '../domain/announcement.ts';
import { LINK_CHANNELS, LINK_PURPOSES } from '../domain/link.ts';
import type { Wait } from '../domain/next-step.ts';
import type { Packet as DomainPacket } from '../domain/packet.ts';
import { type Signal as DomainSignal, SIGNAL_KINDS } from '../domain/signal.ts';
import { MessageReported } from './announcement-event.ts';
import { Handoff } from './handoff.ts';
import { OPTIONAL_TEXT, TEXT } from './plain-schemas.ts';
import { handoffIdOf, instant, personIdOf, Receipt } from './receipt.ts';

const described = (description: string) => TEXT.check(z.describe(description));
const optional = (description: string) => OPTIONAL_TEXT.check(z.describe(description));

const Contact = z.object({
  name: optional('Name as stated.'),
  email: optional('Address as stated.'),
  phone: optional('Number as stated.'),
  language: optional('Language as stated.'),
  prefers: z.exactOptional(z.enum(['email', 'phone', 'sms'])),
});
const Request = z.object({
  words: optional('What was said.'),
  category: optional('Kind of request.'),
  product: optional('Product asked for.'),
  timing: optional('When it is wanted.'),
  purpose: z.exactOptional(z.enum(['sales', 'service'])),
  regulated: optional('The regulated matter, as stated.'),
  safety: z.exactOptional(z.enum(['yes', 'no'])),
});
const Location = z.object({ postalCode: optional('Postal code.'), city: optional('City.'), region: optional('Region.'), country: optional('Country.') });
const consent = z.exactOptional(z.enum(['granted', 'denied']));
const Consent = z.object({ email: consent, sms: consent });
const Account = z.exactOptional(
  z.object({ existingCustomer: z.exactOptional(z.enum(['yes', 'no'])), matches: z.exactOptional(z.array(z.string()).check(z.describe('Ids of active account records.'))) }),
);
const More = z.record(z.string(), z.string()).check(z.describe('Fields that no rule knows, as sent.'));

const PacketSource = z.object({
  system: described('Source system.'),
  eventId: described('Its event id.'),
  kind: described('Kind of signal.'),
  occurredAt: instant('When the customer acted.'),
});

const Generated = z.object({
  generator: described('Which generator wrote.'),
  generatorVersion: described('Its version.'),
  at: instant('When it arrived.'),
  summary: optional('The request in fewer words.'),
  draft: optional('A draft for a person.'),
  priority: optional('A proposal.'),
});
export const GeneratedItem = z.object({ generated: Generated });

const BookingFacts = {
  startsAt: z.exactOptional(instant('When it begins.')),
  endsAt: z.exactOptional(instant('When it ends.')),
  zone: optional('The zone the customer chose in.'),
  host: optional('Address of the member of staff it is with.'),
};

const Packet: z.ZodMiniType<DomainPacket> = z.object({
  version: z.int().check(z.positive(), z.describe('Counts the packets of the handoff from 1.')),
  contact: Contact,
  request: Request,
  location: Location,
  consent: Consent,
  account: Account,
  sources: z.array(PacketSource),
  more: More,
  answers: z.exactOptional(
    z.array(z.object({ question: described('What a seller asked.'), answer: described('What they were told.'), by: personIdOf('Who answered.'), at: instant('When.') })),
  ),
  alsoStated: z.exactOptional(
    z.array(z.object({ path: described('Which fact.'), value: described('What a later source states.'), system: described('That source.'), eventId: described('Its event id.') })),
  ),
  bookings: z.exactOptional(
    z.array(
      z.object({
        ...BookingFacts,
        source: described('The calendar.'),
        ids: z.array(described('An id it has or had there.')),
        state: z.enum(['booked', 'moved', 'canceled']),
        changedAt: instant('When the customer last changed it.'),
      }),
    ),
  ),
  unknown: z.array(z.string()).check(z.describe('Paths that nobody stated.')),
});

/** Attributes that this code does not know are kept, as in the contract of the event that brought them. */
const Signal: z.ZodMiniType<DomainSignal> = z.looseObject({
  source: described('Where it came from.'),
  eventId: described('Stable id of the event at its source.'),
  kind: z.enum(SIGNAL_KINDS),
  occurredAt: instant('When the customer acted.'),
  receivedAt: instant('When Baton took it in.'),
  contact: Contact,
  request: Request,
  location: Location,
  consent: Consent,
  account: Account,
  more: More,
  test: z.exactOptional(z.boolean().check(z.describe("A provider's own test delivery."))),
  threads: z.exactOptional(z.array(described('A call, a conversation or a meeting that it is part of.'))),
  booking: z.exactOptional(z.looseObject({ id: described('Its id at the source.'), was: optional('The id it had before.'), ...BookingFacts })),
  rawRef: optional('Where the delivery is kept as it came, while it is kept.'),
  notALead: optional('Why the source says that this is no request.'),
  reference: z.exactOptional(z.looseObject({ system: described('System that holds the answers.'), id: described('Its id of the lead.') })),
});

const IssuedLink = {
  id: described('The link id.'),
  purpose: z.enum(LINK_PURPOSES),
  number: z.int().check(z.positive(), z.describe('Number of the offer or exception.')),
  person: personIdOf('Who may answer.'),
  channel: z.enum(LINK_CHANNELS),
  expiresAt: instant('When it can no longer be answered; deletion comes later.'),
};

const numbers = z.int().check(z.positive(), z.describe('Number of the receipt it belongs to.'));

export const HeadItem = z.object({ version: z.int(), handoff: Handoff });
export const ReceiptItem = z.object({ receipt: Receipt });
export const PacketItem = z.object({ packet: Packet });
export const NoteItem = z.object({ note: z.object({ seq: numbers, kind: z.enum(['question', 'explanation', 'evidence', 'result']), text: described('What the person wrote.') }) });
export const AcceptanceItem = z.object({ seq: numbers, jws: described('The signed acceptance receipt.') });

/** What is being waited for; the texts are those of `Wait` in the domain. */
const WaitText = z.string().check(z.regex(/^(?:offer:\d+(?::[a-z]+(?::\d+)?)*|exception:\d+:[\s\S]+:(?:respond|review)|next-step:[\s\S]+)$/)) as unknown as z.ZodMiniType<Wait>; // a template type that a pattern cannot infer

export const WaitItem = z.object({
  wait: WaitText,
  token: described('The task token: a secret.'),
  storedAt: instant('When the attempt stored it.'),
  wokenAt: z.exactOptional(instant('When it was used.')),
  wokenBy: optional('Which call used it.'),
});

export const LinkItem = z.object({ link: z.object({ ...IssuedLink, handoffId: handoffIdOf('What it answers.') }) });

export const SignalItem = z.object({
  signal: Signal,
  bodyHash: described('Hash of the body as received.'),
  recordedBy: described('Which call recorded it.'),
  standing: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('received') }),
    z.object({ kind: z.literal('opened'), handoffId: handoffIdOf('The handoff it opened.') }),
    z.object({ kind: z.literal('linked'), handoffId: handoffIdOf('The open handoff that it is another source of.') }),
    z.object({ kind: z.literal('ignored'), because: described('Why nothing was opened.') }),
  ]),
});

/** Identifiers stand here as keyed hashes only. */
const MatchEntry = z.object({
  handoffId: handoffIdOf('The handoff that it belongs to.'),
  contract: described('Its contract.'),
  category: optional('The kind of work that was stated.'),
  occurredAt: instant('When the customer acted.'),
  keys: z.object({
    email: optional('Of the address.'),
    phone: optional('Of the number.'),
    name: optional('Of the name.'),
    household: optional('Of family name and postal code.'),
    firm: optional('Of the host.'),
  }),
});

export const MatchItem = z.object({ version: z.int().check(z.positive(), z.describe('Counts the writes of the row.')), entries: z.array(MatchEntry) });

export const ClaimItem = z.object({
  claim: z.object({
    handoffId: handoffIdOf('Whose effect it is.'),
    effect: described('Names the effect.'),
    claimedAt: instant('When the present attempt claimed it.'),
    attempts: z.int().check(z.nonnegative(), z.describe('How often the provider was asked.')),
    result: z.exactOptional(z.enum(['sent', 'refused', 'skipped'])),
    detail: optional('What the provider said.'),
    held: optional('Why it waited, or which message it went along in.'),
  }),
  claimedBy: described('Which call claimed it.'),
});

export const SuppressionItem = z.object({
  standing: z.enum(['shut', 'open']),
  because: z.enum(OPT_OUT_REASONS),
  source: described('Which system said so.'),
  eventId: described('In which event.'),
  changedAt: instant('Since when.'),
});

export const DeliveryItem = z.object({ report: MessageReported });

/** What a person carries across all handoffs. */
export const LoadItem = z.object({
  held: z._default(z.int(), 0),
  turns: z._default(z.int(), 0),
  turnAt: optional('When the last turn was.'),
  excludedUntil: optional('Until when the person is left out.'),
});

const counter = z._default(z.int(), 0);
export const TotalsItem = z.object({
  received: counter,
  ignored: counter,
  linked: counter,
  waiting: counter,
  offered: counter,
  accepted: counter,
  exception: counter,
  closed: counter,
});

export const TallyItem = z.object({
  reading: z.object({
    day: described('Local date of the report that read the counters.'),
    at: instant('When they were read.'),
    counts: z.catchall(z.object({ received: counter, ignored: counter, linked: counter }), z.int()),
  }),
});

export const ReportItem = z.object({ summary: z.record(z.string(), z.unknown()), publishedAt: instant('When the report came out.') });

/** What an index with projection KEYS_ONLY answers: enough to read the item itself again. */
export const IndexKeys = z.object({ pk: described('Partition key.'), sk: described('Sort key.') });

/** Other content under an id that its source had used (WH-07). */
export const ConflictItem = z.object({ signal: Signal });

/** One line of the list of what was set aside. */
export const QuarantineEntryItem = z.object({
  kind: z.enum(['event', 'conflict', 'outcome']),
  id: described('Names it when its contents are asked for.'),
  source: described('Who sent it.'),
  because: described('Why it was set aside.'),
  at: instant('When it was set aside first.'),
});

export const QuarantinedEventItem = z.object({ body: described('The event as it arrived, cut when it was too long.') });
