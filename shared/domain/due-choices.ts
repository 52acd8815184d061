// Times a busy person is likely to promise. Offered, never preselected.

import { fromLocal, localParts, plusDays } from './local-time.ts';
import type { Policy } from './policy.ts';
import { deadlineAfter, windowCalendars } from './window.ts';

const QUARTER_MS = 15 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** Up to three instants that the contract allows: in two hours, at the end of today, tomorrow morning. */
export function dueChoices(now: string, zone: string, policy: Policy): string[] {
  const present = Date.parse(now);
  const today = localParts(now, zone).date;
  const soon = new Date(Math.ceil((present + 2 * HOUR_MS) / QUARTER_MS) * QUARTER_MS).toISOString();
  const thisEvening = fromLocal(`${today}T17:00`, zone).instant;
  const tomorrow = fromLocal(`${plusDays(today, 1)}T10:00`, zone).instant;
  const limit = deadlineAfter(now, policy.contract.accept.dueWithin, windowCalendars(policy));
  const later = [thisEvening, tomorrow].filter((instant) => Date.parse(instant) >= Date.parse(soon) + HOUR_MS);
  return [soon, ...later].filter((instant) => instant <= limit);
}
