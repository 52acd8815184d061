// What a handoff needs next. The workflow asks this after every wait, and so does reconcile: the table decides, the machine waits.

import { isUnavailable, ruleFor, successor } from './escalation.ts';
import { type Handoff, lastMovedAt, offerUntil, openException, pendingOffer } from './handoff.ts';
import type { PersonId } from './ids.ts';
import { meetingWithoutSeller } from './meeting.ts';
import type { ExceptionClass, OverdueStep, Policy } from './policy.ts';
import type { Candidate } from './receipt.ts';

/** Either something that is due now, or a wait with its end. */
export type NextStep =
  | { kind: 'resolve-candidates' }
  | { kind: 'request-acceptance'; to: PersonId; step: number; rule: string }
  | { kind: 'raise-exception'; class: ExceptionClass; because: string }
  | { kind: 'remind'; offer: number }
  | { kind: 'expire-clarification'; offer: number }
  | { kind: 'time-out'; offer: number }
  | { kind: 'escalate-exception'; exception: number }
  | { kind: 'note-overdue' }
  | { kind: 'offer-again' }
  | { kind: 'await'; wait: Wait; until: string }
  | { kind: 'done' };

/** What exactly is being waited for; two different waits never share a text. */
export type Wait = `offer:${number}` | `offer:${number}:${string}` | `exception:${number}:${PersonId}:${'respond' | 'review'}` | `next-step:${string}`;

/**
 * How long an exhausted escalation waits before it looks again. The orphan report lists it every day meanwhile.
 * A week keeps a year of silence far below the history limit of the waiting machine (SF-16).
 */
const LOOK_AGAIN_SECONDS = 7 * 24 * 60 * 60;

export function nextStep(handoff: Handoff, policy: Policy, now: string): NextStep {
  switch (handoff.state) {
    case 'ready':
      return handoff.toRaise === undefined ? { kind: 'resolve-candidates' } : { kind: 'raise-exception', ...handoff.toRaise };
    case 'candidates-resolved':
      return whomToAsk(handoff, policy, now);
    case 'acceptance-requested':
    case 'backup-requested':
      return offerStep(handoff, now);
    case 'exception':
      return exceptionStep(handoff, policy, now);
    case 'accepted':
      return promiseStep(handoff, policy, now);
    case 'next-step-confirmed':
    case 'closed':
      return { kind: 'done' };
  }
}

function whomToAsk(handoff: Handoff, policy: Policy, now: string): NextStep {
  if (handoff.toRaise !== undefined) return { kind: 'raise-exception', ...handoff.toRaise };
  if (handoff.toAsk !== undefined)
    return { kind: 'request-acceptance', to: handoff.toAsk, step: 0, rule: handoff.lastReceipt === 'handoff.reassigned' ? 'reassigned' : 'named by the exception owner' };
  const next = nextCandidate(handoff, policy, now);
  if (next !== undefined) return { kind: 'request-acceptance', to: next.person, step: next.step, rule: next.rule };
  if (handoff.offers.length === 0) return { kind: 'raise-exception', class: 'no-eligible-owner', because: 'nobody on the roster passed every rule' };
  if (handoff.offers.every((offer) => offer.status === 'undeliverable'))
    return { kind: 'raise-exception', class: 'undeliverable', because: 'nobody who could be asked could be reached' };
  const everyoneSaidNo = handoff.offers.every((offer) => offer.status === 'rejected');
  return everyoneSaidNo
    ? { kind: 'raise-exception', class: 'all-declined', because: 'everyone who was asked said no' }
    : { kind: 'raise-exception', class: 'nobody-answered', because: 'everyone who could be asked was asked' };
}

