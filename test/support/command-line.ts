// A person at a keyboard, and the running Baton that they mean.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../cli/baton.ts';
import { type Installation, runtimeFile } from '../../cli/installation.ts';

/** One `baton …` as a person types it, with the lines it prints and its exit status. */
export async function typed({ installation }: { installation: Installation }, ...args: string[]): Promise<{ status: number; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(runtimeFile(folder), JSON.stringify(installation));
  const lines: string[] = [];
  const status = await main([...args, '--data', folder], { line: (text) => lines.push(text), error: (text) => lines.push(text) });
  return { status, text: lines.join('\n') };
}
