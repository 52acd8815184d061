import { parseArgs } from 'node:util';
import { ListSecretsCommand, type ListSecretsCommandOutput, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { dynamodbSourceBook } from '../../shared/adapters/dynamodb-source-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { SOURCE_SECRETS_PREFIX } from '../../shared/contracts/secret-names.ts';
import { NO_SOURCE } from '../../shared/domain/delivery-outcome.ts';
import { sourceNamed, sourceParts } from '../../shared/domain/source-name.ts';
import type { SourceRecord } from '../../shared/ports/source-book.ts';
import { PROVIDERS } from '../../shared/sources/registry.ts';
import { type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS, type Outputs } from '../installation.ts';
import { hintFor } from '../source-hints.ts';
import { readSites, secretIdOf } from '../source-secrets.ts';

/** Sources whose secret the template makes. */
const ALWAYS: ReadonlySet<string> = new Set(['website', 'typeform', 'twilio']);

type Line = { name: string; title: string; setUp: boolean; record: SourceRecord };

export async function listSources(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, all: { type: 'boolean' }, json: { type: 'boolean' } } });
  if (positionals.length > 0) throw new UsageError('"source list" takes no name.');
  const { outputs } = findInstallation(values);
  const set = new Set(await namesSetUp(outputs));
  const names = [...new Set([...PROVIDERS.map(({ name }) => name), ...set, NO_SOURCE])];
  const records = await dynamodbSourceBook(dynamodbTable(outputs.TableName)).read(names);
  const known = new Map(records.map((record) => [record.source, record]));
  const lines = PROVIDERS.flatMap(({ name: provider, title }) =>
    names
      .filter((name) => sourceParts(name)?.provider === provider)
      .map((name): Line => ({ name, title, setUp: set.has(name), record: known.get(name) ?? { source: name, received: 0, counts: {} } })),
  );
  const elsewhere = known.get(NO_SOURCE);
  if (elsewhere !== undefined) lines.push({ name: NO_SOURCE, title: 'Addresses that name no source', setUp: false, record: elsewhere });
  const shown = lines.filter(({ name, setUp }) => values.all === true || setUp || known.has(name));
  if (values.json === true) output.line(JSON.stringify(shown, null, 2));
  else for (const line of [...table(shown), ...hintsBelow(shown)]) output.line(line);
  return 0;
}

/** Every source with a secret: providers, and the sites of each. */
async function namesSetUp(outputs: Outputs): Promise<string[]> {
  const made = new Set([...ALWAYS, ...(await namesWithSecret())]);
  const sites = await Promise.all(
    PROVIDERS.filter(({ name }) => made.has(name)).map(async ({ name }) => ({ name, sites: [...(await readSites(secretIdOf(name, outputs))).keys()] })),
  );
  return sites.flatMap(({ name, sites: found }) => found.map((site) => sourceNamed(name, site === '' ? undefined : site)));
}

async function namesWithSecret(client = new SecretsManagerClient({})): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let from: string | undefined;
  do {
    const page: ListSecretsCommandOutput = await client.send(new ListSecretsCommand({ MaxResults: 100, ...(from !== undefined && { NextToken: from }) }));
    for (const { Name: name = '' } of page.SecretList ?? []) if (name.startsWith(SOURCE_SECRETS_PREFIX)) names.add(name.slice(SOURCE_SECRETS_PREFIX.length));
    from = page.NextToken;
  } while (from !== undefined);
  return names;
}

const HEAD = ['source', 'set up', 'received', 'last delivery', 'last failure', 'turned away (at least)'];

function table(lines: readonly Line[]): string[] {
  const rows = [HEAD, ...lines.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What to do about each failure that is newer than the last success, below the table and an empty line. */
function hintsBelow(lines: readonly Line[]): string[] {
  const hints = lines.flatMap(({ record }) => hintFor(record) ?? []);
  return hints.length === 0 ? [] : ['', ...hints];
}

function cellsOf({ name, setUp, record }: Line): string[] {
  const { received, lastReceivedAt = 'never', lastRefusedAt, lastRefusedBecause, counts } = record;
  const failure = lastRefusedAt === undefined ? '' : `${lastRefusedAt} ${lastRefusedBecause ?? ''}`;
  const reasons = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  return [name, setUp ? 'yes' : 'no', String(received), lastReceivedAt, failure, reasons.join(', ')];
}
