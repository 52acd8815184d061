// Family: ECDSA over a timestamp and the exact bytes, with the provider's public key as the "secret".

import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { millisecondsOf } from './raw-hmac.ts';

/** How far a signed timestamp may be from now, both ways (WH-06). */
const TOLERANCE_SECONDS = 300;

export type PublicKeySignature = { signature: string; timestamp: string };

/** Whether one of the keys (base64 of SPKI DER, without PEM lines) signed the timestamp and the bytes with ECDSA P-256 and SHA-256. The signature is random each time, so it is verified, never compared. */
export function verifyEcdsa({ signature, timestamp }: PublicKeySignature, body: Uint8Array, keys: readonly string[], now: string): boolean {
  const at = millisecondsOf(timestamp, 'seconds');
  if (at === undefined || Math.abs(Date.parse(now) - at) > TOLERANCE_SECONDS * 1000) return false;
  if (!/^[A-Za-z0-9+/]{60,120}={0,2}$/.test(signature)) return false;
  return keys.some((key) => {
    const publicKey = p256(key);
    return publicKey !== undefined && createVerify('sha256').update(timestamp).update(body).verify(publicKey, signature, 'base64');
  });
}

function p256(text: string): KeyObject | undefined {
  if (!/^[A-Za-z0-9+/]{80,200}={0,2}$/.test(text)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}
