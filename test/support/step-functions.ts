// Step Functions on a small kernel: definitions in, histories out. Functions are scripted by name.

import { type AwsRequest, type Caller, type LambdaPort, type LambdaResult, REGION } from '../../infra/local/kernel/types.ts';
import { type StepFunctions, stepFunctions } from '../../infra/local/services/stepfunctions.ts';
import { aKernel, aResource, type LocalKernel, operator } from './local-kernel.ts';

export type Invocation = { name: string; payload: Record<string, unknown>; caller: Caller };
export type Script = (invocation: Invocation) => unknown | Promise<unknown>;

/** What a function answers when it throws. */
export class Thrown {
  readonly errorType: string;
  readonly errorMessage: string;
  constructor(errorType: string, errorMessage = 'it failed') {
    this.errorType = errorType;
    this.errorMessage = errorMessage;
  }
}

export const functionArn = (name: string) => `arn:aws:lambda:${REGION}:000000000000:function:${name}`;
export const MACHINE = `arn:aws:states:${REGION}:000000000000:stateMachine:machine`;
export const executionArn = (name: string) => `arn:aws:states:${REGION}:000000000000:execution:machine:${name}`;
export const ROLE = 'arn:aws:iam::000000000000:role/machine';

export type ShownEvent = { id: number; previousEventId: number; type: string; timestamp: number } & Record<string, Record<string, string> | undefined | number | string>;
export type Described = { status: string; output?: string; error?: string; cause?: string; redriveCount: number; redriveStatus: string; startDate: number; stopDate?: number };

export type Settings = { script?: Script; authorize?: LocalKernel['iam']['authorize']; random?: () => number; db?: LocalKernel['db']; now?: string };

/** A Lambda port that runs a script and remembers who called what. */
export function scriptedFunctions(script: Script): LambdaPort & { invocations: Invocation[] } {
  const invocations: Invocation[] = [];
  return {
    invocations,
    async invoke(arn, payload, caller): Promise<LambdaResult> {
      const invocation = { name: arn.split(':').at(-1) ?? '', payload: payload as Record<string, unknown>, caller };
      invocations.push(invocation);
      const answer = await script(invocation);
      return answer instanceof Thrown ? { payload: { ...answer }, functionError: { ...answer } } : { payload: answer };
    },
    invokeAsync: async () => {},
  };
}

/** One state machine called `machine`, ready to start. */
export async function workflows(definition: Record<string, unknown>, settings: Settings = {}) {
  const lambda = scriptedFunctions(settings.script ?? (() => ({})));
  const announced: { status: string; name: string }[] = [];
  const events = {
    async putServiceEvent({ detail }: { detail: unknown }) {
      announced.push(detail as { status: string; name: string });
    },
  };
  const { authorize, db, now } = settings;
  const services: Partial<LocalKernel['services']> = { lambda, events };
  const kernel = aKernel({ services, ...(authorize ? { authorize } : {}), ...(db ? { db } : {}), ...(now ? { now } : {}) });
  const sfn = stepFunctions(kernel, settings.random ? { random: settings.random } : {});
  kernel.services.workflows = sfn.workflows;
  await provision(sfn, definition);
  return { kernel, sfn, lambda, announced, ...clientOf(sfn, kernel) };
}

export async function provision(sfn: StepFunctions, definition: Record<string, unknown>, properties: Record<string, unknown> = {}) {
  const complete = { QueryLanguage: 'JSONata', ...definition };
  return sfn.provisioner.provision(
    aResource('AWS::StepFunctions::StateMachine', 'Machine', { StateMachineName: 'machine', RoleArn: ROLE, DefinitionString: JSON.stringify(complete), ...properties }),
  );
}

/** The API as an SDK client sees it. */
export function clientOf(sfn: StepFunctions, kernel: LocalKernel, caller: Caller = operator) {
  const call = async <T>(operation: string, body: Record<string, unknown>): Promise<T> => {
    const request: AwsRequest = { method: 'POST', path: '/', query: new URLSearchParams(), headers: {}, body: Buffer.from(JSON.stringify(body)), operation, caller };
    const response = await sfn.service.handle(request);
    return JSON.parse(String(response.body)) as T;
  };
  return {
    call,
    /** Starts an execution and waits until it rests. */
    async start(input: unknown = {}, name = 'run'): Promise<string> {
      const { executionArn: arn } = await call<{ executionArn: string }>('StartExecution', { stateMachineArn: MACHINE, name, input: JSON.stringify(input) });
      await kernel.settle();
      return arn;
    },
    describe: (name = 'run') => call<Described>('DescribeExecution', { executionArn: executionArn(name) }),
    async history(name = 'run'): Promise<ShownEvent[]> {
      const { events } = await call<{ events: ShownEvent[] }>('GetExecutionHistory', { executionArn: executionArn(name), maxResults: 1000 });
      return events;
    },
    async types(name = 'run'): Promise<string[]> {
      return (await this.history(name)).map(({ type }) => type);
    },
    async send(operation: 'SendTaskSuccess' | 'SendTaskFailure' | 'SendTaskHeartbeat', body: Record<string, unknown>) {
      const answer = await call<object>(operation, body);
      await kernel.settle();
      return answer;
    },
  };
}

/** The token a function was last given. */
export function lastToken(lambda: { invocations: Invocation[] }): string {
  return String(lambda.invocations.at(-1)?.payload.taskToken);
}

export const invoke = (name: string, more: Record<string, unknown> = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: functionArn(name), Payload: '{% $states.input %}' },
  End: true,
  ...more,
});

export const awaitToken = (name: string, more: Record<string, unknown> = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Arguments: { FunctionName: functionArn(name), Payload: { taskToken: '{% $states.context.Task.Token %}' } },
  End: true,
  ...more,
});

/** A machine of one state. */
export const only = (state: Record<string, unknown>, others: Record<string, Record<string, unknown>> = {}) => ({ StartAt: 'Only', States: { Only: state, ...others } });
