// The aggregate: what a handoff is, which command is legal from where, and how a receipt changes it.

import type { HandoffId, PersonId } from './ids.ts';
import type { LinkChannel } from './link.ts';
import type { MatchEvidence } from './matching.ts';
import type { Meeting } from './meeting-facts.ts';
import type { ExceptionClass, Outcome, RejectReason } from './policy.ts';
import type { Candidate, Channel, EvidenceKind, FactKind, Revenue } from './receipt.ts';

export const STATES = ['ready', 'candidates-resolved', 'acceptance-requested', 'backup-requested', 'accepted', 'next-step-confirmed', 'exception', 'closed'] as const;

/** Where a handoff stands (section 2 of the product). The queue state is derived from it, never stored. */
export type State = (typeof STATES)[number];

/** The four that a person sees on a board, and the end. */
export type QueueState = 'waiting' | 'offered' | 'accepted' | 'exception' | 'closed';

export const QUEUE_STATE: Readonly<Record<State, QueueState>> = {
  ready: 'waiting',
  'candidates-resolved': 'waiting',
  'acceptance-requested': 'offered',
  'backup-requested': 'offered',
  accepted: 'accepted',
  'next-step-confirmed': 'accepted',
  exception: 'exception',
  closed: 'closed',
};

const OFFERED = ['acceptance-requested', 'backup-requested'] as const;
const OPEN = STATES.filter((state) => state !== 'closed');

/**
 * Which fact may happen in which state, and where it leads (L-02); `same` keeps the state.
 * This is the only place that says so: `decide` refuses by it, `evolve` moves by it.
 * A late acceptance makes `offer.accepted` legal outside an open offer; `decide` narrows that further (L-09).
 */
export const TRANSITIONS: Readonly<Record<Exclude<FactKind, 'handoff.opened'>, { from: readonly State[]; to: State | 'same' }>> = {
  'candidates.resolved': { from: ['ready'], to: 'candidates-resolved' },
  'acceptance.requested': { from: ['candidates-resolved'], to: 'acceptance-requested' },
  'backup.requested': { from: ['candidates-resolved'], to: 'backup-requested' },
  'offer.accepted': { from: ['candidates-resolved', 'acceptance-requested', 'backup-requested', 'exception'], to: 'accepted' },
  'offer.superseded': { from: ['accepted'], to: 'same' },
  'offer.rejected': { from: ['acceptance-requested', 'backup-requested'], to: 'candidates-resolved' },
  'offer.reminded': { from: ['acceptance-requested', 'backup-requested'], to: 'same' },
  'offer.withdrawn': { from: OFFERED, to: 'candidates-resolved' },
  'delivery.failed': { from: OPEN, to: 'same' },
  'offer.undeliverable': { from: OFFERED, to: 'candidates-resolved' },
  'offer.timed-out': { from: ['acceptance-requested', 'backup-requested'], to: 'candidates-resolved' },
  'clarification.asked': { from: ['acceptance-requested', 'backup-requested'], to: 'same' },
  'clarification.answered': { from: ['acceptance-requested', 'backup-requested'], to: 'same' },
  'clarification.expired': { from: ['acceptance-requested', 'backup-requested'], to: 'candidates-resolved' },
  'duplicate.marked': { from: ['acceptance-requested', 'backup-requested'], to: 'candidates-resolved' },
  'signal.linked': { from: OPEN, to: 'same' },
  'duplicate.merged': { from: ['exception'], to: 'same' },
  'duplicate.separated': { from: ['exception'], to: 'ready' },
  'exception.raised': { from: ['ready', 'candidates-resolved', 'accepted'], to: 'exception' },
  'exception.accepted': { from: ['exception'], to: 'same' },
  'exception.escalated': { from: ['exception'], to: 'same' },
  'exception.resolved': { from: ['exception'], to: 'candidates-resolved' },
  'exception.cleared': { from: ['exception'], to: 'ready' },
  'next-step.confirmed': { from: ['accepted'], to: 'next-step-confirmed' },
  'next-step.overdue': { from: ['accepted'], to: 'same' },
  'ownership.ended': { from: ['accepted', 'next-step-confirmed'], to: 'candidates-resolved' },
  'handoff.reassigned': { from: ['candidates-resolved'], to: 'same' },
  'human.takeover': { from: OPEN, to: 'same' },
  'packet.prepared': { from: OPEN, to: 'same' },
  'ai.refused': { from: OPEN, to: 'same' },
  'outcome.recorded': { from: STATES, to: 'same' },
  'handoff.closed': { from: ['candidates-resolved', 'accepted', 'next-step-confirmed', 'exception'], to: 'closed' },
};

export type OfferStatus = 'pending' | 'accepted' | 'rejected' | 'timed-out' | 'superseded' | 'duplicate' | 'clarifying' | 'withdrawn' | 'undeliverable';

