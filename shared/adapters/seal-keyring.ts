// Every key of Baton comes from one generated secret: derived, so that none is stored and each has one purpose.

import { createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { encode } from './crockford-link-id.ts';

/** The keys that one version of the secret leads to. `id` is one character; it travels in links so that the secret can be replaced while links are out (LK-13). */
export type SealKey = { id: string; link: Buffer; page: Buffer; signing: KeyObject };

/** `keys[0]` makes new links and signatures; all of them verify. Pseudonyms keep their own key, since replacing it would rename every contact. */
export type Keyring = { keys: readonly [SealKey, ...SealKey[]]; contact: Buffer };

/** Shortest secret that is accepted, in characters: 32 characters of a generated string hold at least 160 bits. */
const SHORTEST = 32;

/**
 * Reads the secret: a plain generated string, or while it is being replaced JSON `{"current": "…", "previous": ["…"], "contacts": "…"}`.
 * `contacts` is the string that pseudonyms stay on; left out, it is the oldest one listed.
 * Throws, without quoting it, when the secret is neither.
 */
export function keyringFrom(secret: string): Keyring {
  const { current, previous, contacts } = read(secret);
  return { keys: [sealKey(current), ...previous.map(sealKey)], contact: derive(contacts ?? previous.at(-1) ?? current, 'contact') };
}

function read(secret: string): { current: string; previous: string[]; contacts?: string } {
  if (!secret.trimStart().startsWith('{')) return { current: long(secret), previous: [] };
  let value: unknown;
  try {
    value = JSON.parse(secret);
  } catch {
    return { current: long(secret), previous: [] };
  }
  const { current, previous = [], contacts } = value as { current?: unknown; previous?: unknown; contacts?: unknown };
  if (!Array.isArray(previous)) throw new Error('the secret of Baton lists "previous" as something else than an array');
  return { current: long(current), previous: previous.map(long), ...(contacts !== undefined && { contacts: long(contacts) }) };
}

function long(text: unknown): string {
  if (typeof text !== 'string' || text.length < SHORTEST) throw new Error(`the secret of Baton must be a generated string of at least ${SHORTEST} characters`);
  return text;
}

function sealKey(secret: string): SealKey {
  return { id: encode(derive(secret, 'key-id'), 1), link: derive(secret, 'link'), page: derive(secret, 'page'), signing: ed25519(derive(secret, 'receipt')) };
}

const derive = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'baton', `baton/1/${purpose}`, 32));

/** DER of an Ed25519 private key (RFC 8410) up to its 32 bytes. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ed25519 = (seed: Buffer): KeyObject => createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
