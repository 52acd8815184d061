// Which receipt moved a handoff last, read off the row: the report names it without reading any log (M-04, M-05).

import { type Handoff, openException, pendingOffer } from './handoff.ts';
import type { FactKind } from './receipt.ts';

/** Kind of the last receipt; it was written at `changedAt`. */
export function lastReceiptKind(handoff: Handoff): FactKind {
  switch (handoff.state) {
    case 'ready':
      return 'handoff.opened';
    case 'candidates-resolved':
      return betweenOffers(handoff);
    case 'acceptance-requested':
    case 'backup-requested':
      return asked(handoff);
    case 'accepted':
      return accepted(handoff);
    case 'next-step-confirmed':
      return 'next-step.confirmed';
    case 'exception':
      return raised(handoff);
    case 'closed':
      return 'handoff.closed';
  }
}

function betweenOffers(handoff: Handoff): FactKind {
  if (handoff.toAsk !== undefined) return 'exception.resolved';
  switch (handoff.offers.at(-1)?.status) {
    case 'rejected':
      return 'offer.rejected';
    case 'duplicate':
      return 'duplicate.marked';
    case 'timed-out':
      return 'offer.timed-out';
    default:
      return 'candidates.resolved';
  }
}

function asked(handoff: Handoff): FactKind {
  if (pendingOffer(handoff)?.clarificationAskedAt !== undefined) return 'clarification.asked';
  return handoff.state === 'acceptance-requested' ? 'acceptance.requested' : 'backup.requested';
}

function accepted(handoff: Handoff): FactKind {
  if (handoff.overdue !== undefined) return 'next-step.overdue';
  const acceptedAt = handoff.ownership?.acceptedAt;
  return handoff.offers.some((offer) => offer.status === 'superseded' && offer.endedAt === acceptedAt) ? 'offer.superseded' : 'offer.accepted';
}

function raised(handoff: Handoff): FactKind {
  const exception = openException(handoff);
  if (exception?.acceptedAt !== undefined) return 'exception.accepted';
  return exception !== undefined && exception.earlierOwners.length > 0 ? 'exception.escalated' : 'exception.raised';
}
