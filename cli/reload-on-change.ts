// Takes changes of the code into a running Baton: synthesize in a process of its own, then reload what can be reloaded.

import { spawn } from 'node:child_process';
import { spokenPath } from '../infra/local/cloudformation/template.ts';
import type { Reloaded } from '../infra/local/reload.ts';
import { watchFolders } from '../infra/local/watch.ts';
import type { Output } from './command.ts';

const FOLDERS = ['functions', 'shared', 'statemachines', 'infra'];
/** The runtime itself cannot change under its own feet. */
const matters = (path: string): boolean => /\.(ts|tsx|json|html|css)$/.test(path) && !path.startsWith('infra/local/');
const SHOWN_LINES = 12;

/** Anything that can take over a changed assembly. */
export type Reloadable = { reload(cdkOut: string): Promise<Reloaded> };

/** Watches the code until the returned function is called. Every result is one line; a failure leaves everything as it runs. */
export function reloadOnChange(runtime: Reloadable, output: Output): () => void {
  return watchFolders({ folders: FOLDERS, matters }, async () => {
    const startedAt = performance.now();
    try {
      await synthesizeApart();
      const line = sentenceOf(await runtime.reload('cdk.out'), performance.now() - startedAt);
      if (line !== '') output.line(line);
    } catch (fault) {
      output.error(`Not reloaded; what ran before goes on. ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  });
}

/** What happened, for the person who saved the file; empty when nothing did. */
export function sentenceOf({ functions, machines, restart }: Reloaded, milliseconds: number): string {
  const swapped = [...functions.map(spokenPath), ...machines.map((path) => `${spokenPath(path)} (executions under way keep their definition)`)];
  return [
    ...(swapped.length > 0 ? [`Reloaded in ${(milliseconds / 1000).toFixed(1)} s: ${swapped.join(', ')}`] : []),
    ...(restart.length > 0 ? [`Restart to apply: ${restart.join(', ')}`] : []),
  ].join('\n');
}

/** In a process of its own: modules are loaded once, so changed infrastructure needs a new one, and CDK's 200 MB are given back. */
export function synthesizeApart(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['infra/synth.ts'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', (status) => (status === 0 ? resolve() : reject(new Error(`The synthesis failed:\n${firstLines(said)}`))));
  });
}

/** What the bundler or the CDK had to say, without the place in their own code where they said it. */
function firstLines(said: string): string {
  const [message = ''] = said.split(/\n\S+\.[cm]?[jt]s:\d+\n/);
  const lines = (message.trim() === '' ? said : message).trim().split('\n');
  return lines
    .filter((line) => !/^\s+at /.test(line))
    .slice(0, SHOWN_LINES)
    .join('\n');
}
