import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { callAws, invoke, lambda, role, type SmallStack, table, writeStack } from './small-stack.ts';

const SIGN = `'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'`;
/** Writes one row per event; fails the first time in each process, so that retries are always waiting. */
const WRITE = `
const seen = new Set();
export const handler = async (event) => {
  if (event.failsFirst && !seen.has(event.n)) { seen.add(event.n); throw new Error('first time'); }
  const r = await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers: { 'x-amz-target': 'DynamoDB_20120810.PutItem', 'content-type': 'application/x-amz-json-1.0', authorization: ${SIGN} }, body: JSON.stringify({ TableName: 'things', Item: { pk: { S: 'done' }, sk: { S: String(event.n) } } }) });
  if (!r.ok) throw new Error(await r.text());
};`;

let stack: SmallStack;
let child: ChildProcess | undefined;
let runtime: Runtime | undefined;

beforeEach(() => {
  stack = writeStack(
    { Role: role({ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: { 'Fn::GetAtt': ['Table', 'Arn'] } }), Table: table, Write: lambda('write', { Timeout: 10 }) },
    { write: WRITE },
  );
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await runtime?.stop();
  runtime = undefined;
  stack.remove();
});

async function bootChild(): Promise<string> {
  child = spawn(process.execPath, [join(import.meta.dirname, 'boot-and-stay.ts'), stack.cdkOut, stack.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return line.toString().trim();
}

async function kill(): Promise<void> {
  const ended = once(child ?? process, 'exit');
  child?.kill('SIGKILL');
  await ended;
}

const bootHere = async (): Promise<Runtime> => {
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
  return runtime;
};

/** Empty once the process has ended, also while nobody has collected its exit status. */
function commandLineOf(pid: number): string {
  return existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : '';
}

async function doneRows(url: string): Promise<number[]> {
  const { output } = await callAws(url, 'DynamoDB_20120810.Query', { TableName: 'things', KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'done' } } });
  return (output.Items as { sk: { S: string } }[]).map((item) => Number(item.sk.S)).sort((a, b) => a - b);
}

test('B-3: asynchronous invocations that were acknowledged survive kill -9, those waiting for a retry as well', async () => {
  const url = await bootChild();
  const all = Array.from({ length: 20 }, (_, n) => n);
  const answers = await Promise.all(all.map((n) => invoke(url, 'write', { n, failsFirst: n % 2 === 0 }, 'Event')));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  await kill();
  const here = await bootHere();
  await here.advance(300);
  expect(await doneRows(here.urls.aws)).toEqual(all);
});

test('B-3: advanced time survives kill -9, and rows that were written are there', async () => {
  const url = await bootChild();
  await fetch(`${url}/_baton/time`, { method: 'POST', body: '{"advanceSeconds": 86400}' });
  await invoke(url, 'write', { n: 7 });
  await kill();
  const here = await bootHere();
  expect(here.now()).toBeGreaterThan(Date.now() + 86_000_000);
  expect(await doneRows(here.urls.aws)).toEqual([7]);
});

test('B-3: the database of a killed runtime does not stay behind, and a stranger with its old number is left alone', async () => {
  await bootChild();
  const pidFile = join(stack.dataDir, 'dynamodb.pid');
  const { pid, commandLine } = JSON.parse(readFileSync(pidFile, 'utf8')) as { pid: number; commandLine: string };
  await kill();
  writeFileSync(pidFile, JSON.stringify({ pid: process.pid, commandLine }));
  const here = await bootHere();
  expect(commandLineOf(pid)).not.toContain(commandLine);
  await here.stop();
  runtime = undefined;
  expect(existsSync(pidFile)).toBe(false);
});

test('B-9: a second runtime on the same folder, and one on a taken port, are refused in one clear sentence and leave the first alone', async () => {
  const here = await bootHere();
  await expect(bootRuntime({ ...stack, port: 0, quiet: true })).rejects.toThrow(/^Another local runtime is using .*choose another folder with --data\.$/);
  const port = Number(new URL(here.urls.aws).port);
  await expect(bootRuntime({ ...stack, dataDir: join(stack.root, 'other'), port, quiet: true })).rejects.toThrow(`Port ${port} is taken`);
  expect((await invoke(here.urls.aws, 'write', { n: 1 })).error).toBeNull();
});

test('B-7: a boot that is refused leaves nothing running and nothing locked', async () => {
  const odd = writeStack({ Odd: { Type: 'AWS::Odd::Thing', Metadata: { 'aws:cdk:path': 'Small/Odd' } } });
  await expect(bootRuntime({ ...odd, port: 0, quiet: true })).rejects.toThrow('Odd (Small/Odd): type AWS::Odd::Thing is not supported (supported: AWS::ApiGatewayV2::Api,');
  await expect(bootRuntime({ ...odd, port: 0, quiet: true })).rejects.toThrow('AWS::Odd::Thing');
  expect(existsSync(join(odd.dataDir, 'dynamodb.pid'))).toBe(false);
  odd.remove();
});
