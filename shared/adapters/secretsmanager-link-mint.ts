import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { LinkSeal } from '../ports/seal.ts';
import { mintLink } from './hmac-link-seal.ts';
import { heldKeyring } from './secretsmanager-keyring.ts';

/** The links of `batonSeal`, for a function that makes some and checks none: without what signing needs, it starts sooner. */
export function linkMint(secretArn: string, client = new SecretsManagerClient({})): Pick<LinkSeal, 'mint'> {
  const keyring = heldKeyring(secretArn, client);
  return { mint: async (claim) => mintLink(await keyring(), claim) };
}
