import type { LeadReference } from '../domain/signal.ts';

/** Answers of a lead that a delivery only named, by the names of their questions. */
export type FetchedLead =
  | {
      kind: 'fetched';
      answers: readonly { name: string; value: string }[];
      /** Answers to consent boxes, by their keys. */
      consents: readonly { key: string; checked: boolean }[];
      createdAt?: string;
    }
  /** It cannot be had now or ever: no token, expired, forbidden, deleted, or the system is away. The reference is all there is. */
  | { kind: 'unavailable'; because: string };

export interface LeadFetch {
  /** The answers behind a reference that came from a site of a provider, or from the provider's own address. Never throws; takes a few seconds at most. */
  fetch(reference: LeadReference, site?: string): Promise<FetchedLead>;
}
