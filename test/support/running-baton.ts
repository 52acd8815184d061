// Baton as its user starts it: the real command in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pointAt, runtimeFile, type Urls } from '../../cli/installation.ts';
import { endsWithUs } from './ends-with-us.ts';

export type RunningBaton = {
  urls: Urls;
  outputs: Record<string, string>;
  dataDir: string;
  child: ChildProcess;
  /** Moves the runtime's time; answered when everything that became due is done. */
  advance(seconds: number): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Ends the process by a signal and waits for its end; the data stay unless this was the last stop. */
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

export type StartOptions = {
  dataDir?: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Folder it runs in, with a `policy/` and a `cdk.out`; by default the project. */
  folder?: string;
  /** Hands out the process before it has booted. */
  onSpawn?: (child: ChildProcess) => void;
};

/** Starts `baton start --json` and waits for its first line. The AWS clients of this process then speak to it. */
export async function startBaton(options: StartOptions = {}): Promise<RunningBaton> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'baton-run-'));
  const { port = 0, folder: cwd } = options;
  const command = ['start', '--json', '--port', String(port), '--data', dataDir];
  const child = endsWithUs(spawn(process.execPath, [resolve('cli/baton.mjs'), ...command], { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) }));
  options.onSpawn?.(child);
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  const urls = await firstLine(child, errors);
  pointAt(urls.aws);
  const { outputs } = JSON.parse(readFileSync(runtimeFile(dataDir), 'utf8')) as { outputs: Record<string, string> };

  const advance = async (seconds: number) => {
    const answer = await fetch(new URL('/_baton/time', urls.console), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds: seconds }),
    });
    if (!answer.ok) throw new Error(`time answered ${answer.status}: ${await answer.text()}`);
  };
  const kill = (signal: NodeJS.Signals) =>
    new Promise<void>((ended) => {
      if (child.exitCode !== null || child.signalCode !== null) return ended();
      child.once('exit', () => ended());
      child.kill(signal);
    });
  const stop = async () => {
    await kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { urls, outputs, dataDir, child, advance, settled: () => advance(0), kill, stop };
}

function firstLine(child: ChildProcess, errors: string[]): Promise<Urls> {
  return new Promise((found, reject) => {
    if (child.stdout === null) return reject(new Error('no output to read'));
    createInterface({ input: child.stdout }).once('line', (line) => {
      try {
        found(JSON.parse(line) as Urls);
      } catch (error) {
        reject(new Error(`the first line is not JSON: ${line}`, { cause: error }));
      }
    });
    child.once('exit', (code) => reject(new Error(`baton start ended with ${code}: ${errors.join('')}`)));
  });
}
