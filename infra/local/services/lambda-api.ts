import { AwsError, type AwsRequest, type AwsResponse, type Caller } from '../kernel/types.ts';
import type { FunctionSettings } from './lambda-function.ts';
import type { InvocationOutcome } from './lambda-messages.ts';

const MOST_SYNC_BYTES = 6 * 1024 * 1024;

export type LambdaApiParts = {
  functions: () => FunctionSettings[];
  find: (nameOrArn: string) => FunctionSettings | undefined;
  authorize: (caller: Caller, action: string, functionArn: string) => void;
  run: (functionArn: string, payload: string) => Promise<InvocationOutcome>;
  enqueue: (functionArn: string, payload: string) => Promise<string>;
};

const json = (status: number, body: unknown, headers: Record<string, string> = {}): AwsResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Answers the part of Lambda's REST API that exists here. */
export async function answerLambda(request: AwsRequest, parts: LambdaApiParts): Promise<AwsResponse> {
  const [functions, segment = '', rest = ''] = /^\/2015-03-31\/functions(?:\/([^/]*)(.*))?$/.exec(request.path) ?? [];
  const operation = `${request.method} ${rest}`;
  if (segment && operation === 'POST /invocations') return invoke(request, found(segment, parts), parts);
  if (functions !== undefined && segment === '' && request.method === 'GET') return listFunctions(request, parts);
  if (segment && operation === 'GET ') {
    const settings = found(segment, parts);
    parts.authorize(request.caller, 'lambda:GetFunction', settings.arn);
    return json(200, { Configuration: configuration(settings), Code: { RepositoryType: 'local', Location: settings.entry }, Tags: {} });
  }
  if (segment && operation === 'GET /configuration') {
    const settings = found(segment, parts);
    parts.authorize(request.caller, 'lambda:GetFunctionConfiguration', settings.arn);
    return json(200, configuration(settings));
  }
  throw new AwsError(
    'UnsupportedOperation',
    `Lambda operation ${request.method} ${request.path} does not exist in the local runtime (supported: Invoke, GetFunction, GetFunctionConfiguration, ListFunctions)`,
  );
}

function found(segment: string, parts: LambdaApiParts): FunctionSettings {
  const name = decodeURIComponent(segment);
  const settings = parts.find(name);
  if (!settings) throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404, { Type: 'User' });
  return settings;
}

function listFunctions(request: AwsRequest, parts: LambdaApiParts): AwsResponse {
  parts.authorize(request.caller, 'lambda:ListFunctions', '*');
  return json(200, { Functions: parts.functions().map(configuration) });
}

async function invoke(request: AwsRequest, settings: FunctionSettings, parts: LambdaApiParts): Promise<AwsResponse> {
  parts.authorize(request.caller, 'lambda:InvokeFunction', settings.arn);
  const payload = request.body.length > 0 ? request.body.toString('utf8') : '{}';
  refuseBadPayload(payload);
  const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type === 'DryRun') return { status: 204, body: '' };
  if (type === 'Event') {
    await parts.enqueue(settings.arn, payload);
    return { status: 202, body: '' };
  }
  if (Buffer.byteLength(payload) > MOST_SYNC_BYTES)
    throw new AwsError('RequestEntityTooLargeException', `Request must be smaller than ${MOST_SYNC_BYTES} bytes for the InvokeFunction operation`, 413);
  const outcome = await parts.run(settings.arn, payload);
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  if (outcome.kind === 'answered') return { status: 200, headers, body: outcome.payload };
  return { status: 200, headers: { ...headers, 'x-amz-function-error': 'Unhandled' }, body: JSON.stringify(outcome.error) };
}

function refuseBadPayload(payload: string): void {
  try {
    JSON.parse(payload);
  } catch (fault) {
    throw new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${fault instanceof Error ? fault.message : String(fault)}`, 400, {
      Type: 'User',
    });
  }
}

function configuration(settings: FunctionSettings): Record<string, unknown> {
  return {
    FunctionName: settings.name,
    FunctionArn: settings.arn,
    Runtime: settings.runtime,
    Role: settings.roleArn,
    Handler: settings.handler,
    Description: settings.description,
    Timeout: settings.timeoutSeconds,
    MemorySize: settings.memoryMegabytes,
    Environment: { Variables: settings.environment },
    Version: '$LATEST',
    State: 'Active',
    LastUpdateStatus: 'Successful',
    PackageType: 'Zip',
  };
}
