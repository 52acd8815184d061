// How long a customer has been waiting for a named person: in real time, and in business time (C-06).

import { businessSecondsBetween } from './business-time.ts';
import type { Handoff } from './handoff.ts';
import type { Calendar, Policy } from './policy.ts';
import type { ClockReading } from './receipt.ts';
import { contractCalendar } from './window.ts';

/** Both readings of the clock, in whole seconds. `businessSeconds` is absent when there is no calendar to count by. */
export type OwnershipClock = { wallSeconds: number; businessSeconds?: number; running: boolean };

/**
 * The clock runs from what the customer did until a person says yes, or until the handoff ends without one. Nothing else
 * stops it or sets it back: no message that was sent, no automatic reply, no question, no exception (C-08).
 */
export function ownershipClock(handoff: Handoff, calendar: Calendar | undefined, now: string): OwnershipClock {
  const stopped = handoff.ownership?.acceptedAt ?? handoff.outcome?.at;
  const until = stopped ?? now;
  const wallSeconds = Math.max(0, Math.floor((Date.parse(until) - Date.parse(handoff.occurredAt)) / 1000));
  const counted = calendar === undefined ? {} : { businessSeconds: Math.floor(businessSecondsBetween(handoff.occurredAt, until, calendar)) };
  return { wallSeconds, ...counted, running: stopped === undefined };
}

/** The reading at the moment of a yes, for its receipt; empty when the contract has no calendar, for then there is one clock only. */
export function readingFor(handoff: Handoff, policy: Policy, now: string): { clock?: ClockReading } {
  const calendar = contractCalendar(policy);
  if (calendar === undefined) return {};
  const { wallSeconds, businessSeconds = 0 } = ownershipClock(handoff, calendar, now);
  return { clock: { wallSeconds, businessSeconds, calendar: calendar.name } };
}
