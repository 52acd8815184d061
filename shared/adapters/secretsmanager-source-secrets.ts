import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { sourceParts } from '../domain/source-name.ts';
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
  const held = new Map<string, { sites: SiteSecrets; freshUntil: number }>();
  return {
    async active(source) {
      const { provider, site = '' } = sourceParts(source) ?? { provider: '' };
      if (!/^[a-z][a-z0-9-]{0,39}$/.test(provider)) return [];
      const id = Object.hasOwn(arns, provider) ? (arns[provider] ?? '') : `${prefix}${provider}`;
      const now = Date.parse(time.now());
      const known = held.get(provider);
      if (known !== undefined && now < known.freshUntil) return known.sites.get(site) ?? [];
      const sites = await fetchSites(client, id).catch((cause: unknown) => known?.sites ?? withoutSites(provider, cause));
      held.set(provider, { sites, freshUntil: now + (sites.size === 0 ? ABSENT_SECONDS : FRESH_SECONDS) * 1000 });
      return sites.get(site) ?? [];
    },
  };
}

async function fetchSites(client: SecretsManagerClient, id: string): Promise<SiteSecrets> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
  return siteSecrets(SecretString ?? '');
}

/** A secret that nobody made has no values; one that cannot be read now is a fault that passes. */
function withoutSites(source: string, cause: unknown): SiteSecrets {
  if (cause instanceof Error && cause.name === 'ResourceNotFoundException') return new Map();
  throw Object.assign(new Error(`the secret of source ${source} cannot be read`, { cause }), { name: 'SecretTimeout' });
}

/** Active values by site; under the empty name those of the provider's own address. */
export type SiteSecrets = ReadonlyMap<string, readonly string[]>;

/** A secret's text: one value, a JSON list of values, or a JSON object of either by site. One secret a provider, so that a made-up site costs no call. */
export function siteSecrets(text: string): SiteSecrets {
  if (!text.trim().startsWith('{')) return new Map([['', activeValues(text)] as const].filter(([, values]) => values.length > 0));
  const sites = parsed(text);
  if (typeof sites !== 'object' || sites === null || !Object.values(sites).every(isListOfTexts)) throw new Error('secrets by site are a JSON object of lists of texts');
  return new Map(Object.entries(sites as Record<string, string[]>).map(([site, values]) => [site, cleaned(values)]));
}

/** The values in a secret's text. Blank ones are none: an empty key would accept anybody who knows that it is empty. */
export function activeValues(text: string): readonly string[] {
  return cleaned(text.trim().startsWith('[') ? listOf(text) : [text]);
}

const cleaned = (values: readonly string[]): readonly string[] => values.map((value) => value.trim()).filter((value) => value !== '');

const isListOfTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');

function listOf(text: string): readonly string[] {
  const list = parsed(text);
  if (!isListOfTexts(list)) throw new Error('a list of secrets is a JSON list of texts');
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
