// How a person names a policy at the keyboard: a folder, the one in force, a publication by number, a contract by its version.

import { statSync } from 'node:fs';
import { loadPolicy } from '../../shared/contracts/policy-files.ts';
import type { ActivePolicy } from '../../shared/ports/policy-book.ts';
import type { PolicyPress, PolicyVersions, Publication } from '../../shared/ports/policy-press.ts';
import { UsageError } from '../command.ts';

/** Fewer characters of a version could mean several. */
const SHORTEST_VERSION = 6;

/** The versions that a person names, out of what was published: `active`, `3`, or the first characters of a contract's version. */
export function versionsNamed(name: string, history: readonly Publication[]): PolicyVersions & { backTo?: number } {
  const [current] = history;
  if (current === undefined) throw new UsageError('nothing was ever published there.');
  if (name === 'active') return current;
  if (/^\d{1,5}$/.test(name)) {
    const found = history.find((one) => one.number === Number(name));
    if (found === undefined) throw new UsageError(`there is no publication ${name}; "baton policy history" lists them.`);
    return { ...found, backTo: found.number };
  }
  return { ...current, contracts: { ...current.contracts, ...contractNamed(name, history) } };
}

function contractNamed(name: string, history: readonly Publication[]): Record<string, string> {
  if (!/^[0-9a-f]+$/.test(name) || name.length < SHORTEST_VERSION)
    throw new UsageError(`"${name}" names no policy: say active, a number of "baton policy history", ${SHORTEST_VERSION} or more characters of a version, or a folder.`);
  const found = new Map(history.flatMap(({ contracts }) => Object.entries(contracts)).flatMap(([contract, hash]) => (hash.startsWith(name) ? [[hash, contract] as const] : [])));
  const [only, ...others] = found;
  if (only === undefined) throw new UsageError(`no contract was ever published on a version that begins with ${name}.`);
  if (others.length > 0) throw new UsageError(`${found.size} versions begin with ${name}: give more characters.`);
  return { [only[1]]: only[0] };
}

/** What a reference says. A folder that has mistakes is refused, with the first of them. */
export async function policyNamed(name: string, press: () => PolicyPress): Promise<ActivePolicy> {
  if (isFolder(name)) {
    const read = loadPolicy(name);
    if (read.kind === 'invalid') throw new UsageError(`${name} is not in order: ${read.findings[0]}`);
    return read.policy;
  }
  const open = press();
  return open.contents(versionsNamed(name, await open.history()));
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
