// The machine that waits, one execution a handoff.

import { DescribeExecutionCommand, RedriveExecutionCommand, SendTaskSuccessCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { HandoffId } from '../domain/ids.ts';
import type { Machine } from '../domain/workflow-fault.ts';
import type { Workflow } from '../ports/workflow.ts';
import { SDK_CLIENT_SETTINGS } from './sdk-client-settings.ts';

/** Errors that say: nobody waits with this token any more. Terminal; trying again changes nothing (SF-01). */
const NOBODY_WAITS: ReadonlySet<string> = new Set(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken']);

/** The machine with this ARN. An execution is named by its handoff, a replacement `<handoff>-r<attempt>`, so starting is idempotent while it runs and refused afterwards (SF-11, SF-14). */
export function sfnWorkflow(machineArn: string, client = new SFNClient(SDK_CLIENT_SETTINGS)): Workflow {
  return {
    async start(id, attempt = 0) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: nameOf(id, attempt), input: inputOf(id) }));
        return 'started';
      } catch (error) {
        if (named(error) === 'ExecutionAlreadyExists') return 'already-started';
        throw new Error(`the workflow of ${id} could not be started`, { cause: error });
      }
    },

    async redrive(id, attempt) {
      try {
        await client.send(new RedriveExecutionCommand({ executionArn: executionArn(machineArn, nameOf(id, attempt)) }));
        return 'redriven';
      } catch (error) {
        if (NOT_REDRIVABLE.has(named(error))) return 'not-possible';
        throw new Error(`the workflow of ${id} could not be redriven`, { cause: error });
      }
    },

    ...sfnLookout(machineArn, client),
    ...sfnWaker(client),
  };
}

/** Looks at machines and touches none. */
export function sfnLookout(machineArn: string, client = new SFNClient(SDK_CLIENT_SETTINGS)): Pick<Workflow, 'latest'> {
  const look = async (id: HandoffId, attempt: number): Promise<Machine | undefined> => {
    try {
      const { status, stopDate } = await client.send(new DescribeExecutionCommand({ executionArn: executionArn(machineArn, nameOf(id, attempt)) }));
      if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return { attempt, standing: 'running' };
      return { attempt, standing: 'ended', ...(stopDate && { endedAt: stopDate.toISOString() }) };
    } catch (error) {
      if (named(error) === 'ExecutionDoesNotExist') return undefined;
      throw new Error(`the workflow of ${id} could not be looked up`, { cause: error });
    }
  };
  return { latest: (id) => latestOf((attempt) => look(id, attempt)) };
}

/** Attempts have no gaps and only the last can run, so the last is searched by doubling and halving: one request while all is well. */
async function latestOf(look: (attempt: number) => Promise<Machine | undefined>): Promise<Machine | undefined> {
  let last: Machine | undefined;
  let free: number | undefined;
  for (;;) {
    const known = last?.attempt ?? -1;
    if (last?.standing === 'running' || free === known + 1) return last;
    const attempt: number = free === undefined ? Math.max(0, 2 * known + 1) : Math.floor((known + free) / 2);
    const found = await look(attempt);
    if (found === undefined) free = attempt;
    else last = found;
  }
}

/** Wakes by token alone: a token says itself which machine waits with it. */
export function sfnWaker(client = new SFNClient(SDK_CLIENT_SETTINGS)): Pick<Workflow, 'wake'> {
  return {
    async wake(token, id) {
      try {
        await client.send(new SendTaskSuccessCommand({ taskToken: token, output: JSON.stringify({ handoffId: id }) }));
        return 'woken';
      } catch (error) {
        if (NOBODY_WAITS.has(named(error))) return 'nobody-waits';
        throw new Error(`the workflow of ${id} could not be woken`, { cause: error });
      }
    },
  };
}

/** Errors that say: this execution cannot go on where it stopped. */
const NOT_REDRIVABLE: ReadonlySet<string> = new Set(['ExecutionNotRedrivable', 'ExecutionDoesNotExist']);

const nameOf = (id: HandoffId, attempt: number) => (attempt === 0 ? id : `${id}-r${attempt}`);

/** Byte for byte the same every time: another input under the same name would be refused (SF-11). */
const inputOf = (id: HandoffId) => `{"schemaVersion":"1","handoffId":"${id}"}`;

const executionArn = (machineArn: string, name: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;

const named = (error: unknown): string => (error instanceof Error ? error.name : '');
