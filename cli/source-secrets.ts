// The secrets of sources as people set them: made once, added to while one is replaced.

import { randomInt } from 'node:crypto';
import { CreateSecretCommand, GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { activeValues } from '../shared/adapters/secretsmanager-source-secrets.ts';
import { SOURCE_SECRETS_PREFIX } from '../shared/contracts/secret-names.ts';
import type { Outputs } from './installation.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 44 letters and digits, as the template generates them. */
export const newSecret = (): string => Array.from({ length: 44 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** Where the secret of a source is: three are made by the template, all others by name. */
export function secretIdOf(name: string, outputs: Outputs): string {
  const made: Readonly<Record<string, string>> = { website: outputs.WebsiteSecretArn, typeform: outputs.TypeformSecretArn, twilio: outputs.TwilioSecretArn };
  return Object.hasOwn(made, name) ? (made[name] ?? '') : `${SOURCE_SECRETS_PREFIX}${name}`;
}

/** The active values, newest first; none when nobody made the secret. */
export async function readValues(id: string, client = new SecretsManagerClient({})): Promise<readonly string[]> {
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    return activeValues(SecretString);
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return [];
    throw error;
  }
}

/** Stores the active values, making the secret if need be. */
export async function writeValues(id: string, values: readonly string[], description: string, client = new SecretsManagerClient({})): Promise<void> {
  const SecretString = values.length === 1 && values[0] !== undefined && !values[0].startsWith('[') ? values[0] : JSON.stringify(values);
  try {
    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString }));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error;
    await client.send(new CreateSecretCommand({ Name: id, SecretString, Description: description }));
  }
}
