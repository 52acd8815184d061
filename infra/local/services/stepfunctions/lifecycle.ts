import { randomUUID } from 'node:crypto';
import { AwsError, type Kernel } from '../../kernel/types.ts';
import { refuse, requireInput, requireName } from './arguments.ts';
import { workflowOf } from './definition.ts';
import { Draft } from './draft.ts';
import type { Engine } from './engine.ts';
import { DATA_LIMIT } from './failure.ts';
import type { Machine } from './machine-table.ts';
import type { Execution, Thread } from './position.ts';
import { redriveStanding } from './status-change.ts';
import { together } from './tables.ts';

/** How long a name stays taken after its execution ended. */
const NAME_KEPT_MS = 90 * 86_400_000;
/** How long a client token makes a second RedriveExecution harmless. */
const REDRIVE_TOKEN_MS = 15 * 60_000;

type Parts = { kernel: Kernel; engine: Engine };

export function executionArn(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

/** Starts an execution. The same name with the same input while it runs is the same execution; otherwise the name is taken for 90 days (SF-11). */
export function startExecution({ kernel, engine }: Parts, machine: Machine, given: { name?: string; input?: string }): Execution {
  const name = given.name ?? randomUUID();
  requireName(name);
  const input = given.input ?? '{}';
  requireInput(input, DATA_LIMIT);
  const arn = executionArn(machine.arn, name);
  const now = kernel.time.now();
  const known = engine.executions.find(arn);
  if (known?.status === 'RUNNING' && known.input === input) return known;
  if (known && !(known.stoppedAt !== undefined && now - known.stoppedAt >= NAME_KEPT_MS)) throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);

  const workflow = workflowOf(machine.definition);
  const deadline = workflow.TimeoutSeconds === undefined ? {} : { deadlineAt: now + workflow.TimeoutSeconds * 1000 };
  const { roleArn, definition } = machine;
  const execution: Execution = {
    arn,
    machineArn: machine.arn,
    name,
    roleArn,
    definition,
    input,
    status: 'RUNNING',
    startedAt: now,
    lastEvent: 0,
    lastThread: 0,
    redriveCount: 0,
    ...deadline,
  };
  together(kernel.db, () => {
    if (known) engine.executions.remove(arn);
    engine.executions.add(execution);
    const draft = new Draft(kernel.db, execution, now);
    draft.record('ExecutionStarted', { executionStartedEventDetails: { input, inputDetails: { truncated: false }, roleArn } }, 0);
    draft.addThread({ path: [], state: workflow.StartAt, input: JSON.parse(input), previous: 0 });
    draft.announce();
    draft.commit();
  });
  void engine.wake(arn);
  return execution;
}

/** Ends a running execution. One that already ended is left as it is, with its own stop date. */
export async function stopExecution({ engine }: Parts, arn: string, reason: { error?: string; cause?: string }): Promise<number> {
  const stoppedAt = await engine.exclusively(arn, () => {
    const draft = engine.draft(arn);
    if (!draft) throw refuse('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    if (draft.execution.status !== 'RUNNING') return draft.execution.stoppedAt ?? draft.now;
    draft.record('ExecutionAborted', { executionAbortedEventDetails: reason }, 0);
    draft.end('ABORTED', reason);
    draft.commit();
    return draft.now;
  });
  void engine.wake(arn);
  return stoppedAt;
}

/** Continues an unsuccessful execution from where it failed, with its own definition: what succeeded stays, a waiting task gets a new token (SF-23). */
export async function redriveExecution({ kernel, engine }: Parts, arn: string, clientToken: string | undefined): Promise<number> {
  const redrivenAt = await engine.exclusively(arn, () => {
    const draft = engine.draft(arn);
    if (!draft) throw refuse('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    const earlier = kernel.db.prepare('SELECT redriven_at FROM sfn_redrives WHERE execution = ? AND client_token = ?').get(arn, clientToken ?? '');
    if (clientToken !== undefined && earlier && draft.now - Number(earlier.redriven_at) < REDRIVE_TOKEN_MS) return Number(earlier.redriven_at);
    const { redriveStatus, redriveStatusReason } = redriveStanding(draft.execution, draft.now);
    if (redriveStatus !== 'REDRIVABLE') throw refuse('ExecutionNotRedrivable', `${redriveStatusReason}: '${arn}'`);
    together(kernel.db, () => {
      putBack(draft);
      if (clientToken !== undefined)
        kernel.db
          .prepare('INSERT INTO sfn_redrives (execution, client_token, redriven_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET redriven_at = excluded.redriven_at')
          .run(arn, clientToken, draft.now);
    });
    return draft.now;
  });
  void engine.wake(arn);
  return redrivenAt;
}

function putBack(draft: Draft): void {
  const { execution } = draft;
  const { TimeoutSeconds } = workflowOf(execution.definition);
  execution.redriveCount += 1;
  Object.assign(execution, { status: 'RUNNING', redrivenAt: draft.now, ...(TimeoutSeconds === undefined ? {} : { deadlineAt: draft.now + TimeoutSeconds * 1000 }) });
  for (const part of ['stoppedAt', 'output', 'error', 'cause'] as const) delete execution[part];
  const event = draft.record('ExecutionRedriven', { executionRedrivenEventDetails: { redriveCount: execution.redriveCount } }, execution.lastEvent);
  for (const thread of draft.threads.values()) if (thread.phase !== 'done') putLineBack(draft, thread, event);
  draft.announce();
  draft.commit();
}

/** A state around branches keeps those that succeeded; any other state runs again, a task without being entered anew. */
function putLineBack(draft: Draft, thread: Thread, event: number): void {
  delete thread.failure;
  delete thread.dueAt;
  thread.retries = [];
  thread.previous = event;
  if (thread.children && draft.childrenOf(thread).length > 0) {
    thread.phase = 'children';
    return;
  }
  const again = thread.entered !== undefined && ['Task', 'Parallel', 'Map'].includes(draft.state(thread).Type);
  thread.phase = again ? 'retry' : 'start';
  if (again) thread.dueAt = draft.now;
}
