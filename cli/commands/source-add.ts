import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { names, SITE, sourceNamed, sourceParts } from '../../shared/domain/source-name.ts';
import type { Provider } from '../../shared/sources/provider.ts';
import { PROVIDERS, providerNamed } from '../../shared/sources/registry.ts';
import { VERIFY_TOKEN } from '../../shared/sources/verify/hub-handshake.ts';
import { type Output, UsageError } from '../command.ts';
import { keepFetchToken } from '../fetch-tokens.ts';
import { findInstallation, INSTALLATION_OPTIONS, type Outputs } from '../installation.ts';
import { newSecret, readValues, secretIdOf, writeValues } from '../source-secrets.ts';

const OPTIONS = {
  ...INSTALLATION_OPTIONS,
  secret: { type: 'string' },
  rotate: { type: 'boolean' },
  'only-newest': { type: 'boolean' },
  'fetch-token': { type: 'string' },
  name: { type: 'string' },
} as const;

/** The site of `--name`, checked. */
export function wantedSite(name: string | undefined): string | undefined {
  if (name !== undefined && !SITE.test(name)) throw new UsageError('a site is named with up to 20 small letters, digits and single hyphens, such as north-branch.');
  return name;
}

/** The provider with this name, or a usage error that lists them. */
export function wantedProvider([name, ...more]: readonly string[]): Provider {
  const provider = name === undefined ? undefined : providerNamed(name);
  if (provider === undefined || more.length > 0) throw new UsageError(`name one provider: ${PROVIDERS.map((one) => one.name).join(', ')}.`);
  return provider;
}

export async function addSource(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const provider = wantedProvider(positionals);
  const { outputs } = findInstallation(values);
  const id = secretIdOf(provider.name, outputs);
  const site = wantedSite(values.name);
  const source = sourceNamed(provider.name, site);
  const known = await readValues(id, site);
  const wanted = wantedValues(provider, known, { ...values, secret: readOption(values.secret) });
  const changed = wanted.length !== known.length || wanted.some((value, index) => value !== known[index]);
  if (changed) await writeValues(id, wanted, `Secrets of the source ${provider.name}.`, site);
  const aboutTokens = await keepFetchToken(provider.name, site, { token: readOption(values['fetch-token']), onlyNewest: values['only-newest'] === true });
  for (const line of instructions(provider, wanted, { source, outputs })) output.line(line);
  if (changed && known.length > 0) output.line('The secret changes within three minutes; the former ones stay valid until --only-newest.');
  for (const line of aboutTokens) output.line(line);
  for (const line of await missingContract(source, outputs)) output.line(line);
  return 0;
}

const readOption = (value: string | undefined): string | undefined => (value === '-' ? readFileSync(0, 'utf8').trim() : value);

type Wishes = { secret?: string | undefined; rotate?: boolean | undefined; 'only-newest'?: boolean | undefined };

/** The values that shall be active, newest first; a verify token stands behind them. */
function wantedValues(provider: Provider, known: readonly string[], { secret, rotate = false, 'only-newest': onlyNewest = false }: Wishes): readonly string[] {
  const [tokens, secrets] = [known.filter(isVerifyToken), known.filter((value) => !isVerifyToken(value))];
  if (secret === '') throw new UsageError('the secret is empty.');
  const given = secret ?? (provider.secret.from === 'baton' && (rotate || secrets.length === 0) ? newSecret() : undefined);
  const all = given === undefined ? secrets : [given, ...secrets.filter((value) => value !== given)];
  if (all.length === 0)
    throw new UsageError(`${provider.title} makes the secret: give it with --secret VALUE (or --secret - from standard input). It is the ${provider.secret.what}.`);
  const needsToken = provider.setup.some((line) => line.includes('<verify>'));
  return [...(onlyNewest ? all.slice(0, 1) : all), ...(needsToken && tokens.length === 0 ? [`${VERIFY_TOKEN}${newSecret()}`] : tokens)];
}

const isVerifyToken = (value: string): boolean => value.startsWith(VERIFY_TOKEN);

/** What to do in the provider's screens, with the real values. A secret that the provider made is not shown again. */
function instructions({ title, setup, secret, name }: Provider, values: readonly string[], { source, outputs }: { source: string; outputs: Outputs }): string[] {
  const verify = values.find(isVerifyToken)?.slice(VERIFY_TOKEN.length) ?? '';
  const shown = secret.from === 'baton' ? (values[0] ?? '') : `(the ${secret.what})`;
  const url = `${outputs.WebhookUrl}/${source}`;
  const steps = setup.map((line, index) => `  ${index + 1}. ${line.replaceAll('<url>', url).replaceAll('<secret>', shown).replaceAll('<verify>', verify)}`);
  return [`${title}: ${url}`, '', ...steps, '', `Then try it: npx baton source test ${name}${source === name ? '' : ` --name ${sourceParts(source)?.site}`}`];
}

/** Says what its signals start, since a signal that no contract starts on is recorded and opens nothing. */
async function missingContract(source: string, { TableName }: Outputs): Promise<string[]> {
  const { contracts } = await dynamodbPolicyBook(dynamodbTable(TableName)).active();
  const started = contracts.flatMap(({ name, starts }) => starts.flatMap(({ from, on }) => (names(from, source) === undefined ? [] : [`${name} on ${on}`])));
  if (started.length > 0) return [`Starts ${[...new Set(started)].join(', ')}.`];
  return [`No contract starts on ${source} yet: add it to starts.from in policy/ and publish, or its signals are recorded and open nothing.`];
}
