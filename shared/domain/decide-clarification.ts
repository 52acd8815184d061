// A question before a yes or no is a state with its own clock: somebody named owes the answer, and the customer's clock runs on (O-06).

import { askedBy } from './answer-window.ts';
import type { AnswerClarification, AskClarification, ExpireClarification } from './command.ts';
import { answerable } from './decide-answer.ts';
import { safetyFirst } from './decide-safety.ts';
import { type Decision, decided, illegal, refused } from './decision.ts';
import { type Handoff, pendingOffer } from './handoff.ts';
import type { PersonId } from './ids.ts';
import { offerWindow } from './offer-window.ts';
import { type ClarificationRule, NO_CLARIFICATION_RULE, type Policy } from './policy.ts';
import { deadlineAfter, windowCalendars } from './window.ts';

/** How many questions, answered by whom, in which time. */
export const clarificationRule = ({ contract }: Pick<Policy, 'contract'>): ClarificationRule => contract.clarification ?? NO_CLARIFICATION_RULE;

/** The offer's window stands still while somebody else owes an answer; the person who asked may still say yes or no. */
export function decideClarification(handoff: Handoff, command: AskClarification, policy: Policy, now: string): Decision {
  const offer = answerable(handoff, command, now);
  if ('kind' in offer) return offer;
  if (offer.status === 'clarifying') return { kind: 'already-done' };
  const { limit, expires } = clarificationRule(policy);
  if ((offer.questions ?? 0) >= limit) return refused('question-limit');
  return decided({
    kind: 'clarification.asked',
    offer: offer.number,
    by: command.by,
    owedBy: owing(handoff, policy),
    expiresAt: deadlineAfter(now, expires, windowCalendars(policy)),
  });
}

/** The answer makes a new version of the packet for the same offer, whose whole window begins again (P-03); unless it tells of danger, which goes before every offer (E-04). */
export function decideClarificationAnswer(handoff: Handoff, command: AnswerClarification, policy: Policy, now: string): Decision {
  const offer = handoff.offers.find((one) => one.number === command.offer);
  if (offer === undefined) return refused('unknown-offer');
  if (offer.clarification === undefined || offer.status !== 'clarifying') return { kind: 'no-longer-open', because: 'answered' };
  if (offer.clarification.owedBy !== command.by) return refused('not-the-person-asked');
  if (now >= offer.clarification.expiresAt) return { kind: 'no-longer-open', because: 'timed-out' };
  const { deadlineAt, warnAt } = offerWindow(offer.step, askedBy(handoff, policy), now);
  const { said, then } = safetyFirst(handoff, command.safety, { policy, now });
  return decided({ kind: 'clarification.answered', offer: offer.number, by: command.by, to: offer.to, deadlineAt, ...(warnAt !== undefined && { warnAt }), ...said }, ...then);
}

/** A question that nobody answered is nobody's no: the offer is withdrawn and a person looks at it. */
export function decideClarificationExpiry(handoff: Handoff, _command: ExpireClarification, _policy: Policy, now: string): Decision {
  const offer = pendingOffer(handoff);
  if (offer === undefined) return illegal(handoff, 'clarification.expired') ?? { kind: 'already-done' };
  if (offer.clarification === undefined) return { kind: 'already-done' };
  const { owedBy, expiresAt } = offer.clarification;
  if (now < expiresAt) return { kind: 'not-yet', until: expiresAt };
  return decided({ kind: 'clarification.expired', offer: offer.number, owedBy, expiresAt, raise: 'clarification-expired' });
}

function owing(handoff: Handoff, policy: Policy): PersonId {
  const { answeredBy } = clarificationRule(policy);
  return answeredBy === 'intake' ? handoff.custodian : answeredBy;
}
