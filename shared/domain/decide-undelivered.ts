// A message that did not get through is a fact about a channel. It speeds things up only while its offer still waits (O-08, MS-06).

import type { NoteUndelivered } from './command.ts';
import { type Decision, decided, illegal, refused } from './decision.ts';
import { type Handoff, pendingOffer } from './handoff.ts';
import { type LinkChannel, linkChannels } from './link.ts';
import type { Policy } from './policy.ts';
import type { Fact } from './receipt.ts';

/** When no channel of the person is left, nobody was asked: the offer ends at once, and not by their silence. */
export function decideUndelivered(handoff: Handoff, command: NoteUndelivered, policy: Policy): Decision {
  const offer = handoff.offers.find((one) => one.number === command.offer);
  if (offer === undefined) return refused('unknown-offer');
  const { channel, reason } = command;
  if (offer.undelivered?.includes(channel)) return { kind: 'already-done' };
  const wrongState = illegal(handoff, 'delivery.failed');
  if (wrongState !== undefined) return wrongState;
  const failed: Fact = { kind: 'delivery.failed', offer: offer.number, to: offer.to, channel, reason };
  const person = policy.roster.people.find((one) => one.id === offer.to);
  const shut: LinkChannel[] = [...(offer.undelivered ?? []), channel];
  const left = person === undefined ? [] : linkChannels(person).filter((one) => !shut.includes(one));
  const waits = offer.status === 'pending' && pendingOffer(handoff)?.number === offer.number;
  return left.length === 0 && waits ? decided(failed, { kind: 'offer.undeliverable', offer: offer.number, to: offer.to }) : decided(failed);
}
