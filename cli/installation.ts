// Which Baton a command speaks to: the one on this laptop, or one on AWS.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemTime } from '../shared/adapters/system-time.ts';
import { UsageError } from './command.ts';

/** Names of the stack's outputs that commands use. */
export type Outputs = Record<
  'TableName' | 'BusName' | 'MachineArn' | 'ReportBucketName' | 'RawBucketName' | 'WebhookUrl' | 'WebsiteSecretArn' | 'TypeformSecretArn' | 'TwilioSecretArn' | 'BatonSecretArn',
  string
> &
  /** Senders; an installation of an earlier version does not name them. */
  Partial<Record<'MailFrom' | 'SmsFrom', string>>;

export type Urls = { console: string; webhooks: string; mailbox: string; aws: string };

/** A running Baton and how to reach it. */
export type Installation = { outputs: Outputs; urls?: Urls };

const NAMES: readonly (keyof Outputs)[] = [
  'TableName',
  'BusName',
  'MachineArn',
  'ReportBucketName',
  'RawBucketName',
  'WebhookUrl',
  'WebsiteSecretArn',
  'TypeformSecretArn',
  'TwilioSecretArn',
  'BatonSecretArn',
];

export const runtimeFile = (dataDir: string) => join(dataDir, 'runtime.json');

/** Options every command shares that speaks to an installation. */
export const INSTALLATION_OPTIONS = { data: { type: 'string' }, outputs: { type: 'string' } } as const;

export const INSTALLATION_HELP = `  --data DIR       folder of the local Baton (default .baton)
  --outputs FILE   speak to one on AWS instead: the file that "cdk deploy --outputs-file FILE" wrote`;

/**
 * Finds the installation and points the AWS clients of this process at it.
 * Throws `UsageError` when nothing runs here or the outputs file lacks a name.
 */
export function findInstallation(options: { data?: string | undefined; outputs?: string | undefined }): Installation {
  if (options.outputs !== undefined) return { outputs: complete(deployed(options.outputs), options.outputs) };
  const file = runtimeFile(options.data ?? '.baton');
  if (!existsSync(file)) throw new UsageError(`no Baton has run in ${options.data ?? '.baton'}; start one with "npm start", or name one on AWS with --outputs FILE.`);
  const { outputs, urls } = readJson(file) as { outputs: Record<string, unknown>; urls: Urls };
  pointAt(urls.aws);
  return { outputs: complete(outputs, file), urls };
}

/** Now, as the installation has it: on this laptop its time may have been moved. */
export async function timeOf({ urls }: Installation): Promise<string> {
  if (urls === undefined) return systemTime.now();
  const answer = await fetch(new URL('/_baton/time', urls.console));
  if (!answer.ok) throw new Error(`${urls.console} does not tell its time (status ${answer.status}).`);
  const { now } = (await answer.json()) as { now: string };
  return now;
}

/** Makes every AWS client of this process speak to a local endpoint, as an operator. */
export function pointAt(endpoint: string): void {
  process.env.AWS_ENDPOINT_URL = endpoint;
  process.env.AWS_REGION = 'us-east-1';
  process.env.AWS_ACCESS_KEY_ID = 'operator';
  process.env.AWS_SECRET_ACCESS_KEY = 'operator';
}

function deployed(file: string): Record<string, unknown> {
  if (!existsSync(file)) throw new UsageError(`${file} does not exist.`);
  const stacks = Object.values(readJson(file) as Record<string, Record<string, unknown>>);
  return Object.assign({}, ...stacks);
}

function complete(outputs: Record<string, unknown>, file: string): Outputs {
  const missing = NAMES.filter((name) => typeof outputs[name] !== 'string');
  if (missing.length > 0) throw new UsageError(`${file} lacks the output ${missing.join(', ')}; is it from this version of Baton?`);
  return outputs as Outputs;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
