import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

type Remembered = { pid: number; commandLine: string };

const fileIn = (dataDir: string): string => join(dataDir, 'dynamodb.pid');

export function rememberProcess(dataDir: string, pid: number, commandLine: string): void {
  writeFileSync(fileIn(dataDir), JSON.stringify({ pid, commandLine } satisfies Remembered));
}

export function forgetProcess(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

/** Ends a database that a killed runtime left behind. A process that only happens to have its number is left alone. */
export async function endLeftover(dataDir: string): Promise<void> {
  const left = readRemembered(dataDir);
  if (left && isOurs(left)) {
    process.kill(left.pid, 'SIGKILL');
    for (let tries = 0; tries < 200 && isOurs(left); tries += 1) await pause(10);
  }
  forgetProcess(dataDir);
}

function readRemembered(dataDir: string): Remembered | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Remembered;
  } catch {
    return undefined;
  }
}

function isOurs({ pid, commandLine }: Remembered): boolean {
  return commandLineOf(pid).includes(commandLine);
}

function commandLineOf(pid: number): string {
  try {
    const proc = `/proc/${pid}/cmdline`;
    return existsSync('/proc/self') ? readFileSync(proc, 'utf8').replaceAll('\0', ' ') : execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
