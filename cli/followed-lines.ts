// What came after the request, as lines of `baton show`: the words stay in the packet.

import type { Booking } from '../shared/domain/bookings.ts';
import type { Packet } from '../shared/domain/packet.ts';

const HEARD: Readonly<Record<string, string>> = { 'customer.replied': 'reply', 'voicemail.left': 'voicemail', 'message.received': 'message', 'call.missed': 'missed call' };

/** Replies, recordings and calls that joined, and the meetings that stand. */
export function followedLines({ sources, bookings = [] }: Pick<Packet, 'sources' | 'bookings'>, at: (instant: string) => string): string[] {
  const [, ...later] = sources;
  const heard = later.flatMap(({ system, eventId, kind, occurredAt }) =>
    HEARD[kind] === undefined ? [] : [`heard      ${HEARD[kind]} at ${at(occurredAt)} (${system} ${eventId})`],
  );
  return [...heard, ...bookings.map((booking) => bookingLine(booking, at))];
}

function bookingLine({ source, state, startsAt, zone, host, changedAt }: Booking, at: (instant: string) => string): string {
  const when = startsAt === undefined ? 'for an unknown time' : `for ${at(startsAt)}${zone === undefined ? '' : `, customer in ${zone}`}`;
  return `meeting    ${state} ${when}${host === undefined ? '' : ` with ${host}`}, ${source} at ${at(changedAt)}; it proves no ownership`;
}
