import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Keyring, keyringFrom } from './seal-keyring.ts';

/** The text of the secret with this ARN. */
export async function secretText(secretArn: string, client: SecretsManagerClient): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString === undefined) throw new Error('the secret of Baton has no text');
  return SecretString;
}

/** The keys under the secret with this ARN, fetched once, and again after a fault. */
export function heldKeyring(secretArn: string, client: SecretsManagerClient): () => Promise<Keyring> {
  let held: Promise<Keyring> | undefined;
  return () => {
    held ??= secretText(secretArn, client)
      .then(keyringFrom)
      .catch((cause: unknown) => {
        held = undefined;
        throw cause;
      });
    return held;
  };
}
