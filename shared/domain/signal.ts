// A fact from outside, as it arrived and was normalised. Immutable.

import type { BookingFacts } from './bookings.ts';
import type { AccountFacts, Packet } from './packet.ts';
import type { Contract, StartRule } from './policy.ts';
import { safetyOf } from './safety.ts';
import { names } from './source-name.ts';

export const SIGNAL_KINDS = [
  'form.submitted',
  'call.missed',
  'voicemail.left',
  'message.received',
  /** An answer to a message of ours: belongs to what it answers, so few contracts start on it. */
  'customer.replied',
  'contact.created',
  'booking.made',
  /** The same meeting at another time: one move, never a lost booking and a new one. */
  'booking.moved',
  'booking.canceled',
] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

export type Signal = {
  source: string;
  /** Stable id of the event at its source: repeated deliveries carry the same one. */
  eventId: string;
  kind: SignalKind;
  /** When the customer acted. */
  occurredAt: string;
  receivedAt: string;
  contact: Packet['contact'];
  request: Packet['request'];
  location: Packet['location'];
  consent: Packet['consent'];
  account?: AccountFacts;
  more: Readonly<Record<string, string>>;
  /** A provider's own test delivery: recorded, never opened. */
  test?: boolean;
  /** Why the source itself says that this is no request, such as `opt-out`: recorded, never opened. */
  notALead?: string;
  /** Calls, conversations and meetings that it is part of, as the source names them: `call:CA…`, `mail:<message id>`, `handoff:h-…`. */
  threads?: string[];
  /** What an event of a calendar says. */
  booking?: BookingFacts;
  /** Where the delivery is kept as it came, while it is kept: it holds personal data and secrets of the sender. */
  rawRef?: string;
  /** Where the answers are when the delivery only names them: they are fetched before the handoff is opened. */
  reference?: LeadReference;
};

/** A lead that a system holds and a delivery only names, such as `meta` and its lead id. */
export type LeadReference = { system: string; id: string };

/**
 * The contract whose start rule this signal meets, or the reason why none does (L-01). A rule for the very site goes before
 * one for its provider.
 */
export function contractFor(signal: Signal, contracts: readonly Contract[]): { kind: 'starts'; contract: Contract; rule: StartRule } | { kind: 'ignored'; because: string } {
  if (signal.test === true) return { kind: 'ignored', because: 'test delivery of the provider' };
  if (signal.notALead !== undefined) return { kind: 'ignored', because: signal.notALead };
  const met = contracts.flatMap((contract) => contract.starts.flatMap((rule) => ({ contract, rule, by: startsOn(rule, signal) })));
  const best = met.find(({ by }) => by === 'itself') ?? met.find(({ by }) => by !== undefined) ?? urgently(signal, contracts);
  if (best === undefined) return { kind: 'ignored', because: `no contract starts on ${signal.kind} from ${signal.source}` };
  return { kind: 'starts', contract: best.contract, rule: best.rule };
}

/** Whether any contract names this source, whatever it starts on. */
export const isKnownSource = ({ source }: Pick<Signal, 'source'>, contracts: readonly Contract[]): boolean =>
  contracts.some(({ starts }) => starts.some(({ from }) => names(from, source) !== undefined));

/** The contract that answers for danger in what only follows something, and has nothing left to follow: one that names its source, whatever it starts on (E-04). */
export const answersForDanger = (signal: Signal, contracts: readonly Contract[]): Contract | undefined =>
  contracts.find((contract) => safetyOf(signal, contract) !== undefined && isKnownSource(signal, [contract]));

/** A matter of safety opens also when its category is none that the contract starts on (E-04). */
function urgently(signal: Signal, contracts: readonly Contract[]): { contract: Contract; rule: StartRule } | undefined {
  const urgent = contracts.filter((contract) => safetyOf(signal, contract) !== undefined);
  return urgent.flatMap((contract) => contract.starts.map((rule) => ({ contract, rule }))).find(({ rule: { on, from } }) => startsOn({ on, from }, signal) !== undefined);
}

/** Whether a rule means this kind of signal from this source: the very site, or its provider. */
export function startsOn(rule: StartRule, { kind, source, request: { category } }: Pick<Signal, 'source' | 'request'> & { kind: string }): ReturnType<typeof names> {
  const kinds = kind === 'voicemail.left' ? [kind, 'call.missed'] : [kind]; // a voicemail is a missed call with words, and may come without it or before it
  if (!kinds.includes(rule.on)) return undefined;
  return rule.category === undefined || (category !== undefined && rule.category.includes(category)) ? names(rule.from, source) : undefined;
}

/** Facts that a rule implies, where the signal leaves them open; which ones is kept beside them, since nobody stated them. */
export function withImplied(signal: Signal, { implies = {} }: StartRule): Signal {
  const parts: Record<string, Record<string, string>> = {};
  const stated: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { contact: signal.contact, request: signal.request, location: signal.location };
  for (const [path, value] of Object.entries(implies)) {
    const [part = '', name = ''] = path.split('.');
    if (stated[part] !== undefined && stated[part][name] === undefined) parts[part] = { ...parts[part], [name]: value };
  }
  const implied = Object.entries(parts).flatMap(([part, facts]) => Object.keys(facts).map((name) => `${part}.${name}`));
  if (implied.length === 0) return signal;
  const { contact, request, location } = signal;
  return {
    ...signal,
    contact: { ...contact, ...parts.contact },
    request: { ...request, ...parts.request },
    location: { ...location, ...parts.location },
    more: { ...signal.more, 'implied by where it came from': implied.join(', ') },
  };
}
