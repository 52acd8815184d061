// The machine that waits, one execution a handoff.

import { DescribeExecutionCommand, SendTaskSuccessCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { HandoffId } from '../domain/ids.ts';
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

    async standing(id, attempt = 0) {
      try {
        const { status } = await client.send(new DescribeExecutionCommand({ executionArn: executionArn(machineArn, nameOf(id, attempt)) }));
        return status === 'RUNNING' || status === 'PENDING_REDRIVE' ? 'running' : 'ended';
      } catch (error) {
        if (named(error) === 'ExecutionDoesNotExist') return 'missing';
        throw new Error(`the workflow of ${id} could not be looked up`, { cause: error });
      }
    },

    ...sfnWaker(client),
  };
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

const nameOf = (id: HandoffId, attempt: number) => (attempt === 0 ? id : `${id}-r${attempt}`);

/** Byte for byte the same every time: another input under the same name would be refused (SF-11). */
const inputOf = (id: HandoffId) => `{"schemaVersion":"1","handoffId":"${id}"}`;

const executionArn = (machineArn: string, name: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;

const named = (error: unknown): string => (error instanceof Error ? error.name : '');
