// The four answers to an offer (O-01), and what follows ownership.

import type { Accept, Close, ConfirmNextStep, MarkDuplicate, Reject } from './command.ts';
import { type Decision, decided, heldBy, illegal, refused } from './decision.ts';
import { type Handoff, type Offer, offerUntil, openException, pendingOffer } from './handoff.ts';
import type { PersonId } from './ids.ts';
import { fromLocal, localParts, plusDays } from './local-time.ts';
import { readingFor } from './ownership-clock.ts';
import { FACT_PATHS } from './packet.ts';
import type { Policy } from './policy.ts';
import type { Fact } from './receipt.ts';
import { deadlineAfter, windowCalendars } from './window.ts';

/** First explicit yes wins; a late yes wins only while nobody else has said yes and the contract allows it (L-09). */
export function decideAccept(handoff: Handoff, command: Accept, policy: Policy, now: string): Decision {
  const held = heldBy(handoff, command.by);
  if (held !== undefined) return held;
  if (handoff.state === 'closed') return { kind: 'no-longer-open', because: 'closed' };

  const offer = handoff.offers.find((one) => one.number === command.offer);
  if (offer === undefined) return refused('unknown-offer');
  if (offer.to !== command.by) return refused('not-the-person-asked');
  if (offer.status !== 'pending' && offer.status !== 'clarifying' && offer.status !== 'timed-out') return ended(offer);

  const late = offer.status === 'timed-out' || now >= offerUntil(offer);
  if (late && !mayBeLate(handoff, policy)) return { kind: 'no-longer-open', because: 'timed-out' };

  const promise = checkPromise(command, policy, now);
  if (promise !== undefined) return promise;
  if (command.seenPacketVersion < handoff.packetVersion) return refused('packet-changed');

  const { by, nextAction, channel } = command;
  const dueAt = new Date(command.dueAt).toISOString();
  const proposedOwner = handoff.offers[0]?.to ?? by;
  const other = pendingOffer(handoff);
  const superseded: Fact[] = other === undefined || other.number === offer.number ? [] : [{ kind: 'offer.superseded', offer: other.number, by }];
  return decided(
    { kind: 'offer.accepted', offer: offer.number, by, proposedOwner, nextAction, dueAt, late, channel, ...readingFor(handoff, policy, now), ...capacityOf(policy, by) },
    ...superseded,
  );
}

/** A no with a factual reason; the contract says what it leads to (O-02). */
export function decideReject(handoff: Handoff, command: Reject, policy: Policy, now: string): Decision {
  const offer = answerable(handoff, command, now);
  if ('kind' in offer) return offer;
  if (command.reason === 'other' && !command.explained) return refused('explanation-missing');
  if (command.reason === 'missing-required-field' && !isFact(command.field)) return refused('field-missing');
  const field = command.reason === 'missing-required-field' ? command.field : undefined;
  const consequence = policy.contract.reject[command.reason];
  const excludedUntil = consequence.then === 'next-candidate' && consequence.exclude === 'today' ? endOfDay(policy, command.by, now) : undefined;
  return decided({
    kind: 'offer.rejected',
    offer: offer.number,
    by: command.by,
    reason: command.reason,
    flagRule: consequence.flagRule,
    ...(field !== undefined && { field }),
    ...(consequence.then === 'exception' && { raise: consequence.class }),
    ...(excludedUntil !== undefined && { excludedUntil }),
  });
}

/** "This is the same request as that one": goes to the duplicate's exception owner, nothing is merged or dropped here (D-01). */
export function decideDuplicate(handoff: Handoff, command: MarkDuplicate, policy: Policy, now: string): Decision {
  const offer = answerable(handoff, command, now);
  if ('kind' in offer) return offer;
  if (command.of === handoff.id) return refused('same-handoff');
  const consequence = policy.contract.reject.duplicate;
  const raise = consequence.then === 'exception' ? consequence.class : 'possible-duplicate';
  return decided({ kind: 'duplicate.marked', offer: offer.number, by: command.by, of: command.of, raise });
}

