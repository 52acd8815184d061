// From a signal to the first packet: what was stated is carried over, what was not is listed as unknown (P-01, L-06).

import { withBooking } from './bookings.ts';
import { FACT_PATHS, type Packet } from './packet.ts';
import type { Requirement } from './policy.ts';
import type { Signal } from './signal.ts';

/** Version 1 of the packet: exactly what the signal states. */
export function firstPacket(signal: Signal): Packet {
  const { contact, request, location, consent, account, more, source: system, eventId, kind, occurredAt } = signal;
  const stated = { contact, request, location, consent, more, ...(account !== undefined && { account }) };
  const bookings = withBooking([], signal);
  return { version: 1, ...stated, sources: [{ system, eventId, kind, occurredAt }], ...(bookings.length > 0 && { bookings }), unknown: unknownOf(stated) };
}

/** The paths of facts that nobody stated (L-06). */
export const unknownOf = (stated: object): string[] => FACT_PATHS.filter((path) => !states(stated, path));

/** The requirements that a packet does not meet, as paths; alternatives are joined with "or". */
export function missingFacts(packet: Packet, requires: readonly Requirement[]): string[] {
  return requires.filter(({ anyOf }) => !anyOf.some((path) => states(packet, path))).map(({ anyOf }) => anyOf.join(' or '));
}

function states(packet: object, path: string): boolean {
  const [part = '', ...rest] = path.split('.');
  const facts: unknown = Object.hasOwn(packet, part) ? (packet as Record<string, unknown>)[part] : undefined;
  if (typeof facts !== 'object' || facts === null) return false;
  const key = rest.join('.');
  const value: unknown = Object.hasOwn(facts, key) ? (facts as Record<string, unknown>)[key] : undefined;
  return value !== undefined && value !== null && value !== '';
}
