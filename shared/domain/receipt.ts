// Receipts are the log: one per transition, append-only, free of personal data (free text is a note beside them).

import type { SuppressedChannel } from './announcement.ts';
import type { CommandId, HandoffId, PersonId } from './ids.ts';
import type { LinkChannel } from './link.ts';
import type { MatchEvidence } from './matching.ts';
import type { MeetingNews } from './meeting-facts.ts';
import type { ExceptionClass, Outcome, RejectReason } from './policy.ts';

/** The channel an answer came through. */
export type Channel = 'email' | 'sms' | 'slack' | 'console' | 'api';

/** Who or what caused a transition. Only a person can cause an acceptance (L-04). */
export type Actor = { kind: 'person'; person: PersonId; channel: Channel } | { kind: 'policy'; rule: string } | { kind: 'system'; component: string };

/** A person whom the resolver looked at, and the verdict. */
export type Considered = { person: PersonId; eligible: true; rule: string } | { person: PersonId; eligible: false; failed: string };

/** A person who may be asked, in the order of asking, with the rule that matched. */
export type Candidate = { person: PersonId; step: number; rule: string };

/** What a person carried when candidates were named: the part of the answer that the roster does not know. With it, the answer can be worked out again. */
export type Weighed = { person: PersonId; open: number; held: number; turnAt?: string; excludedUntil?: string };

/** What the ownership clock showed: real time, and business time of the calendar named. */
export type ClockReading = { wallSeconds: number; businessSeconds: number; calendar: string };

