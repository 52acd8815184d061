// How many messages one person gets on one channel within an hour, and what becomes of the rest (O-09). Escalations, exceptions
// and answers to what a person just did never come here: no limit may hold them.

import type { LinkChannel } from './link.ts';
import type { Person, Roster } from './policy.ts';

/**
 * What a message is to whoever gets it. `always`: no limit counts. `asks`: an offer, whose clock runs. `tells`: news that can
 * wait. `reminds`: left out first, and never in the last place of an hour.
 */
export type Urgency = 'always' | 'asks' | 'tells' | 'reminds';

/** A message that took a place of its hour, and those that went along in it. Messages are named `<handoff id>:<effect>`. */
export type Placed = { message: string; at: string; carries?: readonly string[] };

/** A message that waits for a place; of no use any more after `until`. */
export type Waiting = { message: string; since: string; until: string; asks?: true };

/** What one person was sent on one channel within the hour, and what waits. */
export type Ledger = { sent: readonly Placed[]; waiting: readonly Waiting[] };

export const EMPTY_LEDGER: Ledger = { sent: [], waiting: [] };

/** What is decided about one message. `ledger` is what must be written for it to hold; nothing has to be without one. */
export type Admission =
  /** It goes now, together with others that waited. */
  | { kind: 'go'; together: readonly string[]; ledger?: Ledger }
  /** It goes, or went, in the message of another. */
  | { kind: 'carried'; by: string }
  | { kind: 'wait'; until: string; ledger: Ledger }
  /** There is no place while it would still be of use. */
  | { kind: 'no-place' };

/** A message before it is decided about. `most` is how many one message on this channel can hold, itself included. */
export type Asking = { message: string; urgency: Exclude<Urgency, 'always'>; until?: string; limit: number; most: number };

const HOUR_MS = 3_600_000;
/** What waits is looked at again by the sweep of every five minutes, which leaves alone what is younger than two. */
const SWEEP_MS = 7 * 60_000;
/** An offer must leave its reader some time to answer. */
const TIME_TO_ANSWER_MS = 2 * 60_000;
const A_DAY_MS = 24 * HOUR_MS;
/** Beyond this, waiting is no better than telling nobody. */
const MOST_WAITING = 100;

/** Decides about one message on the ledger as it is. Asking again about a message that has its place changes nothing. */
export function admit(ledger: Ledger, asking: Asking, now: string): Admission {
  const { sent, waiting } = recent(ledger, now);
  const own = sent.find((one) => one.message === asking.message);
  if (own !== undefined) return { kind: 'go', together: own.carries ?? [] };
  const carrier = sent.find((one) => one.carries?.includes(asking.message));
  if (carrier !== undefined) return { kind: 'carried', by: carrier.message };
  const others = waiting.filter((one) => one.message !== asking.message);
  const room = asking.urgency === 'reminds' ? asking.limit - 1 : asking.limit;
  if (sent.length < room) return placed({ sent, waiting: others }, asking, now);
  return asking.urgency === 'reminds' ? { kind: 'no-place' } : held({ sent, waiting }, asking, now);
}

function placed({ sent, waiting }: Ledger, { message, most }: Asking, now: string): Admission {
  const together = [...waiting.filter((one) => one.asks), ...waiting.filter((one) => !one.asks)].slice(0, most - 1).map((one) => one.message);
  const place: Placed = { message, at: now, ...(together.length > 0 && { carries: together }) };
  return { kind: 'go', together, ledger: { sent: [...sent, place], waiting: waiting.filter((one) => !together.includes(one.message)) } };
}

function held({ sent, waiting }: Ledger, { message, urgency, until, limit }: Asking, now: string): Admission {
  const known = waiting.find((one) => one.message === message);
  const last = until ?? known?.until ?? later(now, A_DAY_MS);
  const free = sent.map((one) => one.at).sort()[sent.length - limit] ?? now;
  const freeAt = later(free, HOUR_MS);
  const left = later(freeAt, SWEEP_MS + (urgency === 'asks' ? TIME_TO_ANSWER_MS : 0));
  if (left > last || (known === undefined && waiting.length >= MOST_WAITING)) return { kind: 'no-place' };
  const entry: Waiting = { message, since: known?.since ?? now, until: last, ...(urgency === 'asks' && { asks: true }) };
  return { kind: 'wait', until: freeAt, ledger: { sent, waiting: known === undefined ? [...waiting, entry] : waiting } };
}

/** The ledger without what is older than an hour, and without what is of no use any more. */
const recent = ({ sent, waiting }: Ledger, now: string): Ledger => ({
  sent: sent.filter((one) => one.at > later(now, -HOUR_MS)),
  waiting: waiting.filter((one) => one.until > now),
});

/** The ledger as if this message had never had its place: what it was to carry waits for nobody. */
export const withoutPlace = ({ sent, waiting }: Ledger, message: string): Ledger => ({ sent: sent.filter((one) => one.message !== message), waiting });

/** What went along in a message that took this place, for what is said about the whole of it. */
export const carriedBy = ({ sent }: Ledger, message: string): readonly string[] => sent.find((one) => one.message === message)?.carries ?? [];

/** How many messages an hour this person gets on this channel: their own number, else that of the firm; undefined when neither is written. */
export const messageLimit = (roster: Roster, person: Person, channel: LinkChannel): number | undefined => person.messagesPerHour?.[channel] ?? roster.messagesPerHour?.[channel];

const later = (instant: string, milliseconds: number): string => new Date(Date.parse(instant) + milliseconds).toISOString();
