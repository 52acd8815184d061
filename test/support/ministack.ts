// An independent AWS emulator (MiniStack), started for one test file on a free loopback port and ended by its own id.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { endsWithUs } from './ends-with-us.ts';
import { eventually } from './eventually.ts';

export type Ministack = { endpoint: string; port: number; env: NodeJS.ProcessEnv; stop(): Promise<void> };

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Starts it, or says in one sentence what is missing. Functions run on the Node that runs this test. */
export async function startMinistack(): Promise<Ministack> {
  if (spawnSync('ministack', ['--help']).error !== undefined) throw new Error('MiniStack is not installed: pip install ministack==1.5.33');
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const child = spawn('ministack', [], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  endsWithUs(child);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(String(chunk)));
  await eventually('MiniStack answers', 60, async () => {
    if (child.exitCode !== null) throw new Error(`MiniStack ended: ${output.join('').slice(-2000)}`);
    return (await fetch(`${endpoint}/_ministack/health`)).ok;
  });
  return { endpoint, port, env, stop: () => ended(child) };
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  });
