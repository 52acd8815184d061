import type { Caller, Kernel } from '../../kernel/types.ts';
import { type Fields, pageToken, refuse } from './arguments.ts';
import type { Engine } from './engine.ts';
import { redriveExecution, startExecution, stopExecution } from './lifecycle.ts';
import { MachineTable } from './machine-table.ts';
import type { Execution, HistoryEvent } from './position.ts';
import { redriveStanding } from './status-change.ts';
import { present } from './tables.ts';

export type Operation = (fields: Fields, caller: Caller) => Promise<unknown> | unknown;

/** Seconds since 1970 with fractions: how AWS's JSON protocols write an instant. */
export const seconds = (at: number | undefined) => (at === undefined ? undefined : at / 1000);

const STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'];
const DEFAULT_PAGE = 100;

function summary(execution: Execution): Record<string, unknown> {
  return present({
    executionArn: execution.arn,
    stateMachineArn: execution.machineArn,
    name: execution.name,
    status: execution.status,
    startDate: seconds(execution.startedAt),
    stopDate: seconds(execution.stoppedAt),
    redriveCount: execution.redriveCount,
    redriveDate: seconds(execution.redrivenAt),
  });
}

function description(execution: Execution, now: number): Record<string, unknown> {
  const included = { included: true };
  return present({
    ...summary(execution),
    input: execution.input,
    inputDetails: included,
    output: execution.output,
    outputDetails: execution.output === undefined ? undefined : included,
    error: execution.error,
    cause: execution.cause,
    ...redriveStanding(execution, now),
  });
}

/** Data of a history event that `includeExecutionData: false` leaves out. */
const DATA = new Set(['input', 'output', 'parameters', 'cause', 'error', 'assignedVariables']);

function shownEvent(event: HistoryEvent, withData: boolean): Record<string, unknown> {
  const details = withData
    ? event.details
    : Object.fromEntries(Object.entries(event.details).map(([name, value]) => [name, Object.fromEntries(Object.entries(value as object).filter(([key]) => !DATA.has(key)))]));
  return { timestamp: seconds(event.at), type: event.type, id: event.id, previousEventId: event.previous, ...details };
}

function paged<T>(found: T[], page: { offset: number; limit: number }): { items: T[]; nextToken?: string } {
  const items = found.slice(0, page.limit);
  return found.length > page.limit ? { items, nextToken: pageToken(page.offset + page.limit) } : { items };
}

/** The operations on executions. Each is authorised against the machine or the execution it names. */
export function executionOperations(kernel: Kernel, engine: Engine): Record<string, Operation> {
  const { executions } = engine;
  const machines = new MachineTable(kernel.db);

  const machineOf = (arn: string) => {
    const machine = machines.find(arn);
    if (!machine) throw refuse('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
    return machine;
  };
  const named = (fields: Fields, caller: Caller, action: string): string => {
    const arn = fields.arn('executionArn', 'execution');
    kernel.iam.authorize(caller, `states:${action}`, arn);
    return arn;
  };
  const executionOf = (arn: string) => {
    const execution = executions.find(arn);
    if (!execution) throw refuse('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    return execution;
  };

  return {
    StartExecution(fields, caller) {
      const arn = fields.arn('stateMachineArn', 'stateMachine');
      kernel.iam.authorize(caller, 'states:StartExecution', arn);
      const execution = startExecution({ kernel, engine }, machineOf(arn), present({ name: fields.optionalText('name'), input: fields.optionalText('input') }));
      return { executionArn: execution.arn, startDate: seconds(execution.startedAt) };
    },

    DescribeExecution: (fields, caller) => description(executionOf(named(fields, caller, 'DescribeExecution')), kernel.time.now()),

    ListExecutions(fields, caller) {
      const arn = fields.arn('stateMachineArn', 'stateMachine');
      kernel.iam.authorize(caller, 'states:ListExecutions', arn);
      machineOf(arn);
      const page = fields.page(DEFAULT_PAGE);
      const { items, ...more } = paged(executions.list(arn, fields.oneOf('statusFilter', STATUSES), { ...page, limit: page.limit + 1 }), page);
      return { executions: items.map(summary), ...more };
    },

    GetExecutionHistory(fields, caller) {
      const { arn } = executionOf(named(fields, caller, 'GetExecutionHistory'));
      const page = fields.page(DEFAULT_PAGE);
      const order = fields.flag('reverseOrder', false) ? 'DESC' : 'ASC';
      const withData = fields.flag('includeExecutionData', true);
      const { items, ...more } = paged(executions.history(arn, order, { ...page, limit: page.limit + 1 }), page);
      return { events: items.map((event) => shownEvent(event, withData)), ...more };
    },

    async StopExecution(fields, caller) {
      const arn = named(fields, caller, 'StopExecution');
      const reason = present<{ error?: string; cause?: string }>({ error: fields.optionalText('error'), cause: fields.optionalText('cause') });
      return { stopDate: seconds(await stopExecution({ kernel, engine }, arn, reason)) };
    },

    async RedriveExecution(fields, caller) {
      const arn = named(fields, caller, 'RedriveExecution');
      return { redriveDate: seconds(await redriveExecution({ kernel, engine }, arn, fields.optionalText('clientToken'))) };
    },

    DescribeStateMachineForExecution(fields, caller) {
      const execution = executionOf(named(fields, caller, 'DescribeStateMachineForExecution'));
      const machine = machineOf(execution.machineArn);
      return { stateMachineArn: machine.arn, name: machine.name, definition: execution.definition, roleArn: execution.roleArn, updateDate: seconds(machine.createdAt) };
    },

    StartSyncExecution() {
      throw refuse('StateMachineTypeNotSupported', 'This operation is not supported by this type of state machine');
    },
  };
}
