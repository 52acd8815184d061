// How much memory the local runtime holds: the process with its functions, and the database beside it.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningBaton } from '../support/running-baton.ts';
import { type Print, rounded } from './figure.ts';

/** Resident memory now; nothing where the system does not tell (only Linux does here). */
export function memoryFigure(print: Print, { child }: RunningBaton, after: string): void {
  const own = residentMegabytes(child.pid);
  if (own === undefined) {
    console.log(JSON.stringify({ figure: 'memory', value: null, unit: 'MB', after, because: 'this system has no /proc' }));
    return;
  }
  const children = childrenOf(child.pid).reduce((sum, pid) => sum + (residentMegabytes(pid) ?? 0), 0);
  print('memory', rounded(own), 'MB', { after, database: rounded(children) });
}

/** How long the runtime keeps functions that nobody needs, and a little more. */
const GIVEN_UP_SECONDS = 25;

/** Waits until functions that are no longer needed have been given up, so that what is left is what is kept. */
export const atRest = (): Promise<void> => pause(GIVEN_UP_SECONDS * 1000);

function residentMegabytes(pid: number | undefined): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(statusOf(pid))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

function statusOf(pid: number | string | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** All processes below one, at any depth. */
function childrenOf(pid: number | undefined): number[] {
  const all = processes().filter(({ parent }) => parent === pid);
  return all.flatMap(({ id }) => [id, ...childrenOf(id)]);
}

function processes(): { id: number; parent: number }[] {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.map((id) => ({ id: Number(id), parent: Number(/^PPid:\s+(\d+)/m.exec(statusOf(id))?.[1]) }));
  } catch {
    return [];
  }
}
