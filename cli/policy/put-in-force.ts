// Puts a policy in force for a named person, with the reason and the evidence, and tells what changed.

import { dynamodbHandoffReader } from '../../shared/adapters/dynamodb-handoff-reader.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import { diffPolicies } from '../../shared/domain/policy-diff.ts';
import type { ActivePolicy } from '../../shared/ports/policy-book.ts';
import type { PolicyPress, Publication } from '../../shared/ports/policy-press.ts';
import { type Output, UsageError } from '../command.ts';
import { type Installation, timeOf } from '../installation.ts';
import { describeEvidence, evidenceFrom } from './evidence.ts';

/** What a person says about a change. */
export type Said = { by?: string | undefined; why?: string | undefined; evidence?: string | undefined; backTo?: number };

/** More lines than this scroll the news away; `baton policy diff` has them all. */
const MOST_LINES = 20;

/** Answers with the exit status: 0 in force, 1 somebody else was first. */
export async function putInForce(policy: ActivePolicy, said: Said, to: Installation, output: Output): Promise<number> {
  const table = dynamodbTable(to.outputs.TableName);
  const press = dynamodbPolicyPress(table);
  const [current] = await press.history();
  const changes = current === undefined ? [] : diffPolicies(await press.contents(current), policy);
  const changed = policy.contracts.filter((one) => current?.contracts[one.name] !== one.version);
  const by = author(policy, changed, said.by);
  if (changes.length > 0 && (said.why ?? '').trim() === '') throw new UsageError('say why with --why "one sentence": it stays in the history.');

  const evidence = evidenceFrom(said.evidence);
  const cited = await describeEvidence(evidence, dynamodbHandoffReader(table));
  const why = said.why?.trim() ?? 'first publication';
  const change = { why, evidence, ...(current !== undefined && { seen: current.number }), ...(said.backTo !== undefined && { backTo: said.backTo }) };
  const pressed = await press.publish(policy, by, await timeOf(to), change);
  if (pressed.kind === 'overtaken') {
    const { number, by: other, at } = pressed.publication;
    output.error(`${other} put publication ${number} in force at ${at}, after you looked: compare it ("baton policy diff active FOLDER"), then try again.`);
    return 1;
  }
  if (pressed.kind === 'published') tell({ changes, cited }, output);
  output.line(`${pressed.kind === 'unchanged' ? 'Already in force' : 'In force'}: publication ${pressed.publication.number}, ${versionsOf(pressed.publication)}.`);
  return 0;
}

function tell({ changes, cited }: { changes: readonly string[]; cited: readonly string[] }, output: Output): void {
  for (const line of changes.slice(0, MOST_LINES)) output.line(`  ${line}`);
  if (changes.length > MOST_LINES) output.line(`  and ${changes.length - MOST_LINES} more`);
  for (const line of cited) output.line(`  evidence ${line}`);
}

export const versionsOf = ({ contracts }: Pick<Publication, 'contracts'>): string =>
  Object.entries(contracts)
    .map(([name, version]) => `${name} ${version.slice(0, 12)}`)
    .join(', ');

/** Who answers for the change: by default the change owner; otherwise one whom each changed contract names to change or to approve it (C-04). */
function author({ contracts, roster }: ActivePolicy, changed: readonly Contract[], named: string | undefined): string {
  const by = named ?? changed[0]?.changeOwner ?? contracts[0]?.changeOwner;
  if (by === undefined || !roster.people.some((person) => person.id === by)) throw new UsageError(`--by takes the id of a person of the roster, not "${by ?? ''}".`);
  for (const contract of changed) {
    const may = mayChange(
      contract,
      roster.people.filter((person) => person.id === by).flatMap((person) => person.roles),
    );
    if (!may.includes(by) && !may.includes('role')) throw new UsageError(`${by} may not change ${contract.name}: its change owner is ${contract.changeOwner}.`);
  }
  return by;
}

/** The people a contract names to change or to approve it; `role` when a role of the author's does. */
function mayChange({ changeOwner, responsible: { approver, decisionOwner } }: Contract, roles: readonly string[]): string[] {
  const named = [approver, decisionOwner].flatMap((job) => ('person' in job ? [job.person, job.backup] : [job.backup, ...(roles.includes(job.role) ? ['role'] : [])]));
  return [changeOwner, ...named];
}

/** The press of an installation, opened when it is first needed. */
export const pressOf = (to: () => Installation) => (): PolicyPress => dynamodbPolicyPress(dynamodbTable(to().outputs.TableName));
