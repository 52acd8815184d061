// The form of a receipt as it is stored and announced. Additive changes only; a changed meaning gets a new kind.

import * as z from 'zod/mini';
import type { CommandId, HandoffId, PersonId } from '../domain/ids.ts';
import { LINK_CHANNELS } from '../domain/link.ts';
import { MATCH_EVIDENCE } from '../domain/matching.ts';
import { EXCEPTION_CLASSES, OUTCOMES, REJECT_REASONS } from '../domain/policy.ts';
import { type Receipt as DomainReceipt, GENERATED_PARTS } from '../domain/receipt.ts';
import { FILLED, HANDOFF_ID, INSTANT, POSITIVE, TEXT } from './plain-schemas.ts';

const described = <T extends z.ZodMiniType>(schema: T, description: string): T => schema.check(z.describe(description)) as T;
const text = (description: string) => described(TEXT, description);
const branded = <Id extends string>(schema: z.ZodMiniString, description: string) => described(schema, description) as unknown as z.ZodMiniType<Id, Id>; // a brand exists for the compiler alone
const ordinal = (description: string) => described(POSITIVE, description);

/** An instant. The domain writes UTC with `Z`; what a source stated may carry its offset. */
export const instant = (description: string) => described(INSTANT, description);
export const handoffIdOf = (description: string) => branded<HandoffId>(HANDOFF_ID, description);
export const personIdOf = (description: string) => branded<PersonId>(FILLED, description);
export const commandIdOf = (description: string) => branded<CommandId>(FILLED, description);

export const Channel = described(z.enum(['email', 'sms', 'slack', 'console', 'api']), 'The channel an answer came through.');
export const EvidenceKind = described(z.enum(['call', 'meeting', 'message', 'visit', 'quote']), 'What shows that the promised next step became real.');
export const ExceptionClass = described(z.enum(EXCEPTION_CLASSES), 'Why the handoff cannot proceed.');
export const Outcome = described(z.enum(OUTCOMES), 'How the handoff ended.');
export const RejectReason = described(z.enum(REJECT_REASONS), 'The factual reason for a no.');

export const MatchEvidence = described(z.array(z.enum(MATCH_EVIDENCE)), 'Which identifiers were the same; never their values.');
export const PossibleDuplicate = described(z.object({ of: handoffIdOf('The other handoff.'), evidence: MatchEvidence }), 'Another handoff that may be the same request.');

export const MeetingNews = described(
  z.object({ at: z.exactOptional(instant('When the meeting begins.')), canceled: z.exactOptional(z.literal(true).check(z.describe('It was cancelled.'))) }),
  'A meeting that was booked, moved or cancelled.',
);

const Actor = described(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('person'), person: personIdOf('Who acted.'), channel: Channel }),
    z.object({ kind: z.literal('policy'), rule: text('The rule that acted.') }),
    z.object({ kind: z.literal('system'), component: text('The part of Baton that acted.') }),
  ]),
  'Who or what caused the transition.',
);

export const Candidate = z.object({
  person: personIdOf('Who may be asked.'),
  step: z.int().check(z.describe('Which step of the contract matched.')),
  rule: text('The rule that matched.'),
});

const Considered = z.discriminatedUnion('eligible', [
  z.object({ person: personIdOf('Who was looked at.'), eligible: z.literal(true), rule: text('The rule that matched.') }),
  z.object({ person: personIdOf('Who was looked at.'), eligible: z.literal(false), failed: text('The first rule that the person failed.') }),
]);

export const Revenue = z.object({
  minorUnits: z.int().check(z.describe('In the smallest unit of the currency, such as cents.')),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/), z.describe('ISO 4217 code.')),
});

const safety = z.exactOptional(text('Why it is a matter of safety: a rule of the contract, or the word of the source.'));
const stamp = {
  seq: ordinal('Place in the log of its handoff: 1, 2, 3 … without gaps.'),
  at: instant('When it was written.'),
  commandId: commandIdOf('The command that caused it; the same id is never applied twice.'),
  actor: Actor,
  packetVersion: z.int().check(z.nonnegative(), z.describe('The packet version the decision saw.')),
  contractVersion: text('Content hash of the contract the decision followed.'),
};

const offer = ordinal('Number of the offer within the handoff.');
const exception = ordinal('Number of the exception within the handoff.');
const by = personIdOf('Who did it.');
const dueAt = instant('When the promised next action is due.');

