// Which links a person gets, and for how long. Minting them needs a key and is done through the `LinkSeal` port:
//   const links = await Promise.all(linksToIssue({...}).map(async (planned) => ({ id: await seal.mint(planned), ...planned })));

import { openChannels } from './channels.ts';
import type { HandoffId, PersonId } from './ids.ts';
import type { Person } from './policy.ts';

/** The channels a link can travel on, in the order people are told about them. */
export const LINK_CHANNELS = ['email', 'sms', 'slack'] as const;
export type LinkChannel = (typeof LINK_CHANNELS)[number];

/** What a link lets its holder do: answer an offer, answer the question that an offer raised, answer for an exception. */
export const LINK_PURPOSES = ['offer', 'clarification', 'exception'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link that is to be issued together with the offer or exception it answers; minting gives it its id. */
export type PlannedLink = {
  purpose: LinkPurpose;
  handoffId: HandoffId;
  /** Number of the offer or exception within the handoff. */
  number: number;
  person: PersonId;
  channel: LinkChannel;
  /** After this instant the link opens nothing. The row's deadline alone decides about answers (LK-12). */
  expiresAt: string;
};

/** How long a link keeps showing what became of its offer after the deadline: the owner confirms and closes with it (LK-15). */
const LIVES_AFTER_DEADLINE_DAYS = 90;

/** The channels on which a person gets a link. */
export const linkChannels = (person: Person): LinkChannel[] => (person.slack === undefined ? openChannels(person) : [...openChannels(person), 'slack']);

/** One link for each channel the person can be reached on; none when there is no channel. */
export function linksToIssue(asked: { purpose: PlannedLink['purpose']; handoffId: HandoffId; number: number; person: Person; deadlineAt: string }): PlannedLink[] {
  const { purpose, handoffId, number, person, deadlineAt } = asked;
  const expiresAt = new Date(Date.parse(deadlineAt) + LIVES_AFTER_DEADLINE_DAYS * 24 * 60 * 60 * 1000).toISOString();
  return linkChannels(person).map((channel) => ({ purpose, handoffId, number, person: person.id, channel, expiresAt }));
}
