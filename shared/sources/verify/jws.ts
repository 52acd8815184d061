// Family: a compact JWS that is the body itself, or that binds the body by its hash.

import { createHash, createHmac } from 'node:crypto';
import { type JsonObject, readJson } from '../read-json.ts';
import { isObject } from '../stated-facts.ts';
import { sameText } from './same-text.ts';

/** The claims of a token that one of the secrets signed with HS256, and with nothing else: `none` and other algorithms are refused before any key is tried. */
export function claimsOf(token: string, secrets: readonly string[]): JsonObject | undefined {
  const match = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token.trim());
  if (match === null) return undefined;
  const [, header = '', payload = '', signature = ''] = match;
  if (partOf(header)?.alg !== 'HS256') return undefined;
  const expected = secrets.filter((secret) => secret !== '').map((secret) => hs256(secret, `${header}.${payload}`));
  return expected.some((one) => sameText(signature, one)) ? partOf(payload) : undefined;
}

/** A token as a provider makes it. For `baton source test`. */
export function tokenOf(claims: object, secret: string): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${hs256(secret, text)}`;
}

const hs256 = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/** The hash a token binds a body by. */
export const bodyHash = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** Whether a claim is the SHA-256 of exactly these bytes, in hexadecimal. A token without it says nothing about the body (WH-04). */
export const bindsBody = (claim: unknown, body: Uint8Array): boolean => typeof claim === 'string' && sameText(claim.toLowerCase(), bodyHash(body));

function partOf(part: string): JsonObject | undefined {
  const value = readJson(Buffer.from(part, 'base64url').toString('utf8'));
  return isObject(value) ? value : undefined;
}
