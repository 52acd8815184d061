// What a decision may answer. Expected refusals are values; nothing here is thrown.

import { type Handoff, openException, type State, TRANSITIONS } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { Fact } from './receipt.ts';

/** Why a wish changes nothing. Each is told to the person who wished, in their words. */
export type Refusal =
  | { kind: 'already-done' }
  | { kind: 'already-yours'; since: string }
  | { kind: 'owned-by-another'; owner: PersonId; since: string }
  | { kind: 'no-longer-open'; because: 'timed-out' | 'superseded' | 'rejected' | 'duplicate' | 'withdrawn' | 'undeliverable' | 'answered' | 'resolved' | 'closed' | 'escalated' }
  | { kind: 'not-yet'; until: string }
  | { kind: 'not-in-this-state'; state: State }
  | { kind: 'refused'; because: RefusedBecause };

export type RefusedBecause =
  | 'not-the-person-asked'
  | 'unknown-offer'
  | 'unknown-next-action'
  | 'due-time-not-ahead'
  | 'due-time-too-far'
  | 'packet-changed'
  | 'capacity-reached'
  | 'explanation-missing'
  | 'field-missing'
  | 'question-limit'
  | 'no-authority'
  | 'same-handoff'
  | 'no-other-handoff'
  | 'unknown-person'
  | 'nothing-corrected'
  | 'not-accepted-yet'
  | 'nobody-left';

/** Facts to be written, all or none, in this order; or the reason why there are none. */
export type Decision = { kind: 'decided'; facts: readonly [Fact, ...Fact[]] } | Refusal;

export const decided = (...facts: [Fact, ...Fact[]]): Decision => ({ kind: 'decided', facts });
export const refused = (because: RefusedBecause): Decision => ({ kind: 'refused', because });

/** Refuses a fact that the transition table does not know from here (L-02). */
export function illegal(handoff: Handoff, fact: keyof typeof TRANSITIONS): Decision | undefined {
  if (TRANSITIONS[fact].from.includes(handoff.state)) return undefined;
  if (handoff.state === 'closed') return { kind: 'no-longer-open', because: 'closed' };
  return { kind: 'not-in-this-state', state: handoff.state };
}

/** What everyone is told once somebody owns the handoff, its exception included; undefined while nobody does. */
export function heldBy(handoff: Handoff, asking: PersonId): Decision | undefined {
  const exception = openException(handoff);
  if (exception?.acceptedAt !== undefined && exception.owner !== asking) return { kind: 'owned-by-another', owner: exception.owner, since: exception.acceptedAt };
  if (handoff.ownership === undefined) return undefined;
  const { owner, acceptedAt } = handoff.ownership;
  return owner === asking ? { kind: 'already-yours', since: acceptedAt } : { kind: 'owned-by-another', owner, since: acceptedAt };
}
