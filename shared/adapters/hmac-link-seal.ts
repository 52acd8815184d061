// Signatures of links, pages and contacts under a keyring. No I/O: `secretsmanager-baton-seal.ts` fetches the secret.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LinkClaim } from '../ports/seal.ts';
import { CHANCE_CHARACTERS, encode, partsOf, SIGNATURE_CHARACTERS } from './crockford-link-id.ts';
import type { Keyring, SealKey } from './seal-keyring.ts';

/** A page may wait this long for its form; afterwards the person is shown it again. */
const PAGE_LIVES_SECONDS = 12 * 60 * 60;
/** Two machines' clocks may differ by this much (LK-12). */
const SKEW_SECONDS = 60;

export function mintLink(keyring: Keyring, claim: LinkClaim): string {
  const [key] = keyring.keys;
  const chance = encode(randomBytes(Math.ceil((CHANCE_CHARACTERS * 5) / 8)), CHANCE_CHARACTERS);
  return `${key.id}${chance}${linkSignature(key, chance, claim)}`;
}

/** Constant time among keys of one id; a link of an unknown key id costs the same as a forged one. */
export function linkFits(keyring: Keyring, linkId: string, claim: LinkClaim): boolean {
  const { keyId, chance, signature } = partsOf(linkId);
  const known = keyring.keys.filter((key) => key.id === keyId);
  const tried = known.length > 0 ? known : [keyring.keys[0]];
  const fits = tried.map((key) => same(linkSignature(key, chance, claim), signature)).some(Boolean);
  return fits && known.length > 0;
}

/** Version, purpose, handoff, number, person and key id are covered, each with its length so that no two claims share a text (LK-14). */
function linkSignature(key: SealKey, chance: string, { purpose, handoffId, number, person }: LinkClaim): string {
  const covered = ['link/1', purpose, handoffId, String(number), person, key.id, chance].map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  return encode(createHmac('sha256', key.link).update(covered).digest(), SIGNATURE_CHARACTERS);
}

export function pageNonce(keyring: Keyring, linkId: string, at: string): string {
  const stampedAt = Math.floor(Date.parse(at) / 1000).toString(36);
  return `${stampedAt}.${pageSignature(keyring.keys[0], linkId, stampedAt)}`;
}

export function nonceFits(keyring: Keyring, nonce: string, linkId: string, at: string): boolean {
  const match = /^([0-9a-z]{1,9})\.([0-9a-f]{32})$/.exec(nonce);
  if (match === null) return false;
  const [, stampedAt = '', signature = ''] = match;
  const age = Date.parse(at) / 1000 - Number.parseInt(stampedAt, 36);
  const genuine = keyring.keys.map((key) => same(pageSignature(key, linkId, stampedAt), signature)).some(Boolean);
  return genuine && age >= -SKEW_SECONDS && age <= PAGE_LIVES_SECONDS;
}

const pageSignature = (key: SealKey, linkId: string, stampedAt: string): string =>
  createHmac('sha256', key.page).update(`page/1:${linkId}:${stampedAt}`).digest('hex').slice(0, 32);

/** `c-` and 32 hexadecimal digits; the e-mail address counts before the phone number, spelled the same way each time. */
export function contactReference(keyring: Keyring, contact: { email?: string; phone?: string; fallback: string }): string {
  const named =
    contact.email !== undefined ? `email:${contact.email.trim().toLowerCase()}` : contact.phone !== undefined ? `phone:${contact.phone.trim()}` : `other:${contact.fallback}`;
  return `c-${createHmac('sha256', keyring.contact).update(named).digest('hex').slice(0, 32)}`;
}

/** Length first: comparing buffers of different length throws (LK-10). */
function same(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
