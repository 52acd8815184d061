import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SourceSecrets } from '../ports/source-secrets.ts';
import type { TimeSource } from '../ports/time-source.ts';

/** How long a fetched secret is used: a replaced one is refused at the latest after this time. */
const FRESH_SECONDS = 180;
/** How long "nobody made one" is believed: `baton source add` takes effect soon, and a flood asks only this often. */
const ABSENT_SECONDS = 15;
/** One second to connect, two to answer, two attempts: the provider waits meanwhile (LA-07). */
const SETTINGS = { maxAttempts: 2, requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true } };

/** Where secrets are: those of the template by ARN, all others by name under a prefix, such as `baton/source/tally`. */
export type SourceSecretNames = { arns: Readonly<Record<string, string>>; prefix: string };

/**
 * Signing secrets by source. A secret's text is one value, or a JSON list of values that are all active. While Secrets
 * Manager cannot be reached, values fetched earlier stay in use. Callers ask for sources of the registry only.
 */
export function secretsmanagerSourceSecrets({ arns, prefix }: SourceSecretNames, time: TimeSource, client = new SecretsManagerClient(SETTINGS)): SourceSecrets {
  const held = new Map<string, { values: readonly string[]; freshUntil: number }>();
  return {
    async active(source) {
      if (!/^[a-z][a-z0-9-]{0,39}$/.test(source)) return [];
      const id = Object.hasOwn(arns, source) ? (arns[source] ?? '') : `${prefix}${source}`;
      const now = Date.parse(time.now());
      const known = held.get(source);
      if (known !== undefined && now < known.freshUntil) return known.values;
      const values = await fetchValues(client, id).catch((cause: unknown) => known?.values ?? withoutValues(source, cause));
      held.set(source, { values, freshUntil: now + (values.length === 0 ? ABSENT_SECONDS : FRESH_SECONDS) * 1000 });
      return values;
    },
  };
}

async function fetchValues(client: SecretsManagerClient, id: string): Promise<readonly string[]> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
  return activeValues(SecretString ?? '');
}

/** A secret that nobody made has no values; one that cannot be read now is a fault that passes. */
function withoutValues(source: string, cause: unknown): readonly string[] {
  if (cause instanceof Error && cause.name === 'ResourceNotFoundException') return [];
  throw Object.assign(new Error(`the secret of source ${source} cannot be read`, { cause }), { name: 'SecretTimeout' });
}

/** The values in a secret's text. Blank ones are none: an empty key would accept anybody who knows that it is empty. */
export function activeValues(text: string): readonly string[] {
  const values = text.trim().startsWith('[') ? listOf(text) : [text];
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

function listOf(text: string): readonly string[] {
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every((value) => typeof value === 'string')) throw new Error('a list of secrets is a JSON list of texts');
  return list;
}

/** Without the parser's own error, which would quote the secret. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