/** What happened, before the log stamps it with a number and a time. */
export type Fact =
  | {
      kind: 'handoff.opened';
      handoffId: HandoffId;
      source: string;
      sourceEventId: string;
      /** When the customer acted; the ownership clock runs from here. */
      occurredAt: string;
      contract: string;
      intakeLead: PersonId;
      /** Pseudonymous name of the contact: a keyed hash, never an address. */
      contactRef: string;
      /** Paths of required facts that the signal does not state; any makes the handoff an exception `missing-context`. */
      missing: readonly string[];
      /** How many facts the contract requires, for the measure of completeness (P-04). */
      required?: number;
      /** It may be the same request as another; a person compares them before anybody is asked (D-01). */
      possibleDuplicate?: { of: HandoffId; evidence: readonly MatchEvidence[] };
      /** Why it is a matter of safety, which goes before everything else (E-04). */
      safety?: string;
      /** Which of the contract's windows by kind of request counts, from 1, and by what (C-06). */
      window?: { rule: number; because: string };
      /** The contact takes no messages on these channels: a person looks before anybody gets in touch (E-04). */
      optedOut?: readonly SuppressedChannel[];
      /** The contract's hours were over: when they begin again, and which message the customer gets until then (C-08). */
      closed?: { opensAt: string; tellCustomer: string };
      /** The signal is a booking: the meeting it made. */
      meeting?: MeetingNews;
    }
  | {
      kind: 'candidates.resolved';
      candidates: readonly Candidate[];
      considered: readonly Considered[];
      /** Others of a large roster, who failed the same rules: how many by rule. */
      unlisted?: readonly { failed: string; people: number }[];
      weighed?: readonly Weighed[];
      rosterVersion: string;
      /** Whose turn this was, the mark it leaves (later than every earlier one among the eligible), and the mark it found. */
      turn?: { person: PersonId; at: string; after?: string };
      /** Nobody is asked before a person has sorted the request out. */
      raise?: { class: ExceptionClass; because: string };
    }
  | {
      kind: 'acceptance.requested' | 'backup.requested';
      offer: number;
      to: PersonId;
      step: number;
      rule: string;
      deadlineAt: string;
      /** When the person is reminded, if they have not answered by then. */
      warnAt?: string;
      /** When the window starts, if that is later than the asking (C-08). */
      startsAt?: string;
      /** Whether it counts as a turn of the person. */
      turn?: true;
    }
  | {
      kind: 'offer.accepted';
      offer: number;
      by: PersonId;
      /** Whom the contract asked first. */
      proposedOwner: PersonId;
      nextAction: string;
      dueAt: string;
      late: boolean;
      channel: Channel;
      /** What the ownership clock showed, when the contract counts business time. */
      clock?: ClockReading;
      /** How many handoffs the owner may hold at a time; this one is among them. */
      capacity?: number;
    }
  | { kind: 'offer.superseded'; offer: number; by: PersonId }
  | {
      kind: 'offer.rejected';
      offer: number;
      by: PersonId;
      reason: RejectReason;
      field?: string;
      raise?: ExceptionClass;
      flagRule: boolean;
      /** Nothing more is asked of them before. */
      excludedUntil?: string;
    }
  | { kind: 'offer.reminded'; offer: number; to: PersonId; deadlineAt: string }
  | { kind: 'offer.withdrawn'; offer: number; to: PersonId; because: 'reassigned' | 'unavailable' | 'withdrawn' | 'safety' }
  /** A message about an offer did not get through on one channel. A fact beside the decision, never in it (CC-04). */
  | { kind: 'delivery.failed'; offer: number; to: PersonId; channel: LinkChannel; reason: string }
  /** No channel of the person is left, so nobody was asked (O-08). */
  | { kind: 'offer.undeliverable'; offer: number; to: PersonId }
  | { kind: 'offer.timed-out'; offer: number; to: PersonId; deadlineAt: string }
  | { kind: 'clarification.asked'; offer: number; by: PersonId; owedBy: PersonId; expiresAt: string }
  | {
      /** Its packet version is the new one, which holds the answer. */
      kind: 'clarification.answered';
      offer: number;
      by: PersonId;
      to: PersonId;
      deadlineAt: string;
      warnAt?: string;
      /** Why the new facts make it a matter of safety (E-04). */
      safety?: string;
    }
  | { kind: 'clarification.expired'; offer: number; owedBy: PersonId; expiresAt: string; raise: ExceptionClass }
  | { kind: 'duplicate.marked'; offer: number; by: PersonId; of: HandoffId; raise: ExceptionClass }
  | {
      /** Another source of the same request. Its packet version is the new one, which holds what it states. */
      kind: 'signal.linked';
      source: string;
      sourceEventId: string;
      occurredAt: string;
      evidence: readonly MatchEvidence[];
      /** Paths of facts that are new, and of those that it states otherwise. */
      added: readonly string[];
      conflicting: readonly string[];
      /** The handoff that a reviewer merged into this one. */
      merged?: HandoffId;
      /** What it says of a meeting. */
      meeting?: MeetingNews;
      safety?: string;
    }
  | { kind: 'duplicate.merged'; exception: number; by: PersonId; into: HandoffId }
  | { kind: 'duplicate.separated'; exception: number; by: PersonId; from: HandoffId }
  | { kind: 'exception.raised'; exception: number; class: ExceptionClass; owner: PersonId; backup: PersonId; respondBy: string; because: string }
  | { kind: 'exception.accepted'; exception: number; by: PersonId; reviewAt: string; channel: Channel }
  | { kind: 'exception.escalated'; exception: number; from: PersonId; to: PersonId; respondBy: string; because: 'no-response' | 'review-passed' | 'unavailable' }
  | { kind: 'exception.resolved'; exception: number; by: PersonId; resolution: 'assigned' | 'taken' | 'closed'; to?: PersonId }
  /** What the exception was about is no longer so: another source brought what was missing, the other of two requests was merged into this one, its owner put the facts right, or what the customer said since is a matter of safety, which goes first. It begins anew (E-01, E-03, E-04). */
  | { kind: 'exception.cleared'; exception: number; because: 'facts-arrived' | 'merged' | 'corrected' | 'safety'; paths?: readonly string[]; safety?: string }
  | { kind: 'next-step.confirmed'; by: PersonId; evidence: EvidenceKind }
  | { kind: 'next-step.overdue'; owner: PersonId; dueAt: string; graceUntil: string; raise: ExceptionClass }
  /** What was accepted goes through acceptance again (L-07, L-08), or to the owner of safety (E-04). */
  | { kind: 'ownership.ended'; owner: PersonId; because: 'overdue' | 'reassigned' | 'unavailable' | 'safety' }
  | { kind: 'handoff.reassigned'; to: PersonId; by: PersonId }
  /** A person works with the customer; whatever is automated steps aside at once (L-10). */
  | { kind: 'human.takeover'; person: PersonId }
  /** A generator's text was stored apart from the facts. */
  | { kind: 'packet.prepared'; generator: string; generatorVersion: string; parts: readonly GeneratedPart[] }
  /** A generator asked for more than a text; nothing was done. */
  | { kind: 'ai.refused'; generator: string; wanted: string }
  /** The system that is the authority on it says how it ended, as a code of its own. It moves nothing: an outcome follows a fact, it never makes one. */
  | { kind: 'outcome.recorded'; system: string; result: string; revenue?: Revenue }
  | { kind: 'handoff.closed'; outcome: Outcome; by: PersonId };

/** Money as the authoritative system states it: whole hundredths (or the currency's own smallest unit), and its code. Never worked out here. */
export type Revenue = { minorUnits: number; currency: string };

/** What a generator may propose; never a fact (P-02). */
export const GENERATED_PARTS = ['summary', 'draft', 'priority'] as const;
export type GeneratedPart = (typeof GENERATED_PARTS)[number];

/** What shows that a promised next step became real (a call, meeting or permitted follow-up that exists). */
export const EVIDENCE_KINDS = ['call', 'meeting', 'message', 'visit', 'quote'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export type FactKind = Fact['kind'];

/** One line of the log: a fact with its place, time and cause. Immutable once written. */
export type Receipt = Fact & {
  /** 1, 2, 3 … within the handoff, without gaps. */
  seq: number;
  at: string;
  commandId: CommandId;
  actor: Actor;
  packetVersion: number;
  contractVersion: string;
};

export type ReceiptOf<Kind extends FactKind> = Extract<Receipt, { kind: Kind }>;
