// baton redrive HANDOFF: a handoff whose workflow ended badly goes on, where it stopped or in a replacement.

import { dynamodbHandoffStore } from '../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../shared/adapters/dynamodb-table.ts';
import { sfnWorkflow } from '../shared/adapters/sfn-workflow.ts';
import type { Handoff } from '../shared/domain/handoff.ts';
import { type HandoffId, handoffId } from '../shared/domain/ids.ts';
import { nextStep } from '../shared/domain/next-step.ts';
import { wall } from '../shared/domain/report.ts';
import type { HandoffReader } from '../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../shared/ports/policy-book.ts';
import type { Workflow } from '../shared/ports/workflow.ts';
import type { Output } from './command.ts';
import { type Installation, timeOf } from './installation.ts';

export type RedriveDeps = { store: Pick<HandoffReader, 'load'>; policies: Pick<PolicyBook, 'at'>; workflow: Pick<Workflow, 'latest' | 'redrive' | 'start'>; now: string };

/** What stood there, and what was done about it. */
export type Redriven = { kind: 'no-such-handoff' } | { kind: 'not-needed' | 'runs' | 'redriven' | 'replaced'; handoff: Handoff; attempt: number };

/** Sees to it that a workflow waits for a handoff. Repeating it, or reconcile at the same moment, changes nothing more. */
export async function redriveHandoff({ store, policies, workflow, now }: RedriveDeps, id: HandoffId): Promise<Redriven> {
  const loaded = await store.load(id);
  if (loaded === undefined) return { kind: 'no-such-handoff' };
  const { handoff } = loaded;
  const latest = await workflow.latest(id);
  const attempt = latest?.attempt ?? -1;
  if (nextStep(handoff, await policies.at(handoff.contract, handoff.contractVersion), now).kind === 'done') return { kind: 'not-needed', handoff, attempt };
  if (latest?.standing === 'running') return { kind: 'runs', handoff, attempt };
  if (latest !== undefined && (await workflow.redrive(id, attempt)) === 'redriven') return { kind: 'redriven', handoff, attempt };
  await workflow.start(id, attempt + 1);
  return { kind: 'replaced', handoff, attempt: attempt + 1 };
}

/** `baton redrive HANDOFF`: shows the row first, then says what was done. Answers with the exit status. */
export async function redriveWorkflow(installation: Installation, name: string, zone: string, output: Output): Promise<number> {
  const table = dynamodbTable(installation.outputs.TableName);
  const workflow = sfnWorkflow(installation.outputs.MachineArn);
  const deps = { store: dynamodbHandoffStore(table), policies: dynamodbPolicyBook(table), workflow, now: await timeOf(installation) };
  const done = await redriveHandoff(deps, handoffId(name));
  if (done.kind === 'no-such-handoff') {
    output.error(`There is no handoff ${name}.`);
    return 1;
  }
  const { state, changedAt, custodian, lastReceipt } = done.handoff;
  output.line(`${name} is ${state} since ${wall(changedAt, zone)} (${lastReceipt}); ${custodian} answers for it.`);
  output.line(sentenceOf(done));
  return 0;
}

function sentenceOf({ kind, attempt }: Exclude<Redriven, { kind: 'no-such-handoff' }>): string {
  const which = attempt === 0 ? 'its workflow' : `replacement ${attempt} of its workflow`;
  switch (kind) {
    case 'not-needed':
      return 'It needs no workflow any more. Nothing was done.';
    case 'runs':
      return `${capital(which)} runs. Nothing was done.`;
    case 'redriven':
      return `${capital(which)} had ended and goes on from the step it ended at.`;
    case 'replaced':
      return attempt === 0 ? 'No workflow was ever started for it: it has one now.' : `Its workflow had ended and could not go on: replacement ${attempt} has started.`;
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
