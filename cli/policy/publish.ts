import { parseArgs } from 'node:util';
import type { Output } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS } from '../installation.ts';
import { onlyOne, policyIn } from './check.ts';
import { putInForce } from './put-in-force.ts';

/** Options that say who changes policy and why. */
export const CHANGE_OPTIONS = { by: { type: 'string' }, why: { type: 'string' }, evidence: { type: 'string' } } as const;

export async function publishPolicy(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, ...CHANGE_OPTIONS } });
  const policy = policyIn(onlyOne(positionals), output);
  if (policy === undefined) return 1;
  return putInForce(policy, values, findInstallation(values), output);
}
