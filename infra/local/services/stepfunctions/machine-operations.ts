import type { Kernel } from '../../kernel/types.ts';
import { pageToken, refuse } from './arguments.ts';
import { type Operation, seconds } from './execution-operations.ts';
import { MachineTable } from './machine-table.ts';

const DEFAULT_PAGE = 100;

/** The reading operations on state machines; machines are made by the template only. */
export function machineOperations(kernel: Kernel): Record<string, Operation> {
  const machines = new MachineTable(kernel.db);
  return {
    DescribeStateMachine(fields, caller) {
      const arn = fields.arn('stateMachineArn', 'stateMachine');
      kernel.iam.authorize(caller, 'states:DescribeStateMachine', arn);
      const machine = machines.find(arn);
      if (!machine) throw refuse('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
      const { name, definition, roleArn, revision } = machine;
      return {
        stateMachineArn: arn,
        name,
        status: 'ACTIVE',
        type: 'STANDARD',
        definition,
        roleArn,
        revisionId: revision,
        creationDate: seconds(machine.createdAt),
        loggingConfiguration: { level: 'OFF', includeExecutionData: false },
        tracingConfiguration: { enabled: false },
      };
    },

    ListStateMachines(fields, caller) {
      kernel.iam.authorize(caller, 'states:ListStateMachines', '*');
      const { offset, limit } = fields.page(DEFAULT_PAGE);
      const all = machines.list();
      const stateMachines = all
        .slice(offset, offset + limit)
        .map(({ arn, name, createdAt }) => ({ stateMachineArn: arn, name, type: 'STANDARD', creationDate: seconds(createdAt) }));
      return offset + limit < all.length ? { stateMachines, nextToken: pageToken(offset + limit) } : { stateMachines };
    },
  };
}
