import { parseArgs } from 'node:util';
import { diffPolicies } from '../../shared/domain/policy-diff.ts';
import { type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS } from '../installation.ts';
import { policyNamed } from './policy-reference.ts';
import { pressOf } from './put-in-force.ts';

/** What changes from one policy to another, one line a change. */
export async function showDiff(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: INSTALLATION_OPTIONS });
  const [before, after, ...more] = positionals;
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError('say "policy diff A B": folders, active, numbers of "baton policy history", or versions.');
  const press = pressOf(() => findInstallation(values));
  const lines = diffPolicies(await policyNamed(before, press), await policyNamed(after, press));
  for (const line of lines) output.line(line);
  if (lines.length === 0) output.line('They say the same.');
  return 0;
}
