// What the intake announces beside signals: detail of events whose detail-type is `announcement.kind`, source `baton.intake`;
// `note-delivery` says `contact.opted-out` and `offer.undeliverable` in the same form with source `baton.delivery`.

import * as z from 'zod/mini';
import { DELIVERY_STATES, OPT_OUT_REASONS } from '../domain/announcement.ts';
import { LINK_CHANNELS } from '../domain/link.ts';

const schemaVersion = z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.'));
const source = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/), z.describe('Name of the source system.'));
const eventId = z.string().check(z.regex(/^[!-~]{1,256}$/), z.describe('Stable id of the event at its source; never personal data.'));
const occurredAt = z.iso.datetime({ offset: true }).check(z.describe('When it happened. ISO 8601 with offset.'));
const channel = z.enum(['sms', 'email']).check(z.describe('Channel of the message.'));
const short = (description: string, longest = 200) => z.string().check(z.minLength(1), z.maxLength(longest), z.describe(description));
const handoffId = z.string().check(z.regex(/^h-[0-9a-f]{32}$/), z.describe('The handoff the message was about.'));

const ContactChoice = z.object({
  kind: z.enum(['contact.opted-out', 'contact.opted-in']),
  source,
  eventId,
  occurredAt,
  channel,
  address: z
    .string()
    .check(z.regex(/^(?:\+[1-9]\d{5,14}|[^\s@]{1,64}@[^\s@]{1,189})$/), z.describe('Phone number in E.164 or email address: the one that takes no more messages.')),
  because: z.enum(OPT_OUT_REASONS).check(z.describe('Who or what says so. `asked-in-words` is a sentence that a person should read.')),
});

const CustomerReplied = z.object({
  kind: z.literal('customer.replied'),
  source,
  eventId,
  occurredAt,
  thread: z.exactOptional(short('What the address of the reply carried. It finds the thread; it proves nothing about the sender.')),
});

export const MessageReported = z.object({
  kind: z.literal('message.reported'),
  provider: source,
  messageId: short("The provider's id of the message."),
  state: z.enum(DELIVERY_STATES).check(z.describe('What is reported. Weak evidence: no decision follows from it.')),
  occurredAt,
  channel,
  reference: z.exactOptional(short('What was sent along with the message: `<handoff id>:<effect>`.', 300)),
  detail: z.exactOptional(short("The provider's own word for it.", 100)),
});

const SlackAnswered = z.object({
  kind: z.literal('slack.answered'),
  eventId,
  occurredAt,
  team: short('Workspace.'),
  user: short('Who pressed it; to be mapped to a person of the roster.'),
  channel: short('Where the message stands.'),
  messageTs: short('Which message.'),
  action: short('Name of the button.'),
  value: short('What the button carries: an opaque link id.'),
  chosen: z.record(z.string(), z.string()).check(z.describe('Selections on the same message by action id.')),
});

/** Everything the intake may announce. */
export const AnnouncementEvent = z.object({ schemaVersion, announcement: z.discriminatedUnion('kind', [ContactChoice, CustomerReplied, MessageReported, SlackAnswered]) });

/** An address takes no more messages, or takes them again. */
export const ContactChoiceEvent = z.object({ schemaVersion, announcement: ContactChoice });

/** A customer answered a message. */
export const CustomerRepliedEvent = z.object({ schemaVersion, announcement: CustomerReplied });

/** Somebody pressed a button of ours in Slack. */
export const SlackAnsweredEvent = z.object({ schemaVersion, announcement: SlackAnswered });

/** The same as it comes from the bus, taken whole by a function that also answers HTTP. */
export const SlackAnsweredOnBus = z.looseObject({ detail: SlackAnsweredEvent });

/** A provider reports what became of a message. */
export const MessageReportedEvent = z.object({ schemaVersion, announcement: MessageReported });
export type MessageReportedEvent = z.output<typeof MessageReportedEvent>;

/** What `note-delivery` hears: reports of the intake, and details of AWS itself, which are what AWS makes them. */
export const DeliveryEvent = z.union([MessageReportedEvent, z.looseObject({ eventType: z.string() })]);

/** Detail of `offer.undeliverable`: the person asked cannot be reached on this channel. */
export const OfferUndeliverableEvent = z.object({
  schemaVersion,
  handoffId,
  effect: short('Name of the message, such as `acceptance.requested:2:email`.'),
  channel: z.enum(LINK_CHANNELS).check(z.describe('Channel of the message.')),
  state: z
    .enum(['failed', 'bounced', 'shut', 'refused', 'limit'])
    .check(z.describe('Why: it failed or bounced, the address takes no messages, the provider refused it, or it was one too many for the hour.')),
  occurredAt,
});
export type OfferUndeliverableEvent = z.output<typeof OfferUndeliverableEvent>;
