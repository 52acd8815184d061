// Facts that came later may turn a request into a matter of safety: whoever holds it lets go, and its exception is raised before anything else (E-04).

import { firstOwner, ruleFor } from './escalation.ts';
import { type Handoff, openException, pendingOffer } from './handoff.ts';
import { isSafety } from './joined-facts.ts';
import type { Policy } from './policy.ts';
import type { Fact } from './receipt.ts';
import { deadlineAfter, windowCalendars } from './window.ts';

type At = { policy: Policy; now: string };

/**
 * What the receipt of the new facts says, and what follows it in the same transaction: nobody holds the request, and the owner of
 * safety is told, without waiting for the machine. A yes is no shelter: what somebody promised for tomorrow must not hold up what
 * is urgent now. Nothing follows where that owner looks at it already. `cleared`: other facts end the open exception by themselves.
 */
export function safetyFirst(handoff: Handoff, safety: string | undefined, at: At, cleared = false): { said: { safety?: string }; then: Fact[] } {
  if (safety === undefined || isSafety(openException(handoff)) || isSafety(handoff.toRaise)) return { said: {}, then: [] };
  return { said: { safety }, then: [...(cleared ? [] : letGo(handoff)), raised(handoff, safety, at)] };
}

function letGo(handoff: Handoff): Fact[] {
  const exception = openException(handoff);
  if (exception !== undefined) return [{ kind: 'exception.cleared', exception: exception.number, because: 'safety' }];
  const offer = pendingOffer(handoff);
  if (offer !== undefined) return [{ kind: 'offer.withdrawn', offer: offer.number, to: offer.to, because: 'safety' }];
  return handoff.ownership === undefined ? [] : [{ kind: 'ownership.ended', owner: handoff.ownership.owner, because: 'safety' }];
}

function raised({ exceptions }: Handoff, because: string, { policy, now }: At): Fact {
  const rule = ruleFor(policy, 'safety-urgent');
  const respondBy = deadlineAfter(now, rule.respond, windowCalendars(policy));
  return { kind: 'exception.raised', exception: exceptions.length + 1, class: 'safety-urgent', owner: firstOwner(rule, { policy, now }), backup: rule.backup, respondBy, because };
}
