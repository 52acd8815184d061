// What people and the workflow may wish for. A command is a wish; only `decide` turns it into facts.

import type { CommandId, HandoffId, PersonId } from './ids.ts';
import type { LinkChannel } from './link.ts';
import type { Load } from './load.ts';
import type { MatchEvidence } from './matching.ts';
import type { MeetingNews } from './meeting-facts.ts';
import type { Packet } from './packet.ts';
import type { ExceptionClass, Outcome, RejectReason } from './policy.ts';
import type { Channel, EvidenceKind, GeneratedPart, Revenue } from './receipt.ts';

type FromPerson = { commandId: CommandId; by: PersonId; channel: Channel };
type FromWorkflow = { commandId: CommandId };

export type ResolveCandidates = FromWorkflow & {
  kind: 'resolve-candidates';
  /** Open handoffs per person at this moment, for `least-open`. */
  openCounts: Readonly<Record<string, number>>;
  /** What the people carry who may be eligible: capacity taken, last turns. */
  loads?: Readonly<Record<string, Load>>;
  packet: Packet;
};
export type RequestAcceptance = FromWorkflow & { kind: 'request-acceptance' };
export type TimeOut = FromWorkflow & { kind: 'time-out' };
/** A person cannot answer for anything until further notice: whatever they were asked or own goes on (L-08). */
export type Release = FromWorkflow & { kind: 'release'; person: PersonId };
/** The promise stayed without evidence; the next candidate is asked. */
export type OfferAgain = FromWorkflow & { kind: 'offer-again' };
/** A provider says that a message about an offer did not get through. */
export type NoteUndelivered = FromWorkflow & { kind: 'note-undelivered'; offer: number; channel: LinkChannel; reason: string };
/** A generator's text arrived, or a wish that no generator may have. */
export type NotePrepared = FromWorkflow & { kind: 'note-prepared'; generator: string; generatorVersion: string; parts: readonly GeneratedPart[] };
export type RefuseGenerator = FromWorkflow & { kind: 'refuse-generator'; generator: string; wanted: string };
/** Staff name another person, who is asked, not told (CC-07). */
export type Reassign = FromPerson & { kind: 'reassign'; to: PersonId };
/** Staff take the whole handoff back: the customer no longer wants it, or it should not have been opened. */
export type Withdraw = FromPerson & { kind: 'withdraw' };
export type TakeOver = FromPerson & { kind: 'take-over' };

/** Nobody answered the seller's question in time. */
export type ExpireClarification = FromWorkflow & { kind: 'expire-clarification' };
/** The warning threshold of an offer passed without an answer. */
export type Remind = FromWorkflow & { kind: 'remind' };
export type NoteOverdue = FromWorkflow & { kind: 'note-overdue' };
export type RaiseException = FromWorkflow & {
  kind: 'raise-exception';
  /** Left out when the handoff itself says what to raise (`toRaise`, or nobody left to ask). */
  class?: ExceptionClass;
  because?: string;
};
export type EscalateException = FromWorkflow & { kind: 'escalate-exception' };

/** A person says yes to a next action and a due time: the only thing that stops the ownership clock (L-04). */
export type Accept = FromPerson & { kind: 'accept'; offer: number; nextAction: string; dueAt: string; seenPacketVersion: number };
export type Reject = FromPerson & { kind: 'reject'; offer: number; reason: RejectReason; field?: string; explained: boolean };
export type AskClarification = FromPerson & { kind: 'ask-clarification'; offer: number };
/** The answer to a seller's question, from whoever owes it. Its words go into the next version of the packet. */
export type AnswerClarification = FromPerson & { kind: 'answer-clarification'; offer: number; safety?: string };
export type MarkDuplicate = FromPerson & { kind: 'mark-duplicate'; offer: number; of: HandoffId };
/** Another source of the same request arrived, or a reviewer found one. */
export type LinkSignal = FromWorkflow & {
  kind: 'link-signal';
  source: string;
  sourceEventId: string;
  occurredAt: string;
  evidence: readonly MatchEvidence[];
  added: readonly string[];
  conflicting: readonly string[];
  merged?: HandoffId;
  meeting?: MeetingNews;
  /** Why what it states makes the request a matter of safety. So wherever the packet gets a new version (E-04). */
  safety?: string;
};
/** The reviewer compared two requests: they are one, or they are two. */
export type MergeDuplicate = FromPerson & { kind: 'merge-duplicate'; exception: number };
export type SeparateDuplicate = FromPerson & { kind: 'separate-duplicate'; exception: number };
export type AcceptException = FromPerson & { kind: 'accept-exception'; exception: number };
export type ResolveException = FromPerson & {
  kind: 'resolve-exception';
  exception: number;
  how:
    | { resolution: 'assign'; to: PersonId }
    | { resolution: 'take'; nextAction: string; dueAt: string }
    | { resolution: 'close'; outcome: Outcome }
    /** `paths` are the facts that change, none when the stated ones are confirmed; `seenPacketVersion` is what the person looked at. */
    | { resolution: 'correct'; paths: readonly string[]; seenPacketVersion: number; safety?: string };
};
/** A system outside, such as a CRM, says how it ended. */
export type RecordOutcome = FromWorkflow & { kind: 'record-outcome'; system: string; result: string; revenue?: Revenue };
export type ConfirmNextStep = FromPerson & { kind: 'confirm-next-step'; evidence: EvidenceKind };
export type Close = FromPerson & { kind: 'close'; outcome: Outcome };

export type Command =
  | ResolveCandidates
  | RequestAcceptance
  | TimeOut
  | Remind
  | NoteOverdue
  | RaiseException
  | EscalateException
  | Accept
  | Reject
  | AskClarification
  | AnswerClarification
  | ExpireClarification
  | MarkDuplicate
  | LinkSignal
  | MergeDuplicate
  | SeparateDuplicate
  | AcceptException
  | ResolveException
  | Release
  | OfferAgain
  | NoteUndelivered
  | NotePrepared
  | RefuseGenerator
  | Reassign
  | Withdraw
  | TakeOver
  | RecordOutcome
  | ConfirmNextStep
  | Close;
