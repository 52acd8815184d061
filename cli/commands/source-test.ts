import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { firstPacket } from '../../shared/domain/first-packet.ts';
import { sourceNamed, sourceParts } from '../../shared/domain/source-name.ts';
import type { Delivery } from '../../shared/ports/signal-source.ts';
import type { Provider } from '../../shared/sources/provider.ts';
import { VERIFY_TOKEN } from '../../shared/sources/verify/hub-handshake.ts';
import { type Output, UsageError } from '../command.ts';
import { decidedSignal, type Watch } from '../decided-signal.ts';
import { findInstallation, INSTALLATION_OPTIONS, type Installation, timeOf } from '../installation.ts';
import { readValues, secretIdOf } from '../source-secrets.ts';
import { wantedProvider, wantedSite } from './source-add.ts';

const FIXTURES = new URL('../../shared/sources/fixtures/', import.meta.url);

type Sample = { url: string; headers: Record<string, string>; rawBody: string };

export async function testSource(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, name: { type: 'string' } } });
  const provider = wantedProvider(positionals);
  const installation = findInstallation(values);
  const now = await timeOf(installation);
  const trial = randomBytes(8).toString('hex');
  const source = sourceNamed(provider.name, wantedSite(values.name));
  const delivery = await signedSample(provider, source, installation, now);
  const post = () => fetch(delivery.url, { method: 'POST', headers: { ...delivery.headers, 'baton-trial': trial }, body: delivery.body, redirect: 'error' });
  const response = await post();
  const answer = (await response.text()).slice(0, 200);
  output.line(`${provider.title}: ${response.status} ${answer}`);
  if (!response.ok) return refused(output, response.status);
  const reading = provider.read(delivery, now, { country: 'US' });
  const eventIds = reading.kind === 'signals' ? reading.signals.map(({ eventId }) => `trial-${trial}-${eventId}`.slice(0, 256)) : [];
  if (eventIds.length === 0) output.line('The sample is no request by its nature, so it becomes no packet.');
  const signals = dynamodbSignalLog(dynamodbTable(installation.outputs.TableName));
  for (const eventId of eventIds)
    await showRecorded({ find: () => signals.find({ source, eventId }), sendAgain: async () => (await post()).body?.cancel(), pause }, eventId, output);
  return 0;
}

/** The provider's recorded sample, as it would come to this installation now. */
async function signedSample(provider: Provider, source: string, { outputs }: Installation, now: string): Promise<Delivery> {
  const sample = sampleOf(provider);
  const [secret] = (await readValues(secretIdOf(provider.name, outputs), sourceParts(source)?.site)).filter((value) => !value.startsWith(VERIFY_TOKEN));
  if (secret === undefined) throw new UsageError(`${source} has no secret yet; run "baton source add".`);
  const { authorization: _, 'x-webhook-token': __, ...headers } = sample.headers;
  const query = sample.url.includes('?') ? sample.url.slice(sample.url.indexOf('?')) : '';
  const bare: Delivery = { url: `${outputs.WebhookUrl}/${source}${query}`, headers, body: new TextEncoder().encode(sample.rawBody) };
  try {
    return provider.verification.sign(bare, secret, now);
  } catch (cause) {
    throw new UsageError(`only ${provider.title} itself can sign a delivery; send a test from its own screen.`, { cause });
  }
}

function sampleOf({ name, title }: Provider): Sample {
  const { vectors, without } = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')) as { vectors: Sample[]; without?: string };
  const [sample] = vectors;
  if (sample === undefined) throw new UsageError(`there is no sample of ${title}: ${without ?? 'none was recorded'}.`);
  return sample;
}

function refused(output: Output, status: number): number {
  output.error(status === 401 ? 'The signature was not accepted. A secret that was changed is used after three minutes.' : 'The sample was not taken in.');
  return 1;
}

/** Waits until the signal is in the table, then shows the packet that it would open with. */
async function showRecorded(watch: Watch, eventId: string, output: Output): Promise<void> {
  const found = await decidedSignal(watch);
  if (found === undefined) throw new Error(`the signal ${eventId} was taken in but is not in the table after a minute; look at the dead-letter queues (baton redrive)`);
  output.line(`Recorded as ${eventId}: ${found.standing.kind === 'ignored' ? `not opened (${found.standing.because})` : 'opened'}.`);
  output.line(JSON.stringify(firstPacket(found.signal), null, 2));
}
