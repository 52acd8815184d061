// What the workflow asks for when nobody clicks: naming candidates, asking the next one, letting time pass.

import { askedBy, withWindow } from './answer-window.ts';
import type { NoteOverdue, OfferAgain, Remind, RequestAcceptance, ResolveCandidates, TimeOut } from './command.ts';
import { type Decision, decided, illegal } from './decision.ts';
import { type Handoff, offerUntil, pendingOffer } from './handoff.ts';
import { nextStep, overdueSteps } from './next-step.ts';
import { offerWindow } from './offer-window.ts';
import type { Policy } from './policy.ts';
import { recordOf } from './resolution-record.ts';
import { resolveCandidates } from './resolver.ts';
import { acceptanceStartsAt, deadlineAfter, windowCalendars } from './window.ts';

/** While the contract's calendar is closed, and its windows start at the next opening, duty is looked at then: whoever works in the next period may be asked (C-08). */
export function decideCandidates(handoff: Handoff, command: ResolveCandidates, policy: Policy, now: string): Decision {
  const wrongState = illegal(handoff, 'candidates.resolved');
  if (wrongState !== undefined) return handoff.candidates.length > 0 || handoff.state === 'candidates-resolved' ? { kind: 'already-done' } : wrongState;
  const { packet, openCounts, loads = {} } = command;
  const resolution = resolveCandidates({ packet, policy, openCounts, loads, earlier: handoff.offers, now: acceptanceStartsAt(policy, now) });
  return decided(recordOf(resolution, { policy, openCounts, loads, now }));
}

/** Asks one person, never several (O-07). An empty step was already left out by the resolver. */
export function decideRequest(handoff: Handoff, _command: RequestAcceptance, policy: Policy, now: string): Decision {
  if (pendingOffer(handoff) !== undefined) return { kind: 'already-done' };
  const wrongState = illegal(handoff, 'acceptance.requested');
  if (wrongState !== undefined) return wrongState;
  const next = nextStep(handoff, policy, now);
  if (next.kind !== 'request-acceptance') return { kind: 'not-in-this-state', state: handoff.state };
  const { startsAt, deadlineAt, warnAt } = offerWindow(next.step, askedBy(handoff, policy), now);
  return decided({
    kind: handoff.offers.length === 0 ? 'acceptance.requested' : 'backup.requested',
    offer: handoff.offers.length + 1,
    to: next.to,
    step: next.step,
    rule: withWindow(next.rule, handoff, policy),
    deadlineAt,
    ...(warnAt !== undefined && { warnAt }),
    ...(startsAt !== now && { startsAt }),
    ...(handoff.offers.length > 0 && handoff.toAsk === undefined && policy.contract.ask[next.step]?.order === 'fair-turn' && { turn: true }),
  });
}

/** The window closed without an answer. It competes for the row like any person's answer (SF-03). */
export function decideTimeOut(handoff: Handoff, _command: TimeOut, _policy: Policy, now: string): Decision {
  const offer = pendingOffer(handoff);
  if (offer === undefined) return illegal(handoff, 'offer.timed-out') ?? { kind: 'already-done' };
  if (offer.status === 'clarifying' || now < offer.deadlineAt) return { kind: 'not-yet', until: offerUntil(offer) };
  return decided({ kind: 'offer.timed-out', offer: offer.number, to: offer.to, deadlineAt: offer.deadlineAt });
}

/** The person who was asked is told once that little time is left; nothing else changes (O-07). */
export function decideRemind(handoff: Handoff, _command: Remind, _policy: Policy, now: string): Decision {
  const offer = pendingOffer(handoff);
  if (offer === undefined) return illegal(handoff, 'offer.reminded') ?? { kind: 'already-done' };
  if (offer.warnAt === undefined || offer.remindedAt !== undefined || offer.status === 'clarifying' || now >= offer.deadlineAt) return { kind: 'already-done' };
  if (now < offer.warnAt) return { kind: 'not-yet', until: offer.warnAt };
  return decided({ kind: 'offer.reminded', offer: offer.number, to: offer.to, deadlineAt: offer.deadlineAt });
}

/** The promised time passed without evidence (L-07). */
export function decideOverdue(handoff: Handoff, _command: NoteOverdue, policy: Policy, now: string): Decision {
  const wrongState = illegal(handoff, 'next-step.overdue');
  if (wrongState !== undefined) return wrongState;
  if (handoff.overdue !== undefined || handoff.ownership === undefined) return { kind: 'already-done' };
  const { owner, dueAt } = handoff.ownership;
  if (now < dueAt) return { kind: 'not-yet', until: dueAt };
  const { grace, class: raise } = policy.contract.accept.ifOverdue;
  const graceUntil = overdueSteps(policy).includes('remind') ? deadlineAfter(now, grace, windowCalendars(policy)) : now;
  return decided({ kind: 'next-step.overdue', owner, dueAt, graceUntil, raise });
}

/** Nothing showed that the promise was kept, so somebody else is asked (L-07). */
export function decideOfferAgain(handoff: Handoff, _command: OfferAgain, policy: Policy, now: string): Decision {
  const wrongState = illegal(handoff, 'ownership.ended');
  if (wrongState !== undefined) return wrongState;
  if (handoff.ownership === undefined || nextStep(handoff, policy, now).kind !== 'offer-again') return { kind: 'not-in-this-state', state: handoff.state };
  return decided({ kind: 'ownership.ended', owner: handoff.ownership.owner, because: 'overdue' });
}
