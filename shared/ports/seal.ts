import type { HandoffId, PersonId } from '../domain/ids.ts';
import type { LinkPurpose } from '../domain/link.ts';

/** What a link's signature covers besides its random part. */
export type LinkClaim = { purpose: LinkPurpose; handoffId: HandoffId; number: number; person: PersonId };

export interface LinkSeal {
  /** A new link id: 32 Crockford characters, at least 100 random bits and a MAC over version, purpose, handoff, number, person and key id. */
  mint(claim: LinkClaim): Promise<string>;
  /** The canonical form of a link id as typed or mangled (lower case, O/I/L), or undefined when it cannot be one. Needs no key. */
  canonical(text: string): string | undefined;
  /** Whether the signature fits what the link is said to name. Constant time; false for an unknown key id. */
  verify(linkId: string, claim: LinkClaim): Promise<boolean>;
}

export interface ReceiptSeal {
  /** Signs an acceptance receipt as a compact JWS (EdDSA, Ed25519). The same content gives the same text. */
  sign(payload: Record<string, unknown>): Promise<string>;
  /** The public keys as a JWK set. */
  publicKeys(): Promise<{ keys: Record<string, unknown>[] }>;
}

/** Pseudonyms of contacts: a keyed hash, stable, not reversible. */
export interface ContactSeal {
  reference(contact: { email?: string; phone?: string; fallback: string }): Promise<string>;
}

/** Ties a form to the page it was shown on, so that another site cannot post it (LK-21). */
export interface PageSeal {
  /** A nonce for the page that this link shows at this instant. */
  stampPage(linkId: string, at: string): Promise<string>;
  /** Whether the nonce was stamped for this link, not longer ago than a working day. Constant time; false for anything that is not a nonce. */
  fitsPage(nonce: string, linkId: string, at: string): Promise<boolean>;
}
