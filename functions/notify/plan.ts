// Whom a receipt concerns, whether it still does, and what they are told.

import { type Handoff, type Ownership, openException, pendingOffer } from '../../shared/domain/handoff.ts';
import type { PersonId } from '../../shared/domain/ids.ts';
import type { Urgency } from '../../shared/domain/message-limit.ts';
import type { Receipt, ReceiptOf } from '../../shared/domain/receipt.ts';
import type { IssuedLink, LoadedHandoff, Note } from '../../shared/ports/handoff-store.ts';
import {
  acceptedMessage,
  answeredMessage,
  clearedMessage,
  exceptionMessage,
  linkedMessage,
  type Message,
  offerMessage,
  overdueMessage,
  questionMessage,
  reminderMessage,
  type Subject,
  takenMessage,
  withdrawnMessage,
} from './compose.ts';

/** What the message's link answers. */
type LinkOf = { purpose: IssuedLink['purpose']; number: number };

export type Plan =
  /** Nobody needs to hear of this receipt. */
  | { kind: 'nobody' }
  /** It was overtaken: telling them now would mislead (CC-09). */
  | { kind: 'stale'; to: PersonId; because: string }
  /** The message carries the first of `links` that was issued; none when the list is empty. After `until` it is of no use any more. */
  | { kind: 'tell'; to: PersonId; urgency: Urgency; until?: string; links: readonly LinkOf[]; compose: (subject: Subject) => Message };

type Tell = Extract<Plan, { kind: 'tell' }>;
/** News that may wait for a place in the hour. */
const tells = (to: PersonId, links: readonly LinkOf[], compose: Tell['compose']): Tell => ({ kind: 'tell', to, urgency: 'tells', links, compose });
/** What no limit may hold: exceptions and escalations, questions whose time runs, and the answer to a yes (O-09). */
const always = (to: PersonId, links: readonly LinkOf[], compose: Tell['compose']): Tell => ({ kind: 'tell', to, urgency: 'always', links, compose });

/** The plan for a receipt, judged on the row as it is now. */
export function planFor(receipt: Receipt, { handoff }: LoadedHandoff, notes: readonly Note[], now: string): Plan {
  switch (receipt.kind) {
    case 'acceptance.requested':
    case 'backup.requested':
      return asked(handoff, receipt, now);
    case 'offer.reminded':
      return reminded(handoff, receipt, now);
    case 'exception.raised':
    case 'exception.escalated':
      return raised(handoff, receipt);
    case 'offer.accepted':
      return accepted(handoff, receipt);
    case 'offer.superseded':
      return superseded(handoff, receipt);
    case 'exception.cleared':
      return cleared(handoff, receipt);
    case 'signal.linked':
      return linked(handoff, receipt);
    case 'clarification.asked':
      return questioned(handoff, receipt, notes);
    case 'clarification.answered':
      return answered(handoff, receipt, now);
    case 'offer.withdrawn':
      return tells(receipt.to, [{ purpose: 'offer', number: receipt.offer }], (subject) => withdrawnMessage(subject, receipt));
    case 'ownership.ended':
      return ended(handoff, receipt);
    case 'next-step.overdue':
      return overdue(handoff, receipt);
    default:
      return { kind: 'nobody' };
  }
}

function asked(handoff: Handoff, receipt: ReceiptOf<'acceptance.requested' | 'backup.requested'>, now: string): Plan {
  const { to, offer, deadlineAt } = receipt;
  if (pendingOffer(handoff)?.number !== offer || now >= deadlineAt) return { kind: 'stale', to, because: 'the offer is over' };
  return { kind: 'tell', to, urgency: 'asks', until: deadlineAt, links: [{ purpose: 'offer', number: offer }], compose: (subject) => offerMessage(subject, receipt) };
}

/** A reminder that comes when the answer is there, or the time is over, would be wrong (CC-05). */
function reminded(handoff: Handoff, receipt: ReceiptOf<'offer.reminded'>, now: string): Plan {
  const { to, offer, deadlineAt } = receipt;
  if (pendingOffer(handoff)?.number !== offer || now >= deadlineAt) return { kind: 'stale', to, because: 'the offer is over' };
  return { kind: 'tell', to, urgency: 'reminds', until: deadlineAt, links: [{ purpose: 'offer', number: offer }], compose: (subject) => reminderMessage(subject, receipt) };
}

function raised(handoff: Handoff, receipt: ReceiptOf<'exception.raised' | 'exception.escalated'>): Plan {
  const to = receipt.kind === 'exception.raised' ? receipt.owner : receipt.to;
  const open = openException(handoff);
  if (open?.number !== receipt.exception || open.owner !== to || open.acceptedAt !== undefined) return { kind: 'stale', to, because: 'the exception moved on' };
  return always(to, [{ purpose: 'exception', number: receipt.exception }], (subject) => exceptionMessage(subject, receipt));
}

