// Acceptance receipts as JWS (RFC 7515) with Ed25519, so that anyone with the public keys can check one offline (O-05).

import { createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, compactVerify, errors, importJWK, type JWK } from 'jose';
import { acceptanceReceipt } from '../contracts/acceptance-receipt.ts';
import type { AcceptanceReceipt } from '../domain/acceptance.ts';

/** Media type of the signed text, so that no other JWS of the same key can pass for an acceptance. */
const TYPE = 'baton-acceptance+jws';

type KeySet = { keys: readonly Record<string, unknown>[] };
type Verdict = { kind: 'valid'; payload: AcceptanceReceipt } | { kind: 'invalid'; because: string };

/** The same content and key give the same text: Ed25519 uses no chance. */
export async function signAcceptance(payload: Record<string, unknown>, key: KeyObject): Promise<string> {
  const { kid } = await publicJwk(key);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload))).setProtectedHeader({ alg: 'EdDSA', typ: TYPE, kid: String(kid) }).sign(key);
}

/** The public half of a signing key; its id is the RFC 7638 thumbprint, which anyone can compute again. */
export async function publicJwk(key: KeyObject): Promise<Record<string, unknown>> {
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });
  const jwk = { kty, crv, x } as JWK;
  return { ...jwk, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(jwk) };
}

/** Whether a text is an acceptance receipt signed by one of these keys. Offline; never throws for a bad text or key set. */
export async function verifyAcceptance(jws: string, jwks: KeySet): Promise<Verdict> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws.trim(), async (header) => importJWK(named(jwks, header.kid), 'EdDSA'), { algorithms: ['EdDSA'] });
    if (protectedHeader.typ !== TYPE) return { kind: 'invalid', because: 'it is signed, but it is not an acceptance receipt' };
    const content = acceptanceReceipt.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
    return content.success ? { kind: 'valid', payload: content.data } : { kind: 'invalid', because: 'it is signed, but its content is not one this version can read' };
  } catch (error) {
    return { kind: 'invalid', because: sentenceFor(error) };
  }
}

class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

function named(jwks: KeySet, kid: string | undefined): JWK {
  const key = jwks.keys.find((one) => one.kid === kid && one.kty === 'OKP' && one.crv === 'Ed25519');
  if (kid === undefined || key === undefined) throw new UnknownKey('no such key');
  return { kty: 'OKP', crv: 'Ed25519', x: String(key.x) };
}

function sentenceFor(error: unknown): string {
  if (error instanceof UnknownKey) return 'it was signed by a key that is not in this key set';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not fit the content';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'it uses a signature that Baton never makes';
  return 'it is not a signed acceptance receipt';
}
