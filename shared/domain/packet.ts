// The minimum useful context handed to a seller. Personal data lives here and nowhere else in a handoff (P-01, P-02).

import type { Booking } from './bookings.ts';
import type { PersonId } from './ids.ts';

/** Paths of the facts that a packet may hold: what a contract can require, and what a seller can find missing. */
export const FACT_PATHS = [
  'contact.name',
  'contact.email',
  'contact.phone',
  'contact.language',
  'contact.prefers',
  'request.words',
  'request.category',
  'request.product',
  'request.timing',
  'location.postalCode',
  'location.city',
  'location.region',
  'location.country',
  'consent.email',
  'consent.sms',
] as const;

/** A question of a seller and its answer, in the words of the two. */
export type Answered = { question: string; answer: string; by: PersonId; at: string };

/** What a generator proposed, kept apart from everything that was stated (P-02). It decides nothing. */
export type Generated = { generator: string; generatorVersion: string; at: string; summary?: string; draft?: string; priority?: string };

/** A value that another source states for a fact that is known already. Both are kept; the first one stays the confirmed one. */
export type AlsoStated = { path: string; value: string; system: string; eventId: string };

/** Whether the person is a customer already, and the active account records they match, by their ids in the source. */
export type AccountFacts = { existingCustomer?: 'yes' | 'no'; matches?: string[] };

/** What the person asked for and who they are, as stated; anything not stated is absent and listed in `unknown`. */
export type Packet = {
  version: number;
  contact: { name?: string; email?: string; phone?: string; language?: string; prefers?: 'email' | 'phone' | 'sms' };
  request: {
    words?: string;
    category?: string;
    product?: string;
    timing?: string;
    /** Whether it is about something new, or about work that was done. */
    purpose?: 'sales' | 'service';
    /** The regulated matter it touches, as the source names it. */
    regulated?: string;
    /** Whether the source states that somebody may come to harm. */
    safety?: 'yes' | 'no';
  };
  location: { postalCode?: string; city?: string; region?: string; country?: string };
  consent: { email?: 'granted' | 'denied'; sms?: 'granted' | 'denied' };
  /** What the business's own records say about the person, where a source stated it: never looked up, never inferred. */
  account?: AccountFacts;
  /** Where the facts came from: source system and its event id; never the raw body. */
  sources: readonly { system: string; eventId: string; kind: string; occurredAt: string }[];
  /** Fields the source sent that no rule knows; kept as sent. */
  more: Readonly<Record<string, string>>;
  /** Questions that people were asked about this request, and what they said. */
  answers?: readonly Answered[];
  /** The latest text of a generator; stored beside the packet, so that it never makes a version of the facts. */
  generated?: Generated;
  /** What sources that came later state otherwise. */
  alsoStated?: readonly AlsoStated[];
  /** Meetings that the customer booked. */
  bookings?: readonly Booking[];
  /** Paths of the fields nobody stated, such as `contact.email` (L-06). */
  unknown: readonly string[];
};