function accepted(handoff: Handoff, receipt: ReceiptOf<'offer.accepted'>): Plan {
  const { ownership } = handoff;
  if (ownership?.owner !== receipt.by || ownership.offer !== receipt.offer) return { kind: 'stale', to: receipt.by, because: 'the ownership moved on' };
  return always(receipt.by, linksOfOwner(handoff, ownership), (subject) => acceptedMessage(subject, receipt));
}

function superseded(handoff: Handoff, receipt: ReceiptOf<'offer.superseded'>): Plan {
  const to = handoff.offers.find((offer) => offer.number === receipt.offer)?.to;
  if (to === undefined) return { kind: 'nobody' };
  return tells(to, [{ purpose: 'offer', number: receipt.offer }], (subject) => takenMessage(subject, receipt));
}

function cleared(handoff: Handoff, receipt: ReceiptOf<'exception.cleared'>): Plan {
  const exception = handoff.exceptions.find((one) => one.number === receipt.exception);
  if (exception === undefined || receipt.because === 'corrected') return { kind: 'nobody' }; // who put it right knows
  return tells(exception.owner, [{ purpose: 'exception', number: exception.number }], (subject) => clearedMessage(subject, receipt));
}

function answered(handoff: Handoff, receipt: ReceiptOf<'clarification.answered'>, now: string): Plan {
  const { to, offer, deadlineAt } = receipt;
  if (pendingOffer(handoff)?.number !== offer || now >= deadlineAt) return { kind: 'stale', to, because: 'the offer is over' };
  return { ...tells(to, [{ purpose: 'offer', number: offer }], (subject) => answeredMessage(subject, receipt)), until: deadlineAt };
}

function questioned(handoff: Handoff, receipt: ReceiptOf<'clarification.asked'>, notes: readonly Note[]): Plan {
  const to = receipt.owedBy;
  if (pendingOffer(handoff)?.number !== receipt.offer) return { kind: 'stale', to, because: 'the offer is over' };
  if (pendingOffer(handoff)?.clarification === undefined) return { kind: 'stale', to, because: 'the question is answered' };
  const question = notes.find((note) => note.seq === receipt.seq && note.kind === 'question')?.text ?? '';
  return always(to, [{ purpose: 'clarification', number: receipt.offer }], (subject) => questionMessage(subject, receipt, question));
}

function ended(handoff: Handoff, receipt: ReceiptOf<'ownership.ended'>): Plan {
  const offer = handoff.offers.findLast((one) => one.to === receipt.owner && one.status === 'withdrawn');
  return tells(receipt.owner, offer === undefined ? [] : [{ purpose: 'offer', number: offer.number }], (subject) => withdrawnMessage(subject, receipt));
}

/** Whoever holds the handoff, and was told of it before, hears that there is more to know; nobody else does, and the customer hears nothing (D-01). */
function linked(handoff: Handoff, receipt: ReceiptOf<'signal.linked'>): Plan {
  const tell = (to: PersonId, links: readonly LinkOf[]) => tells(to, links, (subject) => linkedMessage(subject, receipt));
  const { ownership } = handoff;
  if (ownership !== undefined) return tell(ownership.owner, linksOfOwner(handoff, ownership));
  const offer = pendingOffer(handoff);
  if (offer !== undefined) return offer.packetVersion >= receipt.packetVersion ? { kind: 'nobody' } : tell(offer.to, [{ purpose: 'offer', number: offer.number }]);
  const exception = openException(handoff);
  return exception === undefined || exception.raisedAt >= receipt.at ? { kind: 'nobody' } : tell(exception.owner, [{ purpose: 'exception', number: exception.number }]);
}

/** Without a reminder in the contract, the passed time is a fact and no message. */
function overdue(handoff: Handoff, receipt: ReceiptOf<'next-step.overdue'>): Plan {
  const { ownership, state } = handoff;
  if (receipt.graceUntil <= receipt.at) return { kind: 'nobody' };
  const stands = state === 'accepted' && handoff.overdue !== undefined && ownership?.owner === receipt.owner && ownership.dueAt === receipt.dueAt;
  if (!stands) return { kind: 'stale', to: receipt.owner, because: 'the next step is no longer overdue' };
  return { ...tells(receipt.owner, linksOfOwner(handoff, ownership), (subject) => overdueMessage(subject, receipt)), until: receipt.graceUntil };
}

/** An owner answers through the link of the accepted offer; who took it out of an exception, through the link of that exception. */
function linksOfOwner({ exceptions }: Handoff, { owner, offer }: Ownership): LinkOf[] {
  const own = exceptions.filter((exception) => exception.owner === owner).map(({ number }): LinkOf => ({ purpose: 'exception', number }));
  return [{ purpose: 'offer', number: offer }, ...own.reverse()];
}
