// The secrets of sources as people set them: made once, added to while one is replaced.

import { randomInt } from 'node:crypto';
import { CreateSecretCommand, GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type SiteSecrets, siteSecrets } from '../shared/adapters/secretsmanager-source-secrets.ts';
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

/** The active values of one site, newest first; none when nobody made the secret. */
export const readValues = async (id: string, site = ''): Promise<readonly string[]> => (await readSites(id)).get(site) ?? [];

/** The active values of every site of a provider. */
export async function readSites(id: string, client = new SecretsManagerClient({})): Promise<SiteSecrets> {
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    return siteSecrets(SecretString);
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return new Map();
    throw error;
  }
}

/** Stores the active values of one site and leaves the others alone, making the secret if need be. */
export async function writeValues(id: string, values: readonly string[], description: string, site = '', client = new SecretsManagerClient({})): Promise<void> {
  const SecretString = textOf(new Map([...(await readSites(id, client)), [site, values]]));
  try {
    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString }));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error;
    await client.send(new CreateSecretCommand({ Name: id, SecretString, Description: description }));
  }
}

/** The shortest form that says it: a value, a list, or lists by site. */
function textOf(sites: SiteSecrets): string {
  if ([...sites.keys()].some((site) => site !== '')) return JSON.stringify(Object.fromEntries(sites));
  const values = sites.get('') ?? [];
  return values.length === 1 && values[0] !== undefined && !/^[[{]/.test(values[0]) ? values[0] : JSON.stringify(values);
}
