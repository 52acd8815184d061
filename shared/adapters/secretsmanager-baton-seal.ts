// Links, page nonces, receipts and pseudonyms under keys that come from one secret in Secrets Manager.

import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ContactSeal, LinkSeal, PageSeal, ReceiptSeal } from '../ports/seal.ts';
import { canonicalLinkId } from './crockford-link-id.ts';
import { contactReference, linkFits, mintLink, nonceFits, pageNonce } from './hmac-link-seal.ts';
import { publicJwk, signAcceptance } from './jose-acceptance.ts';
import { type Keyring, keyringFrom } from './seal-keyring.ts';
import { secretText } from './secretsmanager-keyring.ts';

export type BatonSeal = LinkSeal & PageSeal & ReceiptSeal & ContactSeal;

/** A signature that does not fit may mean that the secret was replaced; it is fetched again for that at most this often. */
const LOOK_AGAIN_MS = 60_000;

/** The seal under the secret with this ARN. Fetched once, and again when something was signed by a key that was not there yet. */
export function batonSeal(secretArn: string, client = new SecretsManagerClient({})): BatonSeal {
  return sealUnder(() => secretText(secretArn, client));
}

/** As `batonSeal`, under a secret from anywhere. */
export function sealUnder(fetchSecret: () => Promise<string>, now: () => number = Date.now): BatonSeal {
  let held: { keyring: Promise<Keyring>; at: number } | undefined;

  function keyring(olderThan = Number.NEGATIVE_INFINITY): Promise<Keyring> {
    if (held !== undefined && held.at > olderThan) return held.keyring;
    const fetched = { keyring: fetchSecret().then(keyringFrom), at: now() };
    fetched.keyring.catch(() => {
      if (held === fetched) held = undefined;
    });
    held = fetched;
    return fetched.keyring;
  }

  async function fits(check: (keyring: Keyring) => boolean): Promise<boolean> {
    const before = await keyring();
    if (check(before)) return true;
    const fresh = await keyring(now() - LOOK_AGAIN_MS);
    return fresh !== before && check(fresh);
  }

  return {
    mint: async (claim) => mintLink(await keyring(), claim),
    canonical: canonicalLinkId,
    verify: (linkId, claim) => fits((keys) => linkFits(keys, linkId, claim)),
    stampPage: async (linkId, at) => pageNonce(await keyring(), linkId, at),
    fitsPage: (nonce, linkId, at) => fits((keys) => nonceFits(keys, nonce, linkId, at)),
    sign: async (payload) => signAcceptance(payload, (await keyring()).keys[0].signing),
    publicKeys: async () => ({ keys: await Promise.all((await keyring()).keys.map((key) => publicJwk(key.signing))) }),
    reference: async (contact) => contactReference(await keyring(), contact),
  };
}