/** One line of the log: what happened, with its place, time and cause. Free of personal data. */
export const Receipt: z.ZodMiniType<DomainReceipt> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('handoff.opened'),
    ...stamp,
    handoffId: handoffIdOf('The handoff that was opened.'),
    source: text('The source of the signal.'),
    sourceEventId: text('Stable id of the event at its source.'),
    occurredAt: instant('When the customer acted; the ownership clock runs from here.'),
    contract: text('Name of the contract.'),
    intakeLead: personIdOf('Who is accountable until somebody accepts.'),
    contactRef: text('Pseudonymous name of the contact: a keyed hash.'),
    missing: z.array(z.string()).check(z.describe('Paths of required facts that the signal does not state.')),
    required: z.exactOptional(z.int().check(z.nonnegative(), z.describe('How many facts the contract requires.'))),
    possibleDuplicate: z.exactOptional(PossibleDuplicate),
    safety,
    window: z.exactOptional(
      described(
        z.object({ rule: ordinal('Which rule, from 1.'), because: text('What the rule names.') }),
        'The window to answer, where the contract has one for this kind of request.',
      ),
    ),
    optedOut: z.exactOptional(z.array(z.enum(['sms', 'email'])).check(z.describe('Channels on which the contact takes no messages.'))),
    closed: z.exactOptional(
      described(
        z.object({ opensAt: instant('When the hours of the contract begin again.'), tellCustomer: text('Name of the message the customer gets until then.') }),
        'The hours of the contract were over.',
      ),
    ),
    meeting: z.exactOptional(MeetingNews),
  }),
  z.object({
    kind: z.literal('candidates.resolved'),
    ...stamp,
    candidates: z.array(Candidate).check(z.describe('Who may be asked, in the order of asking.')),
    considered: z.array(Considered).check(z.describe('Everyone who was looked at, with the verdict.')),
    unlisted: z.exactOptional(
      described(z.array(z.object({ failed: text('The rule.'), people: z.int().check(z.describe('How many.')) })), 'Others of a large roster, by the rule that they failed.'),
    ),
    weighed: z.exactOptional(
      described(
        z.array(
          z.object({
            person: personIdOf('Who.'),
            open: z.int().check(z.describe('Open handoffs, asked or owning.')),
            held: z.int().check(z.describe('Handoffs owned.')),
            turnAt: z.exactOptional(text('When the last turn was.')),
            excludedUntil: z.exactOptional(text('Until when the person is left out.')),
          }),
        ),
        'What the people carried who could be eligible.',
      ),
    ),
    rosterVersion: text('Content hash of the roster.'),
    turn: z.exactOptional(
      described(
        z.object({ person: personIdOf('Whose turn it was.'), at: text('The mark it leaves.'), after: z.exactOptional(text('The mark of the turn before.')) }),
        'A turn of fair-turn that was taken.',
      ),
    ),
    raise: z.exactOptional(described(z.object({ class: ExceptionClass, because: text('Why, in one sentence.') }), 'What a person must sort out before anybody is asked.')),
  }),
  z.object({
    kind: z.literal(['acceptance.requested', 'backup.requested']),
    ...stamp,
    offer,
    to: personIdOf('Who is asked.'),
    step: z.int().check(z.describe('Which step of the contract matched.')),
    rule: text('The rule that matched.'),
    deadlineAt: instant('When the offer ends without an answer.'),
    warnAt: z.exactOptional(instant('When the person is reminded, if they have not answered by then.')),
    startsAt: z.exactOptional(instant('When the window starts, if later than the asking.')),
    turn: z.exactOptional(described(z.literal(true), 'It counts as a turn of fair-turn.')),
  }),
  z.object({
    kind: z.literal('offer.accepted'),
    ...stamp,
    offer,
    by,
    proposedOwner: personIdOf('Whom the contract asked first.'),
    nextAction: text('The next action that was promised.'),
    dueAt,
    late: z.boolean().check(z.describe('Whether the deadline had passed.')),
    channel: Channel,
    clock: z.exactOptional(
      described(
        z.object({
          wallSeconds: z.int().check(z.nonnegative(), z.describe('Seconds of real time.')),
          businessSeconds: z.int().check(z.nonnegative(), z.describe('Seconds of business time.')),
          calendar: text('Calendar of the business time.'),
        }),
        'How long the ownership clock had run.',
      ),
    ),
    capacity: z.exactOptional(described(z.int().check(z.positive()), 'How many handoffs the owner may hold, this one included.')),
  }),
  z.object({ kind: z.literal('offer.superseded'), ...stamp, offer, by }),
  z.object({
    kind: z.literal('offer.rejected'),
    ...stamp,
    offer,
    by,
    reason: RejectReason,
    field: z.exactOptional(text('The required field that is missing.')),
    raise: z.exactOptional(ExceptionClass),
    flagRule: z.boolean().check(z.describe('Whether the routing rule is marked for review.')),
    excludedUntil: z.exactOptional(instant('Nothing more is asked of the person before.')),
  }),
  z.object({ kind: z.literal('offer.reminded'), ...stamp, offer, to: personIdOf('Who was reminded.'), deadlineAt: instant('When the offer ends without an answer.') }),
  z.object({ kind: z.literal('offer.timed-out'), ...stamp, offer, to: personIdOf('Who did not answer.'), deadlineAt: instant('When the offer ended.') }),
  z.object({
    kind: z.literal('clarification.asked'),
    ...stamp,
    offer,
    by,
    owedBy: personIdOf('Who owes the answer.'),
    expiresAt: instant('When a person has to look, if nobody answered.'),
  }),
  z.object({
    kind: z.literal('clarification.answered'),
    ...stamp,
    offer,
    by,
    to: personIdOf('Who had asked.'),
    deadlineAt: instant('When the offer ends without an answer.'),
    warnAt: z.exactOptional(instant('When the person is reminded.')),
    safety,
  }),
  z.object({
    kind: z.literal('clarification.expired'),
    ...stamp,
    offer,
    owedBy: personIdOf('Who owed the answer.'),
    expiresAt: instant('When it was due.'),
    raise: ExceptionClass,
  }),
  z.object({ kind: z.literal('duplicate.marked'), ...stamp, offer, by, of: handoffIdOf('The other handoff.'), raise: ExceptionClass }),
  z.object({
    kind: z.literal('signal.linked'),
    ...stamp,
    source: text('The source of the signal that joined.'),
    sourceEventId: text('Stable id of the event at its source.'),
    occurredAt: instant('When the customer acted.'),
    evidence: MatchEvidence,
    added: z.array(z.string()).check(z.describe('Paths of facts that are new.')),
    conflicting: z.array(z.string()).check(z.describe('Paths of facts that it states otherwise; both values are kept.')),
    merged: z.exactOptional(handoffIdOf('The handoff that a reviewer merged into this one.')),
    meeting: z.exactOptional(MeetingNews),
    safety,
  }),
  z.object({ kind: z.literal('duplicate.merged'), ...stamp, exception, by, into: handoffIdOf('The handoff that goes on with its sources.') }),
  z.object({ kind: z.literal('duplicate.separated'), ...stamp, exception, by, from: handoffIdOf('The handoff that it is not the same as.') }),
  z.object({
    kind: z.literal('exception.raised'),
    ...stamp,
    exception,
    class: ExceptionClass,
    owner: personIdOf('Who answers for it.'),
    backup: personIdOf('Who answers when the owner does not.'),
    respondBy: instant('When an answer is due.'),
    because: text('Why, in one sentence.'),
  }),
  z.object({ kind: z.literal('exception.accepted'), ...stamp, exception, by, reviewAt: instant('When it is looked at again.'), channel: Channel }),
  z.object({
    kind: z.literal('exception.escalated'),
    ...stamp,
    exception,
    from: personIdOf('Who answered for it so far.'),
    to: personIdOf('Who answers for it now.'),
    respondBy: instant('When an answer is due.'),
    because: z.enum(['no-response', 'review-passed', 'unavailable']).check(z.describe('What ran out.')),
  }),
  z.object({
    kind: z.literal('exception.resolved'),
    ...stamp,
    exception,
    by,
    resolution: z.enum(['assigned', 'taken', 'closed']).check(z.describe('How it was resolved.')),
    to: z.exactOptional(personIdOf('Who is asked next.')),
  }),
  z.object({
    kind: z.literal('exception.cleared'),
    ...stamp,
    exception,
    because: z.enum(['facts-arrived', 'merged', 'corrected', 'safety']).check(z.describe('What changed.')),
    paths: z.exactOptional(z.array(z.string()).check(z.describe('Paths of the facts that its owner put right.'))),
    safety,
  }),
  z.object({ kind: z.literal('next-step.confirmed'), ...stamp, by, evidence: EvidenceKind }),
  z.object({
    kind: z.literal('next-step.overdue'),
    ...stamp,
    owner: personIdOf('Who promised.'),
    dueAt,
    graceUntil: instant('When an exception follows.'),
    raise: ExceptionClass,
  }),
  z.object({ kind: z.literal('offer.withdrawn'), ...stamp, offer, to: personIdOf('Who had been asked.'), because: z.enum(['reassigned', 'unavailable', 'withdrawn', 'safety']) }),
  z.object({
    kind: z.literal('delivery.failed'),
    ...stamp,
    offer,
    to: personIdOf('Who was to be told.'),
    channel: z.enum(LINK_CHANNELS),
    reason: text('What the provider said, as a code; `limit` when it would have been one message too many.'),
  }),
  z.object({ kind: z.literal('offer.undeliverable'), ...stamp, offer, to: personIdOf('Who could not be reached.') }),
  z.object({ kind: z.literal('ownership.ended'), ...stamp, owner: personIdOf('Who had accepted.'), because: z.enum(['overdue', 'reassigned', 'unavailable', 'safety']) }),
  z.object({ kind: z.literal('handoff.reassigned'), ...stamp, to: personIdOf('Who is asked next.'), by }),
  z.object({ kind: z.literal('human.takeover'), ...stamp, person: personIdOf('Who works with the customer.') }),
  z.object({
    kind: z.literal('packet.prepared'),
    ...stamp,
    generator: text('Which generator wrote.'),
    generatorVersion: text('Its version.'),
    parts: z.array(z.enum(GENERATED_PARTS)).check(z.describe('What it proposed; the text itself is kept apart.')),
  }),
  z.object({ kind: z.literal('ai.refused'), ...stamp, generator: text('Which generator asked.'), wanted: text('What it asked for, as a code.') }),
  z.object({
    kind: z.literal('outcome.recorded'),
    ...stamp,
    system: text('The system that is the authority on it.'),
    result: text('How it ended, as a code of that system.'),
    revenue: z.exactOptional(Revenue),
  }),
  z.object({ kind: z.literal('handoff.closed'), ...stamp, outcome: Outcome, by }),
]);
export type Receipt = DomainReceipt;
