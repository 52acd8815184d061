import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ContactSeal } from '../ports/seal.ts';
import { contactReference } from './hmac-link-seal.ts';
import { heldKeyring } from './secretsmanager-keyring.ts';

/** The pseudonyms of `batonSeal`, for a function that makes no links and signs nothing: without what signing needs, it starts sooner. */
export function contactSeal(secretArn: string, client = new SecretsManagerClient({})): ContactSeal {
  const keyring = heldKeyring(secretArn, client);
  return { reference: async (contact) => contactReference(await keyring(), contact) };
}
