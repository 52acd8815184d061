// The form of a handoff row as it is stored.

import * as z from 'zod/mini';
import { type Handoff as DomainHandoff, STATES } from '../domain/handoff.ts';
import { LINK_CHANNELS } from '../domain/link.ts';
import type { FactKind } from '../domain/receipt.ts';
import { POSITIVE, TEXT } from './plain-schemas.ts';
import { Candidate, Channel, EvidenceKind, ExceptionClass, handoffIdOf, instant, Outcome, PossibleDuplicate, personIdOf, RejectReason, Revenue } from './receipt.ts';

const described = (description: string) => TEXT.check(z.describe(description));
const number = (description: string) => POSITIVE.check(z.describe(description));

const Offer = z.object({
  number: number('Counts the offers of the handoff from 1.'),
  to: personIdOf('Who is asked.'),
  step: z.int().check(z.describe('Which step of the contract matched.')),
  rule: described('The rule that matched.'),
  status: z
    .enum(['pending', 'clarifying', 'accepted', 'rejected', 'timed-out', 'superseded', 'duplicate', 'withdrawn', 'undeliverable'])
    .check(z.describe('Where the offer stands.')),
  requestedAt: instant('When it was made.'),
  deadlineAt: instant('When it ends without an answer.'),
  warnAt: z.exactOptional(instant('When the person is reminded.')),
  remindedAt: z.exactOptional(instant('When the person was reminded.')),
  packetVersion: z.int().check(z.describe('The packet version that was offered.')),
  endedAt: z.exactOptional(instant('When it ended.')),
  reason: z.exactOptional(RejectReason),
  undelivered: z.exactOptional(z.array(z.enum(LINK_CHANNELS))),
  questions: z.exactOptional(number('How many questions were asked.')),
  clarification: z.exactOptional(z.object({ askedAt: instant('When the question was asked.'), owedBy: personIdOf('Who owes the answer.'), expiresAt: instant('When it is due.') })),
  excludedUntil: z.exactOptional(instant('Nothing more is asked of the person before.')),
});

const RaisedException = z.object({
  number: number('Counts the exceptions of the handoff from 1.'),
  class: ExceptionClass,
  because: described('Why, in one sentence.'),
  owner: personIdOf('Who answers for it.'),
  earlierOwners: z.array(personIdOf('Who answered for it before.')),
  raisedAt: instant('When it was raised.'),
  respondBy: instant('When an answer is due.'),
  acceptedAt: z.exactOptional(instant('When its owner took it on.')),
  reviewAt: z.exactOptional(instant('When it is looked at again.')),
  resolvedAt: z.exactOptional(instant('When it was resolved.')),
});

const Ownership = z.object({
  owner: personIdOf('Who said yes.'),
  offer: number('The offer that was accepted.'),
  acceptedAt: instant('When the ownership clock stopped.'),
  nextAction: described('The next action that was promised.'),
  dueAt: instant('When it is due.'),
  late: z.boolean().check(z.describe('Whether the deadline had passed.')),
  channel: Channel,
});

/**
 * The stored row of a handoff. Attributes that this code does not know are kept, so that an older version of a function
 * that rewrites the row during a deployment loses nothing of a newer one.
 */
export const Handoff: z.ZodMiniType<DomainHandoff> = z.looseObject({
  id: handoffIdOf('Names the handoff.'),
  version: number('Number of the last receipt.'),
  state: z.enum(STATES).check(z.describe('Where the handoff stands.')),
  source: z.object({ system: described('The source of the signal.'), eventId: described('Stable id of the event at its source.') }),
  occurredAt: instant('When the customer acted.'),
  openedAt: instant('When the handoff was opened.'),
  changedAt: instant('When the last receipt was written.'),
  movedAt: z.exactOptional(instant('When it last moved, if observations were noted since.')),
  lastReceipt: z._default(described('Kind of the last receipt.'), 'handoff.opened') as unknown as z.ZodMiniType<FactKind>, // the receipt itself is checked; its kinds are not listed twice
  contract: described('Name of the contract.'),
  contractVersion: described('Content hash of the contract.'),
  packetVersion: z.int().check(z.describe('The newest packet version.')),
  contactRef: described('Pseudonymous name of the contact.'),
  custodian: personIdOf('Who is accountable right now.'),
  intakeLead: personIdOf('Who is accountable until somebody accepts.'),
  candidates: z.array(Candidate).check(z.describe('Who may be asked, in the order of asking.')),
  offers: z.array(Offer).check(z.describe('Every offer, oldest first.')),
  exceptions: z.array(RaisedException).check(z.describe('Every exception, oldest first.')),
  windowRule: z.exactOptional(number('Which window of the contract it opened by.')),
  toRaise: z.exactOptional(z.object({ class: ExceptionClass, because: described('Why, in one sentence.') })),
  arrival: z.exactOptional(
    z.object({ required: z.int().check(z.describe('How many facts the contract requires.')), missing: z.array(described('Path of one that the first source lacks.')) }),
  ),
  lacking: z.exactOptional(z.array(described('A required fact that nobody has stated yet.'))),
  contradictions: z.exactOptional(z.array(described('Path of a fact on which sources differ.'))),
  absorbed: z.exactOptional(z.array(handoffIdOf('A handoff whose sources go on in this one.'))),
  mergedInto: z.exactOptional(handoffIdOf('The handoff in which the sources of this one go on.')),
  possibleDuplicate: z.exactOptional(PossibleDuplicate),
  toAsk: z.exactOptional(personIdOf('Who is asked next, named by an exception owner.')),
  ownership: z.exactOptional(Ownership),
  nextStep: z.exactOptional(z.object({ confirmedAt: instant('When it was confirmed.'), evidence: EvidenceKind })),
  overdue: z.exactOptional(z.object({ at: instant('When it was noted.'), graceUntil: instant('When an exception follows.'), raise: ExceptionClass })),
  meeting: z.exactOptional(
    z.object({ from: z.enum(['booking', 'promise']), at: z.exactOptional(instant('When it begins.')), heldBy: z.exactOptional(personIdOf('Who was to hold it.')) }),
  ),
  takenOver: z.exactOptional(z.object({ person: personIdOf('Who works with the customer.'), at: instant('Since when.') })),
  generated: z.exactOptional(
    z.object({
      seq: number('Receipt that brought it.'),
      generator: described('Which generator.'),
      generatorVersion: described('Its version.'),
      packetVersion: z.exactOptional(number('The version of the facts it was written for.')),
      firstAt: z.exactOptional(instant('When the first text of a generator came.')),
    }),
  ),
  outcome: z.exactOptional(z.object({ kind: Outcome, at: instant('When the handoff ended.'), by: personIdOf('Who ended it.') })),
  recorded: z.exactOptional(
    z.object({
      system: described('The system that says so.'),
      result: described('How it ended, as a code of that system.'),
      at: instant('When it was recorded.'),
      revenue: z.exactOptional(Revenue),
    }),
  ),
});
export type Handoff = DomainHandoff;