function offerStep(handoff: Handoff, now: string): NextStep {
  const offer = pendingOffer(handoff);
  if (offer === undefined) throw new Error(`handoff ${handoff.id} is ${handoff.state} without a pending offer`);
  if (offer.clarification !== undefined) {
    const { expiresAt } = offer.clarification;
    if (now >= expiresAt) return { kind: 'expire-clarification', offer: offer.number };
    return { kind: 'await', wait: `offer:${offer.number}:question:${offer.questions ?? 1}`, until: expiresAt };
  }
  if (now >= offer.deadlineAt) return { kind: 'time-out', offer: offer.number };
  const { warnAt, remindedAt, number, deadlineAt } = offer;
  const wait: Wait = offer.questions === undefined ? `offer:${number}` : `offer:${number}:again:${offer.questions}`;
  if (warnAt === undefined || remindedAt !== undefined || warnAt >= deadlineAt) return { kind: 'await', wait, until: deadlineAt };
  return now >= warnAt ? { kind: 'remind', offer: number } : { kind: 'await', wait: `${wait}:warn`, until: warnAt };
}

function exceptionStep(handoff: Handoff, policy: Policy, now: string): NextStep {
  const exception = openException(handoff);
  if (exception === undefined) throw new Error(`handoff ${handoff.id} is in exception without an open one`);
  const stage = exception.acceptedAt === undefined ? 'respond' : 'review';
  const due = stage === 'respond' ? exception.respondBy : (exception.reviewAt ?? exception.respondBy);
  const wait: Wait = `exception:${exception.number}:${exception.owner}:${stage}`;
  if (now < due) return { kind: 'await', wait, until: due };
  if (successor(exception, ruleFor(policy, exception.class), { policy, now }) !== undefined) return { kind: 'escalate-exception', exception: exception.number };
  return { kind: 'await', wait, until: new Date(Date.parse(now) + LOOK_AGAIN_SECONDS * 1000).toISOString() };
}

/** The first candidate who was not asked yet and is not known to be unavailable. */
function nextCandidate(handoff: Handoff, policy: Policy, now: string): Candidate | undefined {
  const asked = new Set(handoff.offers.map((offer) => offer.to));
  return handoff.candidates.find(({ person }) => !asked.has(person) && !isUnavailable(person, { policy, now }));
}

/** What the contract wants to happen when a promise stays without evidence. */
export const overdueSteps = ({ contract }: Pick<Policy, 'contract'>): readonly OverdueStep[] => contract.accept.ifOverdue.steps ?? ['remind', 'exception'];

function promiseStep(handoff: Handoff, policy: Policy, now: string): NextStep {
  const { ownership, overdue } = handoff;
  if (ownership === undefined) throw new Error(`handoff ${handoff.id} is accepted without an owner`);
  const until = overdue?.graceUntil ?? ownership.dueAt;
  if (now < until) return { kind: 'await', wait: `next-step:${until}`, until };
  if (overdue === undefined) return { kind: 'note-overdue' };
  if (overdueSteps(policy).includes('offer-again') && nextCandidate(handoff, policy, now) !== undefined) return { kind: 'offer-again' };
  return { kind: 'raise-exception', class: overdue.raise, because: 'the promised next step stayed without evidence' };
}

function untilOf(handoff: Handoff): string {
  const offer = pendingOffer(handoff);
  return offer === undefined ? handoff.changedAt : offerUntil(offer);
}

/** When a person should look at this handoff if nothing happens; undefined when there is nothing left to watch. A meeting that nobody holds is looked at from the start. Drives the sparse `open` index. */
export function attentionAt(handoff: Handoff): string | undefined {
  if (meetingWithoutSeller(handoff) !== undefined) return handoff.openedAt;
  switch (handoff.state) {
    case 'ready':
    case 'candidates-resolved':
      return lastMovedAt(handoff);
    case 'acceptance-requested':
    case 'backup-requested':
      return untilOf(handoff);
    case 'exception': {
      const exception = openException(handoff);
      return exception?.reviewAt ?? exception?.raisedAt ?? handoff.changedAt;
    }
    case 'accepted':
      return handoff.ownership?.dueAt ?? handoff.changedAt;
    case 'next-step-confirmed':
    case 'closed':
      return undefined;
  }
}
