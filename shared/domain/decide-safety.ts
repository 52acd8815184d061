// Facts that came later may turn a request into a matter of safety: whoever holds it lets go, and its exception is raised before anything else (E-04).

import { type Handoff, openException, pendingOffer } from './handoff.ts';
import type { Fact } from './receipt.ts';

/**
 * What the receipt of the new facts says, and what follows it in the same transaction. A yes is no shelter: what somebody promised
 * for tomorrow must not hold up what is urgent now. Nothing follows where the owner of safety looks at it already.
 */
export function safetyFirst(handoff: Handoff, safety: string | undefined): { said: { safety?: string }; then: Fact[] } {
  const exception = openException(handoff);
  if (safety === undefined || isSafety(exception) || isSafety(handoff.toRaise)) return { said: {}, then: [] };
  const said = { safety };
  if (exception !== undefined) return { said, then: [{ kind: 'exception.cleared', exception: exception.number, because: 'safety' }] };
  const offer = pendingOffer(handoff);
  if (offer !== undefined) return { said, then: [{ kind: 'offer.withdrawn', offer: offer.number, to: offer.to, because: 'safety' }] };
  if (handoff.ownership !== undefined) return { said, then: [{ kind: 'ownership.ended', owner: handoff.ownership.owner, because: 'safety' }] };
  return { said, then: [] };
}

/** Whether this is an exception of safety, raised or demanded. */
export const isSafety = (exception: { class: string } | undefined): boolean => exception?.class === 'safety-urgent';
