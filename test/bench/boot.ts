// How long it takes until Baton answers: synthesis with and without work to do, and the start of the command until its first line.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningBaton, startBaton } from '../support/running-baton.ts';
import { type Print, rounded } from './figure.ts';

/** Prints the three times, and leaves the started Baton running for the figures that follow. */
export async function bootFigures(print: Print): Promise<RunningBaton> {
  const work = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  try {
    const assembly = join(work, 'cdk.out');
    print('synth', await timeOf(() => synthesizeInto(assembly)), 'ms', { inputs: 'new' });
    print('synth', await timeOf(() => synthesizeInto(assembly)), 'ms', { inputs: 'unchanged' });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  synthesizeInto('cdk.out'); // which the start below takes; it would make it otherwise, and that is not its time
  const started = performance.now();
  const baton = await startBaton();
  print('boot', rounded(performance.now() - started, 0), 'ms', { from: 'command', to: 'ready, policy published', synth: 'unchanged', budget: 5000 });
  return baton;
}

/** In a process of its own, as a person runs it. */
function synthesizeInto(assembly: string): void {
  const script = `const { synthesize } = await import('./infra/synth.ts'); await synthesize(${JSON.stringify(assembly)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the synthesis failed: ${stderr}`);
}

async function timeOf(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return rounded(performance.now() - from, 0);
}
