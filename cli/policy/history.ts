import { parseArgs } from 'node:util';
import { checkContract, type Objection } from '../../shared/contracts/policy-check.ts';
import { checkContractHours } from '../../shared/contracts/policy-check-hours.ts';
import type { ActivePolicy } from '../../shared/ports/policy-book.ts';
import { type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS } from '../installation.ts';
import { versionsNamed } from './policy-reference.ts';
import { CHANGE_OPTIONS } from './publish.ts';
import { pressOf, putInForce, versionsOf } from './put-in-force.ts';

/** Every publication, newest first. */
export async function showHistory(args: string[], output: Output): Promise<number> {
  const { values } = parseArgs({ args, options: { ...INSTALLATION_OPTIONS, json: { type: 'boolean' } } });
  const history = await pressOf(() => findInstallation(values))().history();
  if (values.json === true) output.line(JSON.stringify(history, null, 2));
  else if (history.length === 0) output.line('Nothing was ever published there.');
  else
    history.forEach(({ number, at, by, why, evidence, backTo, ...versions }, index) => {
      output.line(`${number}  ${at}  ${by}${index === 0 ? '  in force' : ''}${backTo === undefined ? '' : `  back to ${backTo}`}`);
      output.line(`   ${versionsOf(versions)}, roster ${versions.roster.slice(0, 12)}, calendars ${versions.calendars.slice(0, 12)}`);
      output.line(`   ${why}${evidence.length === 0 ? '' : ` (${evidence.map((one) => `${one.handoffId}:${one.seq}`).join(', ')})`}`);
    });
  return 0;
}

/** Puts an earlier publication, or an earlier version of one contract, in force again: a new publication that says so (C-04). */
export async function rollBack(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, ...CHANGE_OPTIONS } });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0) throw new UsageError('say "policy rollback VERSION": a number of "baton policy history", or a version of a contract.');
  if ((values.why ?? '').trim() === '') throw new UsageError('say why with --why "one sentence": it stays in the history.');
  const installation = findInstallation(values);
  const press = pressOf(() => installation)();
  const { backTo, ...versions } = versionsNamed(version, await press.history());
  const policy = await press.contents(versions);
  const objections = objectionsTo(policy);
  if (objections.length > 0) {
    for (const line of objections) output.error(line);
    return 1;
  }
  return putInForce(policy, { ...values, ...(backTo !== undefined && { backTo }) }, installation, output);
}

/** An old contract may name people who left since: then it cannot come back. */
function objectionsTo({ contracts, roster, calendars }: ActivePolicy): string[] {
  const told =
    (name: string) =>
    ({ path, expected, rule = 'C-03' }: Objection) =>
      `contract ${name}: ${path.join('.')}: ${expected} (${rule})`;
  return contracts.flatMap((contract) =>
    [...checkContract(contract, roster.people), ...checkContractHours(contract, [...(contract.hours ?? []), ...calendars])].map(told(contract.name)),
  );
}
