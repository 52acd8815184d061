import { parseArgs } from 'node:util';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { loadPolicy, type PolicySet } from '../../shared/contracts/policy-files.ts';
import { type Output, UsageError } from '../command.ts';
import { ownershipMap } from './ownership-map.ts';

/** The ownership audit (C-03): mistakes end it with status 1, advice does not. */
export async function checkPolicy(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { map: { type: 'boolean' } } });
  const policy = policyIn(onlyOne(positionals), output);
  if (policy === undefined) return 1;
  const { contracts, roster } = policy;
  if (values.map === true) for (const line of contracts.flatMap((contract) => ownershipMap(contract))) output.line(line);
  output.line(`In order: ${contracts.length} contract${contracts.length === 1 ? '' : 's'} (${contracts.map((one) => one.name).join(', ')}), ${roster.people.length} people.`);
  return 0;
}

/** The policy of a folder, or undefined when it has mistakes. Both mistakes and advice are told. */
export function policyIn(folder: string, output: Output): PolicySet | undefined {
  const read = loadPolicy(folder, systemTime.now().slice(0, 10));
  for (const finding of read.kind === 'invalid' ? read.findings : read.warnings) output.error(finding);
  return read.kind === 'invalid' ? undefined : read.policy;
}

export function onlyOne(positionals: readonly string[]): string {
  const [folder = 'policy', ...more] = positionals;
  if (more.length > 0) throw new UsageError('name at most one folder.');
  return folder;
}
