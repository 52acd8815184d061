// baton send: one signed signal, as a form on the customer's website would send it.

import { createHash, createHmac, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';

const SAMPLES = new URL('../samples/', import.meta.url);
const sampleNames = () =>
  readdirSync(SAMPLES)
    .map((file) => file.replace(/\.json$/, ''))
    .sort();

const HELP = `baton send FILE|SAMPLE [--id ID] [--to URL --secret whsec_…]

Sends one JSON signal, signed as the Standard Webhooks scheme asks, to the website intake.
SAMPLE is one of: ${sampleNames().join(', ')}. A sample gets a fresh id each time; a file keeps its own.

  --id ID          the event's id; the same id twice opens one handoff
  --to URL         where to send it (default: the website intake of the installation below)
  --secret SECRET  the signing secret (default: read from the installation's Secrets Manager)
${INSTALLATION_HELP}`;

export const send: Command = {
  name: 'send',
  summary: 'send a signed signal (a file, or a named sample)',
  help: HELP,
  async run(args, output) {
    const options = { ...INSTALLATION_OPTIONS, id: { type: 'string' }, to: { type: 'string' }, secret: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [what] = positionals;
    if (what === undefined || positionals.length > 1) throw new UsageError(`name one file, or one of the samples ${sampleNames().join(', ')}.`);
    if ((values.to === undefined) !== (values.secret === undefined)) throw new UsageError('--to and --secret go together.');

    const { body, id } = signalFrom(what, values.id);
    const target = values.to !== undefined && values.secret !== undefined ? { url: values.to, secret: values.secret, at: new Date() } : await websiteIntake(values);
    const answer = await fetch(target.url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...signedHeaders(body, id, target.secret, target.at) } });
    const text = await answer.text();
    if (!answer.ok) {
      output.error(`${target.url} answered ${answer.status}: ${text.slice(0, 300)}`);
      return 1;
    }
    const handoff = signalDigest.handoffId({ source: 'website', eventId: id });
    output.line(`Received (${answer.status}). Event ${id} is handoff ${handoff}.`);
    if (values.to === undefined) output.line(`Look at it with: npx baton show ${handoff}`);
    return 0;
  },
};

/** The headers of a Standard Webhooks delivery made at an instant. */
export function signedHeaders(body: string, id: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function signalFrom(what: string, id: string | undefined): { body: string; id: string } {
  const isSample = sampleNames().includes(what);
  if (!isSample && !existsSync(what)) throw new UsageError(`${what} is neither a file nor a sample (${sampleNames().join(', ')}).`);
  const text = readFileSync(isSample ? new URL(`${what}.json`, SAMPLES) : what, 'utf8');
  const signal = parse(text, what);
  const own = typeof signal.request_id === 'string' && !isSample ? signal.request_id : `${what.replace(/[^a-z0-9-]/gi, '-')}-${randomUUID()}`;
  const chosen = id ?? own;
  return { body: JSON.stringify({ ...(isSample ? asSomebodyElse(signal, chosen) : signal), request_id: chosen }), id: chosen };
}

/** A sample comes from a person of its own each time, or the second one would join the handoff of the first (D-01). The same id, the same person. */
function asSomebodyElse({ name, email, phone, ...rest }: Record<string, unknown>, id: string): Record<string, unknown> {
  const own = createHash('sha256').update(id).digest('hex').slice(0, 6);
  const line = String(Number.parseInt(own, 16) % 100).padStart(2, '0');
  return {
    ...rest,
    ...(typeof name === 'string' && { name: `${name}-${own}` }),
    ...(typeof email === 'string' && { email: email.replace('@', `.${own}@`) }),
    ...(typeof phone === 'string' && { phone: phone.replace(/\d\d$/, line) }),
  };
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw new UsageError(`${file} must hold one JSON object.`);
}

async function websiteIntake(options: { data?: string | undefined; outputs?: string | undefined }): Promise<{ url: string; secret: string; at: Date }> {
  const installation = findInstallation(options);
  const { outputs } = installation;
  const { SecretString } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: outputs.WebsiteSecretArn }));
  if (SecretString === undefined) throw new Error('the website secret has no value');
  return { url: `${outputs.WebhookUrl}/website`, secret: SecretString, at: new Date(await timeOf(installation)) };
}
