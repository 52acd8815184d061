// What is left of a person who wants to be forgotten: that somebody asked for something, when, and who answered for it (PI-05).

import type { Handoff } from './handoff.ts';
import type { Packet } from './packet.ts';
import type { Signal } from './signal.ts';

/** Stands where a name or a text stood. */
export const ERASED = 'erased person';

/** The kind of work, the consent and where the facts came from; nothing by which anybody could be found. */
export function erasedPacket({ version, contact, request, consent, sources, unknown }: Packet): Packet {
  return {
    version,
    contact: { name: ERASED, ...only(contact, 'language') },
    request: only(request, 'category', 'product', 'purpose'),
    location: {},
    consent,
    sources,
    more: {},
    unknown,
  };
}

/** Its id stays, so that the same event is still known when it comes again, and so does the reference of the delivery, which names no contents. */
export function erasedSignal({ source, eventId, kind, occurredAt, receivedAt, request, consent, test, notALead, rawRef }: Signal): Signal {
  return {
    ...{ source, eventId, kind, occurredAt, receivedAt, contact: {}, request: only(request, 'category', 'product', 'purpose'), location: {}, consent, more: {} },
    ...(test !== undefined && { test }),
    ...(notALead !== undefined && { notALead }),
    ...(rawRef !== undefined && { rawRef }),
  };
}

/** While somebody works for a customer they need to know whom; whoever must be forgotten at once is withdrawn first. */
export const mayBeErased = ({ state }: Pick<Handoff, 'state'>): boolean => state === 'closed' || state === 'next-step-confirmed';

function only<T extends object, K extends keyof T>(from: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as Pick<T, K>;
}
