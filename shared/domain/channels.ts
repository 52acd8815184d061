// How a member of staff can be reached, and where they no longer can.

import type { ClosedChannel, Person } from './policy.ts';

/** The channels that carry messages to staff, in the order people are told about them. */
export const STAFF_CHANNELS = ['email', 'sms'] as const;

/** The channels with an address that is verified, has not bounced and was not opted out of. */
export const openChannels = (person: Person): ClosedChannel['channel'][] =>
  STAFF_CHANNELS.filter((channel) => person[channel] !== undefined && closure(person, channel) === undefined);

/** Why nothing reaches them, in words for a receipt; undefined when something does. */
export function unreachable(person: Person): string | undefined {
  if (openChannels(person).length > 0) return undefined;
  const closed = STAFF_CHANNELS.filter((channel) => person[channel] !== undefined).map((channel) => `${WORDS[channel]} ${closure(person, channel)?.because}`);
  return closed.length === 0 ? 'neither e-mail nor text message' : closed.join(', ');
}

const WORDS = { email: 'e-mail', sms: 'text message' } as const;

const closure = (person: Person, channel: ClosedChannel['channel']): ClosedChannel | undefined => person.closedChannels?.find((one) => one.channel === channel);