/** The promised step became real (L-07). Only its owner can say so. */
export function decideConfirm(handoff: Handoff, command: ConfirmNextStep): Decision {
  if (handoff.nextStep !== undefined && handoff.ownership?.owner === command.by) return { kind: 'already-done' };
  const wrongState = illegal(handoff, 'next-step.confirmed');
  if (wrongState !== undefined) return wrongState;
  const held = heldBy(handoff, command.by);
  if (held?.kind !== 'already-yours') return held ?? refused('not-the-person-asked');
  return decided({ kind: 'next-step.confirmed', by: command.by, evidence: command.evidence });
}

/** A factual end, stated by the custodian. */
export function decideClose(handoff: Handoff, command: Close): Decision {
  if (handoff.outcome !== undefined) return handoff.outcome.kind === command.outcome ? { kind: 'already-done' } : { kind: 'no-longer-open', because: 'closed' };
  if (openException(handoff) !== undefined) return { kind: 'not-in-this-state', state: handoff.state };
  const wrongState = illegal(handoff, 'handoff.closed');
  if (wrongState !== undefined) return wrongState;
  if (handoff.custodian !== command.by) return refused('not-the-person-asked');
  return decided({ kind: 'handoff.closed', outcome: command.outcome, by: command.by });
}

/** The limit that the write of a yes keeps; nothing for whoever has none. */
export function capacityOf(policy: Policy, owner: PersonId): { capacity?: number } {
  const capacity = policy.roster.people.find((person) => person.id === owner)?.capacity;
  return capacity === undefined ? {} : { capacity };
}

/** Midnight where the person is; undefined for somebody who left the roster. */
function endOfDay(policy: Policy, who: PersonId, now: string): string | undefined {
  const zone = policy.roster.people.find((person) => person.id === who)?.zone;
  return zone === undefined ? undefined : fromLocal(`${plusDays(localParts(now, zone).date, 1)}T00:00`, zone).instant;
}

/** A next action that the contract knows, and a due time that is an instant ahead but within the contract's limit. */
export function checkPromise(promise: { nextAction: string; dueAt: string }, policy: Policy, now: string): Decision | undefined {
  const { accept } = policy.contract;
  if (!accept.nextActions.includes(promise.nextAction)) return refused('unknown-next-action');
  const due = INSTANT.test(promise.dueAt) ? Date.parse(promise.dueAt) : Number.NaN;
  if (!(due > Date.parse(now))) return refused('due-time-not-ahead');
  if (due > Date.parse(deadlineAfter(now, accept.dueWithin, windowCalendars(policy)))) return refused('due-time-too-far');
  return undefined;
}

/** A date and time that says where on earth it is meant; without `Z` or an offset it would depend on the machine (TM-12). */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Only the path of a fact may enter a receipt: free text could be personal data. */
const isFact = (field: string | undefined): boolean => FACT_PATHS.some((path) => path === field);

/** The offer, if the person who was asked may still answer it; a question that is open takes nothing away from them. */
export function answerable(handoff: Handoff, command: { offer: number; by: PersonId }, now: string): Offer | Exclude<Decision, { kind: 'decided' }> {
  const offer = handoff.offers.find((one) => one.number === command.offer);
  if (offer === undefined) return { kind: 'refused', because: 'unknown-offer' };
  if (offer.to !== command.by) return { kind: 'refused', because: 'not-the-person-asked' };
  if (offer.status !== 'pending' && offer.status !== 'clarifying') {
    const held = heldBy(handoff, command.by);
    return held !== undefined && held.kind !== 'decided' ? held : ended(offer);
  }
  if (now >= offerUntil(offer)) return { kind: 'no-longer-open', because: 'timed-out' };
  return offer;
}

function mayBeLate(handoff: Handoff, policy: Policy): boolean {
  if (policy.contract.lateAcceptance === 'deny') return false;
  if (handoff.toRaise !== undefined || handoff.state === 'ready') return false;
  const exception = openException(handoff);
  return exception === undefined || exception.class === 'nobody-answered';
}

function ended(offer: Offer): Exclude<Decision, { kind: 'decided' }> {
  switch (offer.status) {
    case 'accepted':
    case 'superseded':
      return { kind: 'no-longer-open', because: 'superseded' };
    case 'rejected':
      return { kind: 'no-longer-open', because: 'rejected' };
    case 'duplicate':
    case 'withdrawn':
    case 'undeliverable':
      return { kind: 'no-longer-open', because: offer.status };
    case 'timed-out':
    case 'pending':
    case 'clarifying':
      return { kind: 'no-longer-open', because: 'timed-out' };
  }
}
