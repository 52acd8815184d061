// What staff may do to a handoff from outside its own links: move it, take it back, work with the customer, drop out (L-08, L-10).

import { holdsJob } from './authority.ts';
import type { Reassign, Release, TakeOver, Withdraw } from './command.ts';
import { type Decision, decided, illegal, refused } from './decision.ts';
import { ruleFor, successor } from './escalation.ts';
import { type Handoff, openException, pendingOffer } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { Policy } from './policy.ts';
import type { Fact } from './receipt.ts';
import { deadlineAfter, windowCalendars } from './window.ts';

/** Pending offers are withdrawn at once, accepted handoffs go through acceptance again, and an exception moves to the next named person. */
export function decideRelease(handoff: Handoff, { person }: Release, policy: Policy, now: string): Decision {
  const given = endOf(handoff, 'unavailable');
  if (given !== undefined && 'to' in given && given.to === person) return decided(given);
  if (given !== undefined && 'owner' in given && given.owner === person) return decided(given);
  const exception = openException(handoff);
  if (exception?.owner !== person) return { kind: 'already-done' };
  const rule = ruleFor(policy, exception.class);
  const to = successor(exception, rule, { policy, now });
  if (to === undefined) return refused('nobody-left');
  const respondBy = deadlineAfter(now, rule.respond, windowCalendars(policy));
  return decided({ kind: 'exception.escalated', exception: exception.number, from: person, to, respondBy, because: 'unavailable' });
}

/** The named person is asked like anybody else; every earlier link is dead from now on (CC-07). */
export function decideReassign(handoff: Handoff, { by, to }: Reassign, policy: Policy): Decision {
  if (!mayDirect(handoff, by, policy)) return refused('no-authority');
  if (!policy.roster.people.some((person) => person.id === to)) return refused('unknown-person');
  const holder = pendingOffer(handoff)?.to ?? handoff.ownership?.owner;
  if (holder === to || handoff.toAsk === to) return { kind: 'already-done' };
  const given = endOf(handoff, 'reassigned');
  const reassigned: Fact = { kind: 'handoff.reassigned', to, by };
  if (given !== undefined) return decided(given, reassigned);
  return illegal(handoff, 'handoff.reassigned') ?? decided(reassigned);
}

/** Ends the handoff for everybody, whatever stands; an exception is resolved by it. */
export function decideWithdraw(handoff: Handoff, { by }: Withdraw, policy: Policy): Decision {
  if (handoff.outcome !== undefined) return handoff.outcome.kind === 'withdrawn' ? { kind: 'already-done' } : { kind: 'no-longer-open', because: 'closed' };
  if (!mayDirect(handoff, by, policy)) return refused('no-authority');
  const closed: Fact = { kind: 'handoff.closed', outcome: 'withdrawn', by };
  const offer = pendingOffer(handoff);
  if (offer !== undefined) return decided({ kind: 'offer.withdrawn', offer: offer.number, to: offer.to, because: 'withdrawn' }, closed);
  const exception = openException(handoff);
  if (exception !== undefined) return decided({ kind: 'exception.resolved', exception: exception.number, by, resolution: 'closed' }, closed);
  return illegal(handoff, 'handoff.closed') ?? decided(closed);
}

/** Anybody of the firm may work with a customer; nobody has to approve that. It is no acceptance. */
export function decideTakeOver(handoff: Handoff, { by }: TakeOver, policy: Policy): Decision {
  if (!policy.roster.people.some((person) => person.id === by)) return refused('unknown-person');
  if (handoff.takenOver?.person === by) return { kind: 'already-done' };
  return illegal(handoff, 'human.takeover') ?? decided({ kind: 'human.takeover', person: by });
}

/** The fact that takes a handoff away from whoever is asked or owns it. */
function endOf(handoff: Handoff, because: 'reassigned' | 'unavailable'): Extract<Fact, { kind: 'offer.withdrawn' | 'ownership.ended' }> | undefined {
  const offer = pendingOffer(handoff);
  if (offer !== undefined) return { kind: 'offer.withdrawn', offer: offer.number, to: offer.to, because };
  if (handoff.ownership === undefined || illegal(handoff, 'ownership.ended') !== undefined) return undefined;
  return { kind: 'ownership.ended', owner: handoff.ownership.owner, because };
}

/** Who may direct a handoff: whoever is accountable for it now, its intake lead, and those whom the contract names to decide or to take over. */
function mayDirect(handoff: Handoff, by: PersonId, { contract, roster }: Policy): boolean {
  const { intakeLead, responsible } = contract;
  return handoff.custodian === by || [intakeLead, responsible.decisionOwner, responsible.incidentOwner].some((job) => holdsJob(by, job, roster));
}
