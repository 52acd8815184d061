// What comes later about something that is known: the recording of a call, the answer to a message, the move of a meeting.

import { emailKey } from './matching.ts';
import type { Packet } from './packet.ts';
import type { Signal, SignalKind } from './signal.ts';

/** Kinds that by their nature follow something; a contract may still start on them when they follow nothing. */
const FOLLOWING: ReadonlySet<SignalKind> = new Set(['voicemail.left', 'customer.replied', 'booking.made', 'booking.moved', 'booking.canceled']);

/** A text that names nobody belongs to whoever has the number; a text that introduces somebody may be another person's. */
export const isFollowing = ({ kind, contact }: Pick<Signal, 'kind' | 'contact'>): boolean =>
  FOLLOWING.has(kind) || (kind === 'message.received' && contact.phone !== undefined && contact.name === undefined && contact.email === undefined);

/** One event in several deliveries, such as a call and its recording: no second request, even when all is over. */
export const isSameEvent = ({ threads = [] }: Pick<Signal, 'threads'>): boolean => threads.some((thread) => /^(?:call|meeting):/.test(thread));

/** Conversations, calls and meetings that a signal is part of: the same one, whatever the order of arrival. Those of mail are the same for every service. */
export const threadsOf = ({ source, threads = [] }: Pick<Signal, 'source' | 'threads'>): string[] =>
  [...new Set(threads)].map((thread) => (/^(?:mail|handoff):/.test(thread) ? thread : `${source} ${thread}`));

/**
 * What a signal adds to the request that it follows. It contradicts nothing: its words and fields stand beside what was said,
 * under what happened and when. The sender of a reply proves nothing, so it states no fact about the customer.
 */
export function followUp(signal: Signal, { request, contact }: Packet): Signal {
  const kind = signal.kind === 'message.received' ? 'customer.replied' : signal.kind;
  const label = `${kind} ${signal.occurredAt}`;
  const { words } = signal.request;
  const isLater = words !== undefined && request.words !== undefined && request.words !== words;
  const isReply = kind === 'customer.replied';
  const from = isReply && emailKey(signal.contact.email ?? '') !== emailKey(contact.email ?? '') ? signal.contact.email : undefined;
  const more = Object.entries(signal.more).map(([name, value]) => [`${label}: ${name}`, value] as const);
  return {
    ...signal,
    kind,
    contact: isReply ? {} : signal.contact,
    request: words === undefined || isLater ? {} : { words },
    location: isReply ? {} : signal.location,
    more: { ...(isLater && { [label]: words }), ...(from !== undefined && { [`${label}: from`]: from }), ...Object.fromEntries(more) },
  };
}
