// What a person carries, across all handoffs: the row beside their name that the resolver reads and every transition keeps.

import type { Handoff } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { Receipt } from './receipt.ts';

/** Handoffs they own now, turns they had, when the last one was, and until when they asked to be left out. */
export type Load = { held: number; turns: number; turnAt?: string; excludedUntil?: string };

export const NO_LOAD: Load = { held: 0, turns: 0 };

/** Whose capacity a handoff takes up: its owner's, from the yes until it is closed, becomes an exception, or goes to somebody else. */
export function heldCapacity(handoff: Handoff): PersonId | undefined {
  return handoff.state === 'accepted' || handoff.state === 'next-step-confirmed' ? handoff.ownership?.owner : undefined;
}

/**
 * Who has the next turn: whoever had their last one longest ago. Of any two people who could both be asked throughout a
 * stretch of requests, neither gets more than one turn more than the other in it, whoever else comes and goes: a turn makes
 * its holder the last of the two. Somebody who was away is first once and then stands behind everybody again, so
 * what they missed neither piles up nor is taken from others.
 */
export const byTurn = (loads: Readonly<Record<string, Load>>) => {
  const lastTurn = (person: PersonId) => loads[person]?.turnAt ?? '';
  return (one: PersonId, other: PersonId): number => inOrder(lastTurn(one), lastTurn(other)) || inOrder(one, other);
};

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What one transition changes about one person. `limit` is the most they may hold once it has happened; a turn names the mark it was taken after. */
export type LoadChange = { person: PersonId; held: number; limit?: number; turn?: { at: string; after?: string; guarded: boolean }; excludedUntil?: string };

/** The changes of a transition, at most one a person. They belong into its transaction: that is what keeps a race within the limit. */
export function loadChanges(before: Handoff | undefined, after: Handoff, receipts: readonly Receipt[]): LoadChange[] {
  const changes = new Map<PersonId, LoadChange>();
  const change = (person: PersonId, more: Partial<LoadChange>) => changes.set(person, { person, held: 0, ...changes.get(person), ...more });
  const from = before === undefined ? undefined : heldCapacity(before);
  const to = heldCapacity(after);
  if (from !== to && from !== undefined) change(from, { held: -1 });
  if (from !== to && to !== undefined) change(to, { held: 1, ...limitIn(receipts) });
  for (const receipt of receipts) {
    if (receipt.kind === 'candidates.resolved' && receipt.turn !== undefined) change(receipt.turn.person, { turn: { ...receipt.turn, guarded: true } });
    if (receipt.kind === 'backup.requested' && receipt.turn === true) change(receipt.to, { turn: { at: receipt.at, guarded: false } });
    if (receipt.kind === 'offer.rejected' && receipt.excludedUntil !== undefined) change(receipt.by, { excludedUntil: receipt.excludedUntil });
  }
  return [...changes.values()];
}

function limitIn(receipts: readonly Receipt[]): { limit?: number } {
  const yes = receipts.find((receipt) => receipt.kind === 'offer.accepted');
  return yes?.capacity === undefined ? {} : { limit: yes.capacity };
}
