// What was tried before a person answers for a handoff: the history goes along with the responsibility (E-02).

import type { Handoff, Offer, RaisedException } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { RejectReason } from './policy.ts';

/** One person who had the handoff before, and what came of it. `unkept`: they said yes, and nothing shows that they did it. */
export type Attempt =
  | { person: PersonId; what: 'silent' | 'unkept' | 'withdrawn' | 'unreachable' | 'unsettled' }
  | { person: PersonId; what: 'said-no'; reason: RejectReason }
  | { person: PersonId; what: 'marked-duplicate' };

/** Everybody who was asked or answered for it before the present owner of the exception, in that order. */
export function attemptsBefore(handoff: Handoff, exception: Pick<RaisedException, 'raisedAt' | 'earlierOwners'>): Attempt[] {
  const offered = handoff.offers.filter((offer) => offer.requestedAt <= exception.raisedAt).flatMap(attemptOf);
  return [...offered, ...exception.earlierOwners.map((person): Attempt => ({ person, what: 'unsettled' }))];
}

/** Whether the exception is about a promise: somebody said yes, and nothing shows that they did what they promised. */
export const isUnkeptPromise = (handoff: Handoff, exception: RaisedException): boolean =>
  exception.class === 'nobody-answered' && handoff.offers.some(({ status, endedAt = '' }) => status === 'accepted' && endedAt <= exception.raisedAt);

function attemptOf({ to: person, status, reason }: Offer): Attempt[] {
  switch (status) {
    case 'rejected':
      return [{ person, what: 'said-no', reason: reason ?? 'other' }];
    case 'timed-out':
      return [{ person, what: 'silent' }];
    case 'accepted':
      return [{ person, what: 'unkept' }];
    case 'withdrawn':
      return [{ person, what: 'withdrawn' }];
    case 'undeliverable':
      return [{ person, what: 'unreachable' }];
    case 'duplicate':
      return [{ person, what: 'marked-duplicate' }];
    case 'superseded':
    case 'pending':
    case 'clarifying':
      return [];
  }
}
