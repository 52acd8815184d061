// What people and the workflow may wish for. A command is a wish; only `decide` turns it into facts.

import type { CommandId, HandoffId, PersonId } from './ids.ts';
import type { Packet } from './packet.ts';
import type { ExceptionClass, Outcome, RejectReason } from './policy.ts';
import type { Channel, EvidenceKind } from './receipt.ts';

type FromPerson = { commandId: CommandId; by: PersonId; channel: Channel };
type FromWorkflow = { commandId: CommandId };

export type ResolveCandidates = FromWorkflow & {
  kind: 'resolve-candidates';
  /** Open handoffs per person at this moment, for `least-open`. */
  openCounts: Readonly<Record<string, number>>;
  packet: Packet;
};
export type RequestAcceptance = FromWorkflow & { kind: 'request-acceptance' };
export type TimeOut = FromWorkflow & { kind: 'time-out' };
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
export type AnswerClarification = FromPerson & { kind: 'answer-clarification'; offer: number };
export type MarkDuplicate = FromPerson & { kind: 'mark-duplicate'; offer: number; of: HandoffId };
export type AcceptException = FromPerson & { kind: 'accept-exception'; exception: number };
export type ResolveException = FromPerson & {
  kind: 'resolve-exception';
  exception: number;
  how: { resolution: 'assign'; to: PersonId } | { resolution: 'take'; nextAction: string; dueAt: string } | { resolution: 'close'; outcome: Outcome };
};
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
  | AcceptException
  | ResolveException
  | ConfirmNextStep
  | Close;
