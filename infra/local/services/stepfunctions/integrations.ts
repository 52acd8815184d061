import { randomUUID } from 'node:crypto';
import { ACCOUNT, AwsError, type Caller, type Kernel, type LambdaResult, REGION } from '../../kernel/types.ts';
import { dataLimitCause, exceedsDataLimit, type Failure } from './failure.ts';

/** The resources a Task state may name here. */
export const SUPPORTED_RESOURCES = ['arn:aws:states:::lambda:invoke', 'arn:aws:states:::lambda:invoke.waitForTaskToken', 'arn:aws:states:::states:startExecution'] as const;

/** Fields of `Arguments` that have an effect here, per action. */
export const SUPPORTED_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'lambda:invoke': ['FunctionName', 'Payload'],
  'states:startExecution': ['StateMachineArn', 'Input', 'Name'],
};

export type Integration = { resourceType: string; resource: string; action: string; callback: boolean };

export function integrationOf(resource: string): Integration {
  const [resourceType = '', operation = ''] = resource.split(':::')[1]?.split(':') ?? [];
  return { resourceType, resource: operation, action: `${resourceType}:${operation.split('.')[0]}`, callback: operation.endsWith('.waitForTaskToken') };
}

export type Answer = { kind: 'result'; result: unknown } | { kind: 'failure'; failure: Failure };

const failed = (error: string, cause: string): Answer => ({ kind: 'failure', failure: { error, cause } });

/** Calls the service of a task under the machine's role. Faults of the service and of the function come back as failures with AWS's names. */
export async function callService(kernel: Kernel, task: { resource: string; arguments: unknown }, caller: Caller): Promise<Answer> {
  const { action, resourceType } = integrationOf(task.resource);
  const given = (task.arguments ?? {}) as Record<string, unknown>;
  const answer = action === 'lambda:invoke' ? await invokeFunction(kernel, given, caller) : await startMachine(kernel, given, caller);
  const tooLarge = answer.kind === 'result' && exceedsDataLimit(JSON.stringify(answer.result));
  return tooLarge ? failed('States.DataLimitExceeded', dataLimitCause(resourceType)) : answer;
}

/** A function by name or ARN. */
function functionArn(name: string): string {
  return name.startsWith('arn:') ? name : `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
}

async function invokeFunction(kernel: Kernel, given: Record<string, unknown>, caller: Caller): Promise<Answer> {
  if (typeof given.FunctionName !== 'string')
    return failed('States.Runtime', `The Parameters '${JSON.stringify(given)}' could not be used to start the Task: [The field 'FunctionName' is required but was missing]`);
  try {
    const outcome = await kernel.services.lambda.invoke(functionArn(given.FunctionName), given.Payload ?? {}, caller);
    return outcome.functionError ? functionFailure(outcome) : { kind: 'result', result: invokeResult(outcome.payload ?? null) };
  } catch (fault) {
    return serviceFailure('Lambda', 'AWSLambda', fault);
  }
}

/** A function's own error: its type is the error's name, its whole answer the cause. */
function functionFailure({ functionError, payload }: LambdaResult): Answer {
  const described =
    typeof payload === 'object' && payload !== null && 'errorType' in payload ? payload : { errorMessage: functionError?.errorMessage, errorType: functionError?.errorType };
  if (!functionError?.errorType)
    return failed('Lambda.Unknown', `The cause could not be determined because Lambda did not return an error type. Returned payload: ${JSON.stringify(payload ?? functionError)}`);
  return failed(functionError.errorType, JSON.stringify(described));
}

/** Errors of the service keep their name; those that Step Functions has no name for come under the service's general one. */
function serviceFailure(prefix: string, service: string, fault: unknown): Answer {
  if (!(fault instanceof AwsError)) return failed(`${prefix}.Unknown`, fault instanceof Error ? fault.message : String(fault));
  const general = prefix === 'Lambda' ? 'Lambda.AWSLambdaException' : `${prefix}.AWS${prefix}Exception`;
  const name = fault.code === 'AccessDeniedException' ? general : `${prefix}.${fault.code.endsWith('Exception') ? fault.code : `${fault.code}Exception`}`;
  return failed(name, `${fault.message} (Service: ${service}; Status Code: ${fault.status}; Error Code: ${fault.code}; Request ID: ${randomUUID()}; Proxy: null)`);
}

/** The answer of the Invoke API as the optimised integration shows it. */
function invokeResult(payload: unknown): unknown {
  const requestId = randomUUID();
  const headers = { 'Content-Type': 'application/json', 'X-Amz-Executed-Version': '$LATEST', 'x-amzn-RequestId': requestId };
  return {
    ExecutedVersion: '$LATEST',
    Payload: payload,
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      HttpHeaders: headers,
      HttpStatusCode: 200,
    },
    SdkResponseMetadata: { RequestId: requestId },
    StatusCode: 200,
  };
}

async function startMachine(kernel: Kernel, given: Record<string, unknown>, caller: Caller): Promise<Answer> {
  try {
    const name = typeof given.Name === 'string' ? given.Name : randomUUID();
    const executionArn = await kernel.services.workflows.start(String(given.StateMachineArn), name, JSON.stringify(given.Input ?? {}), caller);
    return { kind: 'result', result: { ExecutionArn: executionArn, StartDate: kernel.time.now() } };
  } catch (fault) {
    return serviceFailure('StepFunctions', 'AWSStepFunctions', fault);
  }
}
