// What the holder of a link is told and may do now (O-04). Derived from the row each time; never stored.

import { decidePerson } from '../../shared/domain/decide-person.ts';
import { type Handoff, type Offer, type Ownership, offerUntil, openException, type RaisedException } from '../../shared/domain/handoff.ts';
import { commandId, type PersonId } from '../../shared/domain/ids.ts';
import type { Outcome, Policy, RejectReason } from '../../shared/domain/policy.ts';
import type { LinkTarget } from '../../shared/ports/handoff-store.ts';

export type Standing =
  /** A yes would be taken now. Late: the deadline passed, nobody else said yes, and only a yes is possible. */
  | { kind: 'offer-open'; offer: Offer; late: boolean }
  | { kind: 'owner'; ownership: Ownership; mayConfirm: boolean; overdue: boolean; confirmedAt?: string }
  | { kind: 'owned-by-another'; owner: PersonId; since: string; what: 'handoff' | 'exception' }
  | { kind: 'offer-ended'; because: 'timed-out' | 'rejected' | 'duplicate' | 'superseded' | 'returned' | 'withdrawn' | 'undeliverable'; at: string; reason?: RejectReason }
  /** An answer is owed to the question of this offer, by the holder of the link. */
  | { kind: 'question-open'; offer: Offer; expiresAt: string }
  | { kind: 'question-over' }
  | { kind: 'exception-open'; exception: RaisedException }
  | { kind: 'exception-owner'; exception: RaisedException }
  | { kind: 'exception-moved'; to: PersonId }
  | { kind: 'exception-resolved'; at: string }
  | { kind: 'closed'; outcome: Outcome; by: PersonId; at: string; owner: boolean };

/** Which answers the page offers where. An offer that is late takes only a yes. */
export const ANSWERS: Readonly<Record<Standing['kind'], readonly string[]>> = {
  'offer-open': ['accept', 'reject', 'ask-clarification', 'mark-duplicate'],
  owner: ['confirm-next-step', 'close'],
  'owned-by-another': [],
  'offer-ended': [],
  'question-open': ['answer-question'],
  'question-over': [],
  'exception-open': ['accept-exception'],
  'exception-owner': ['correct', 'assign', 'take', 'close', 'merge-duplicate', 'separate-duplicate'],
  'exception-moved': [],
  'exception-resolved': [],
  closed: [],
};

/** Where the holder of this link stands at `now`. */
export function standing(handoff: Handoff, link: LinkTarget, policy: Policy, now: string): Standing {
  const { outcome, ownership } = handoff;
  if (outcome !== undefined) return { kind: 'closed', outcome: outcome.kind, by: outcome.by, at: outcome.at, owner: ownership?.owner === link.person };
  switch (link.purpose) {
    case 'exception':
      return exceptionStanding(handoff, link);
    case 'clarification':
      return questionStanding(handoff, link, now);
    case 'offer':
      return offerStanding(handoff, link, policy, now);
  }
}

function questionStanding(handoff: Handoff, link: LinkTarget, now: string): Standing {
  const offer = handoff.offers.find((one) => one.number === link.number);
  const owed = offer?.clarification;
  if (offer === undefined || owed === undefined || owed.owedBy !== link.person || now >= owed.expiresAt) return { kind: 'question-over' };
  return { kind: 'question-open', offer, expiresAt: owed.expiresAt };
}

function exceptionStanding(handoff: Handoff, link: LinkTarget): Standing {
  const exception = handoff.exceptions.find((one) => one.number === link.number);
  if (exception === undefined) throw new Error(`handoff ${handoff.id} has a link for an exception it never raised`);
  if (exception.resolvedAt !== undefined) return owned(handoff, link.person) ?? { kind: 'exception-resolved', at: exception.resolvedAt };
  if (exception.owner !== link.person) return { kind: 'exception-moved', to: exception.owner };
  return exception.acceptedAt === undefined ? { kind: 'exception-open', exception } : { kind: 'exception-owner', exception };
}

function offerStanding(handoff: Handoff, link: LinkTarget, policy: Policy, now: string): Standing {
  const offer = handoff.offers.find((one) => one.number === link.number);
  if (offer === undefined) throw new Error(`handoff ${handoff.id} has a link for an offer it never made`);
  const held = owned(handoff, link.person);
  if (held !== undefined) return held;
  const exception = openException(handoff);
  if (exception?.acceptedAt !== undefined && exception.owner !== link.person)
    return { kind: 'owned-by-another', owner: exception.owner, since: exception.acceptedAt, what: 'exception' };
  if (mayAccept(handoff, offer, policy, now)) return { kind: 'offer-open', offer, late: offer.status === 'timed-out' || now >= offerUntil(offer) };
  return ended(offer);
}

function owned(handoff: Handoff, person: PersonId): Standing | undefined {
  const { ownership, nextStep, overdue, state } = handoff;
  if (ownership === undefined) return undefined;
  if (ownership.owner !== person) return { kind: 'owned-by-another', owner: ownership.owner, since: ownership.acceptedAt, what: 'handoff' };
  const overdueNow = overdue !== undefined && state === 'accepted';
  return { kind: 'owner', ownership, mayConfirm: state === 'accepted', overdue: overdueNow, ...(nextStep !== undefined && { confirmedAt: nextStep.confirmedAt }) };
}

/** Asks the domain what a sound yes would lead to, so that the page never offers what `decidePerson` would refuse. */
function mayAccept(handoff: Handoff, offer: Offer, policy: Policy, now: string): boolean {
  const yes = {
    kind: 'accept',
    commandId: commandId('what-if'),
    by: offer.to,
    channel: 'console',
    offer: offer.number,
    nextAction: policy.contract.accept.nextActions[0] ?? '',
    dueAt: new Date(Date.parse(now) + 1000).toISOString(),
    seenPacketVersion: handoff.packetVersion,
  } as const;
  return decidePerson(handoff, yes, policy, now).kind === 'decided';
}

function ended(offer: Offer): Standing {
  const at = offer.endedAt ?? offer.deadlineAt;
  switch (offer.status) {
    case 'rejected':
      return { kind: 'offer-ended', because: 'rejected', at, ...(offer.reason !== undefined && { reason: offer.reason }) };
    case 'duplicate':
    case 'superseded':
    case 'withdrawn':
    case 'undeliverable':
      return { kind: 'offer-ended', because: offer.status, at };
    case 'accepted':
      return { kind: 'offer-ended', because: 'returned', at };
    case 'pending':
    case 'clarifying':
    case 'timed-out':
      return { kind: 'offer-ended', because: 'timed-out', at };
  }
}