/** One request for acceptance, to one person, with a deadline (O-07: never two pending at once). */
export type Offer = {
  number: number;
  to: PersonId;
  step: number;
  rule: string;
  status: OfferStatus;
  requestedAt: string;
  deadlineAt: string;
  /** When the person is reminded, and when they were. */
  warnAt?: string;
  remindedAt?: string;
  packetVersion: number;
  endedAt?: string;
  reason?: RejectReason;
  /** Channels on which the message is known not to have arrived. */
  undelivered?: readonly LinkChannel[];
  /** How many questions were asked, and the one that an answer is owed to. */
  questions?: number;
  clarification?: { askedAt: string; owedBy: PersonId; expiresAt: string };
  /** After a no that leaves the person out for the rest of their day. */
  excludedUntil?: string;
};

/** A handoff that could not proceed, and who answers for it. `number` counts from 1 within the handoff. */
export type RaisedException = {
  number: number;
  class: ExceptionClass;
  because: string;
  owner: PersonId;
  /** Everyone who was responsible before the present owner, oldest first. */
  earlierOwners: readonly PersonId[];
  raisedAt: string;
  respondBy: string;
  acceptedAt?: string;
  reviewAt?: string;
  resolvedAt?: string;
};

/** The yes that stopped the ownership clock. */
export type Ownership = { owner: PersonId; offer: number; acceptedAt: string; nextAction: string; dueAt: string; late: boolean; channel: Channel };

/** The passage of one customer need from intake to a responsible person: the fold of its receipts. */
export type Handoff = {
  id: HandoffId;
  /** Number of the last receipt; the write of the next one is conditional on it. */
  version: number;
  state: State;
  source: { system: string; eventId: string };
  /** When the customer acted: the ownership clock runs from here to `ownership.acceptedAt`. */
  occurredAt: string;
  openedAt: string;
  changedAt: string;
  /** When it last moved, while observations were noted since: they change nothing, so they must not look like progress. */
  movedAt?: string;
  /** Kind of the last receipt, which was written at `changedAt`. */
  lastReceipt: FactKind;
  contract: string;
  contractVersion: string;
  packetVersion: number;
  contactRef: string;
  /** The one named person accountable right now (L-05). */
  custodian: PersonId;
  intakeLead: PersonId;
  candidates: readonly Candidate[];
  offers: readonly Offer[];
  exceptions: readonly RaisedException[];
  /** Which of the contract's windows by kind of request it opened by, counted from 1 (C-06). */
  windowRule?: number;
  /** An exception that a receipt demands and nobody raised yet. */
  toRaise?: { class: ExceptionClass; because: string };
  /** What the first source brought of what the contract requires. */
  arrival?: { required: number; missing: readonly string[] };
  /** Required facts that nobody has stated yet; alternatives are joined with "or". */
  lacking?: readonly string[];
  /** Facts on which sources differ, of those that decide who may be asked, until a person is put before them. */
  contradictions?: readonly string[];
  /** Handoffs whose sources go on in this one, and the one in which the sources of this one go on (D-01). */
  absorbed?: readonly HandoffId[];
  mergedInto?: HandoffId;
  /** Another handoff that may be the same request; gone once a person has said. */
  possibleDuplicate?: { of: HandoffId; evidence: readonly MatchEvidence[] };
  /** A person named by an exception owner, to be asked next (E-03: asked, not told). */
  toAsk?: PersonId;
  ownership?: Ownership;
  nextStep?: { confirmedAt: string; evidence: EvidenceKind };
  /** The due time passed without evidence; after `graceUntil` an exception of this class is raised. */
  overdue?: { at: string; graceUntil: string; raise: ExceptionClass };
  /** The meeting that stands, booked by the customer or promised by an owner who is gone (L-08). */
  meeting?: Meeting;
  /** Who works with the customer; automated outreach steps aside while this stands (L-10). */
  takenOver?: { person: PersonId; at: string };
  /** The latest text of a generator: which receipt brought it, and for which version of the facts it was written. `firstAt`: when there was any. */
  generated?: { seq: number; generator: string; generatorVersion: string; packetVersion?: number; firstAt?: string };
  outcome?: { kind: Outcome; at: string; by: PersonId };
  /** What the authoritative system says last about how it ended. */
  recorded?: { system: string; result: string; at: string; revenue?: Revenue };
};

/** The offer that is waiting for an answer, or for the answer to its own question, if any. */
export const pendingOffer = (handoff: Handoff): Offer | undefined => handoff.offers.find((offer) => offer.status === 'pending' || offer.status === 'clarifying');

/** When the present wait of an offer ends: its window, or the time to answer its question. */
export const offerUntil = (offer: Offer): string => offer.clarification?.expiresAt ?? offer.deadlineAt;

/** The exception that is not resolved, if any. */
export const openException = (handoff: Handoff): RaisedException | undefined => handoff.exceptions.find((exception) => exception.resolvedAt === undefined);

/** When anything last moved. What a generator or a system outside only says never makes a handoff look looked after. */
export const lastMovedAt = ({ movedAt, changedAt }: Pick<Handoff, 'movedAt' | 'changedAt'>): string => movedAt ?? changedAt;
