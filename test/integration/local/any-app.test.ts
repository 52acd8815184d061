// An app that has nothing to do with Baton, started by the runtime's own command.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callAws } from './small-stack.ts';

const MAIN = join(import.meta.dirname, '../../../infra/local/main.ts');
const APP = join(import.meta.dirname, 'fixtures/parcels');

type Started = { urls: { aws: string; webhooks: string; console: string }; outputs: Record<string, string> };
let folder: string;
let child: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-any-app-'));
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): ChildProcess {
  child = spawn(process.execPath, [MAIN, '--port', '0', '--data', join(folder, 'data'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return child;
}

async function ended(...args: string[]): Promise<{ status: number; said: string }> {
  let said = '';
  const started = run(...args);
  for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const [status] = (await once(started, 'close')) as [number];
  return { status, said };
}

async function firstLine(started: ChildProcess): Promise<string> {
  if (!started.stdout) throw new Error('no output');
  const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
  return line;
}

const post = (url: string, body: unknown, headers = {}) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

test('B: any app of this shape runs by the runtime’s own command: API, function, table, bus, queue and state machine', async () => {
  const { urls, outputs } = JSON.parse(await firstLine(run('--app', APP, '--parameter', 'Desk=back', '--json'))) as Started;
  const taken = await post(`${urls.webhooks}/parcels`, { id: 'p-1', grams: 2500 });
  expect([taken.status, await taken.json()]).toEqual([201, { id: 'p-1', desk: 'back' }]);
  await post(`${urls.console}time`, { advanceSeconds: 3601 });
  const { output } = await callAws(urls.aws, 'AmazonSQS.ReceiveMessage', { QueueUrl: outputs.QueueUrl });
  expect(JSON.parse((output.Messages as { Body: string }[])[0]?.Body ?? '{}')).toMatchObject({ source: 'parcels', detail: { id: 'p-1' } });
  const executionArn = `${outputs.MachineArn?.replace(':stateMachine:', ':execution:')}:p-1`;
  expect((await callAws(urls.aws, 'AWSStepFunctions.DescribeExecution', { executionArn })).output).toMatchObject({ status: 'SUCCEEDED', output: '"by cart"' });
  const pages = await Promise.all(
    ['', 'executions/p-1', 'queues/parcels-taken', 'logs'].map(async (path) => (await fetch(`${urls.console}${path}`, { headers: { accept: 'text/html' } })).text()),
  );
  for (const [at, said] of ['How heavy', 'TaskSucceeded', 'parcel.taken', 'Log'].entries()) expect(pages[at]).toContain(said);
});

test('B-9: without --json it greets a person, and takes over what is synthesized again', async () => {
  const app = join(folder, 'app');
  cpSync(APP, app, { recursive: true });
  const started = run('--app', app);
  const lines = createInterface({ input: started.stdout ?? process.stdin });
  const seen: string[] = [];
  const heard = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => seen.some((line) => line.includes(text)) && resolve();
      lines.on('line', look);
      look();
    });
  lines.on('line', (line) => seen.push(line));
  await heard('Ctrl+C stops it');
  expect(seen.join('\n')).toContain('QueueUrl = https://sqs');
  const assets = join(app, 'Parcels.assets.json');
  const template = join(app, 'Parcels.template.json');
  cpSync(join(app, 'asset.weigh'), join(app, 'asset.weigh-2'), { recursive: true });
  writeFileSync(assets, readFileSync(assets, 'utf8').replace('asset.weigh', 'asset.weigh-2').replace('weigh.zip', 'weigh-2.zip'));
  writeFileSync(template, readFileSync(template, 'utf8').replace('weigh.zip', 'weigh-2.zip'));
  await heard('Reloaded: Weigh');
});

test.each([
  [['--app', 'no-such-folder'], 3, /There is no no-such-folder\/manifest\.json.*Synthesize again/],
  [['--app', APP, '--port', '99999'], 3, /--port takes a number from 0 to 65535, not "99999"/],
  [['--app', APP, '--parameter', 'Desk'], 3, /--parameter takes NAME=VALUE/],
  [['--app', APP, '--parameter', 'Table=x'], 3, /The template has no parameter Table \(it has: Desk\)/],
  [['--app', APP, '--stack', 'Other'], 3, /holds 1 stacks \(Parcels\).*"Other" is not it/],
  [['--nonsense'], 2, /nonsense/],
])('B-9: %j ends with one sentence and status %d', async (args, status, sentence) => {
  const result = await ended(...args);
  expect(result.said).toMatch(sentence);
  expect(result.said).not.toContain('    at ');
  expect(result.status).toBe(status);
});

test('B: --help says what there is', async () => {
  expect(await ended('--help')).toMatchObject({ status: 0, said: expect.stringContaining('--app DIR') });
});
