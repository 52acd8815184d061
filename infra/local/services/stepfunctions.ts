import { AwsError, type AwsRequest, type AwsResponse, type AwsService, type Kernel, type Provisioner, type WorkflowsPort } from '../kernel/types.ts';
import { Fields, refuse } from './stepfunctions/arguments.ts';
import { Engine } from './stepfunctions/engine.ts';
import { executionOperations } from './stepfunctions/execution-operations.ts';
import { startExecution } from './stepfunctions/lifecycle.ts';
import { machineOperations } from './stepfunctions/machine-operations.ts';
import { MachineTable } from './stepfunctions/machine-table.ts';
import { provisionMachines, type ReadAsset } from './stepfunctions/provision.ts';
import { createTables } from './stepfunctions/tables.ts';
import { taskOperations } from './stepfunctions/task-operations.ts';
import { type Standing, standingOf, type Whereabouts, whereaboutsIn } from './stepfunctions/whereabouts.ts';

/** AWS Step Functions on this machine: Standard workflows in JSONata, journaled at every step. */
export type StepFunctions = {
  provisioner: Provisioner;
  service: AwsService;
  workflows: WorkflowsPort;
  /** Continues what was running when the process ended. Call it once all services are up. */
  resume(): Promise<void>;
  /** Where an execution stands now, one entry a line of states; for a page that shows it. */
  whereabouts(executionArn: string): Whereabouts[];
  /** Where all executions of a machine stand, counted. */
  standing(stateMachineArn: string): Standing;
  stop(): void;
};

export type StepFunctionsOptions = {
  /** Reads a definition that the template keeps as a file asset (`DefinitionS3Location`). */
  readAsset?: ReadAsset;
  /** Between 0 and 1; spreads retries with full jitter. */
  random?: () => number;
};

export function stepFunctions(kernel: Kernel, options: StepFunctionsOptions = {}): StepFunctions {
  createTables(kernel.db);
  const engine = new Engine(kernel, options.random ?? Math.random);
  const operations = { ...executionOperations(kernel, engine), ...machineOperations(kernel), ...taskOperations(kernel, engine) };

  async function handle(request: AwsRequest): Promise<AwsResponse> {
    const operation = operations[request.operation];
    if (!operation) throw new AwsError('UnknownOperationException', `states:${request.operation} is not available here. Available: ${Object.keys(operations).sort().join(', ')}.`);
    const answer = await operation(new Fields(request.body), request.caller);
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(answer) };
  }

  return {
    provisioner: provisionMachines(kernel, options.readAsset),
    service: { signingName: 'states', protocol: 'json-1.0', handle },
    workflows: {
      async start(stateMachineArn, name, input, caller) {
        kernel.iam.authorize(caller, 'states:StartExecution', stateMachineArn);
        const machine = new MachineTable(kernel.db).find(stateMachineArn);
        if (!machine) throw refuse('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
        return startExecution({ kernel, engine }, machine, { name, input }).arn;
      },
    },
    resume: () => engine.resume(),
    whereabouts: (arn) => whereaboutsIn(engine, arn),
    standing: (arn) => standingOf(kernel.db, arn),
    stop: () => engine.stop(),
  };
}
