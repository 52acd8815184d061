import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { callAws, invoke, lambda, logs, role, type SmallStack, writeStack } from './small-stack.ts';

const CODE = {
  echo: 'export const handler = async (event, context) => ({ event, name: context.functionName, left: context.getRemainingTimeInMillis(), id: context.awsRequestId.length, env: process.env.COLOUR });',
  clock:
    'export const handler = async () => ({ now: Date.now(), made: new Date().getTime(), text: Date().length, instance: new Date() instanceof Date, fixed: new Date(0).toISOString(), own: new Date().constructor === Date });',
  throws: `export const handler = async () => { throw new TypeError('no such thing'); };`,
  hangs: 'export const handler = () => new Promise(() => {});',
  spins: 'export const handler = async () => { for (;;) {} };',
  exits: 'export const handler = async () => process.exit(3);',
  rejects: `export const handler = async () => { Promise.reject(new Error('nobody waits')); await new Promise((resolve) => setTimeout(resolve, 1000)); };`,
  callback: 'export const handler = (event, context, callback) => callback(null, 1);',
  broken: `import './nowhere.mjs'; export const handler = async () => 1;`,
  talks: `export const handler = async (event) => { console.log('hello ' + event.name); console.error('trouble'); return 1; };`,
  slow: 'export const handler = async () => { await new Promise((resolve) => setTimeout(resolve, 300)); return 1; };',
  flaky: `let runs = 0; export const handler = async (event) => { runs += 1; console.log('run ' + runs + ' at ' + new Date().toISOString()); if (runs <= event.failures) throw new Error('not yet'); return 'done'; };`,
  reads: `export const handler = async () => { const r = await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem', 'content-type': 'application/x-amz-json-1.0', authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0' }, body: JSON.stringify({ TableName: 'nothing', Key: {} }) }); return { status: r.status, body: await r.json() }; };`,
};

let stack: SmallStack;
let runtime: Runtime;
let url: string;

beforeAll(async () => {
  const queue = (name: string) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName: name } });
  const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
  stack = writeStack(
    {
      Role: role(),
      FlakyRole: role({ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: [arn('Failed'), arn('Succeeded')] }),
      Failed: queue('failed'),
      Succeeded: queue('succeeded'),
      ...Object.fromEntries(
        Object.keys(CODE)
          .filter((name) => name !== 'flaky')
          .map((name) => [`Fn${name}`, lambda(name, name === 'slow' ? { ReservedConcurrentExecutions: 1 } : { Timeout: 1, Environment: { Variables: { COLOUR: 'blue' } } })]),
      ),
      Flaky: lambda('flaky', {}, 'FlakyRole'),
      FlakyAsync: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: {
          FunctionName: { Ref: 'Flaky' },
          Qualifier: '$LATEST',
          MaximumRetryAttempts: 2,
          MaximumEventAgeInSeconds: 3600,
          DestinationConfig: { OnFailure: { Destination: arn('Failed') }, OnSuccess: { Destination: arn('Succeeded') } },
        },
      },
    },
    CODE,
  );
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
  url = runtime.urls.aws;
});
afterAll(async () => {
  await runtime.stop();
  stack.remove();
});

const receive = async (queue: string) => {
  const { output } = await callAws(url, 'AmazonSQS.ReceiveMessage', { QueueUrl: `${url}/000000000000/${queue}`, MaxNumberOfMessages: 10 });
  return ((output.Messages ?? []) as { Body: string }[]).map((message) => JSON.parse(message.Body) as Record<string, unknown>);
};

test('LA-08: a function gets the event, the context and the environment of the template', async () => {
  const { output } = await invoke(url, 'echo', { a: 1 });
  expect(output).toMatchObject({ event: { a: 1 }, name: 'echo', id: 36, env: 'blue' });
  expect(output?.left).toBeGreaterThan(500);
  expect(output?.left).toBeLessThanOrEqual(1000);
});

test('LR-09: Date inside a function follows the runtime clock, and is otherwise the Date everybody knows', async () => {
  await runtime.advance(3600);
  const { output } = await invoke(url, 'clock', {});
  expect(Math.abs(Number(output?.now) - runtime.now())).toBeLessThan(2000);
  expect(Math.abs(Number(output?.made) - runtime.now())).toBeLessThan(2000);
  expect(output).toMatchObject({ instance: true, own: true, fixed: '1970-01-01T00:00:00.000Z' });
  expect(output?.text).toBeGreaterThan(20);
});

test('LA-04: a thrown error comes back as Lambda describes it', async () => {
  expect(await invoke(url, 'throws', {})).toMatchObject({ status: 200, error: 'Unhandled', output: { errorType: 'TypeError', errorMessage: 'no such thing' } });
});

test.each(['hangs', 'spins'])('LA-03: a function that %s is ended at its time-out, and the next invocation gets a new environment', async (name) => {
  for (const _ of [1, 2]) {
    const { output, error } = await invoke(url, name, {});
    expect(error).toBe('Unhandled');
    expect(output).toMatchObject({ errorType: 'Sandbox.Timedout' });
    expect(output?.errorMessage).toMatch(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 1\.00 seconds$/);
  }
});

test.each([
  ['exits', { errorType: 'Runtime.ExitError', errorMessage: expect.stringMatching(/^RequestId: .* Error: Runtime exited with error: exit status 3$/) }],
  ['rejects', { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'nobody waits' }],
  ['callback', { errorType: 'Runtime.CallbackHandlerDeprecated' }],
  ['broken', { errorType: 'Runtime.ImportModuleError' }],
])('LA-09: a function whose runtime %s fails under AWS’s name for it', async (name, expected) => {
  expect(await invoke(url, name, {})).toMatchObject({ error: 'Unhandled', output: expected });
});

test('B-9: what a function prints is in the log, with function and request, and can be filtered', async () => {
  await invoke(url, 'talks', { name: 'h-42' });
  const lines = await logs(url, 'h-42');
  expect(lines).toContain('hello h-42');
  expect(lines).toContain('trouble');
  expect(lines).toMatch(/ talks {6}hello h-42 requestId=[-0-9a-f]{36}$/m);
  expect(lines).not.toContain('not yet');
});

test('LA-11: reserved concurrency is enforced', async () => {
  const answers = await Promise.all([invoke(url, 'slow', {}), invoke(url, 'slow', {})]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 429]);
  expect(answers.find((answer) => answer.status === 429)?.output).toMatchObject({ Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' });
});

test('LA-01: an asynchronous invocation is tried again after one and two minutes, then its record goes to the failure destination', async () => {
  const started = runtime.now();
  expect((await invoke(url, 'flaky', { failures: 3 }, 'Event')).status).toBe(202);
  await runtime.advance(59);
  expect(await receive('failed')).toEqual([]);
  await runtime.advance(130);
  const [record] = await receive('failed');
  expect(record).toMatchObject({
    version: '1.0',
    requestContext: { functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:flaky:$LATEST', condition: 'RetriesExhausted', approximateInvokeCount: 3 },
    requestPayload: { failures: 3 },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorType: 'Error', errorMessage: 'not yet' },
  });
  const runs = [...(await logs(url, 'run ')).matchAll(/at (\S+Z)/g)].map(([, at = '']) => Math.round((Date.parse(at) - started) / 1000));
  expect(runs).toHaveLength(3);
  expect((runs[1] ?? 0) - (runs[0] ?? 0)).toBe(60);
  expect((runs[2] ?? 0) - (runs[1] ?? 0)).toBe(120);
});

test('LA-01: an asynchronous invocation that works out reports success where the template asks for it', async () => {
  await invoke(url, 'flaky', { failures: 0 }, 'Event');
  await runtime.idle();
  expect(await receive('succeeded')).toMatchObject([{ requestContext: { condition: 'Success', approximateInvokeCount: 1 }, responsePayload: 'done' }]);
});

test('B-4: a function acts under its role: what no statement allows is denied, naming who, action and resource', async () => {
  const { output } = await invoke(url, 'reads', {});
  expect(output).toMatchObject({ status: 400, body: { __type: 'AccessDeniedException' } });
  const said = JSON.stringify(output);
  for (const part of ['dynamodb:GetItem', 'table/nothing', 'Role']) expect(said).toContain(part);
});

test('B-7: an unknown function, service and operation are refused in the client’s own error shape, naming what exists', async () => {
  expect(await invoke(url, 'nobody', {})).toMatchObject({ status: 404, output: { __type: 'ResourceNotFoundException' } });
  const service = await callAws(url, 'Kinesis_20131202.PutRecord', {});
  expect(service.output).toMatchObject({ __type: 'UnknownServiceException', message: expect.stringContaining('dynamodb, events, lambda') });
  const operation = await callAws(url, 'DynamoDB_20120810.ExecuteStatement', {});
  expect(operation.output).toMatchObject({ __type: 'UnknownOperationException', message: expect.stringContaining('supported: GetItem') });
  expect(operation.headers.get('x-amzn-errortype')).toBe('UnknownOperationException');
  expect(operation.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
});

test('B-7: a payload that is no JSON is refused before the function runs', async () => {
  const response = await fetch(`${url}/2015-03-31/functions/echo/invocations`, {
    method: 'POST',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/lambda/aws4_request' },
    body: '{',
  });
  expect(response.status).toBe(400);
  expect(response.headers.get('x-amzn-errortype')).toBe('InvalidRequestContentException');
});

test('A-6: clients can list and describe functions, and ask who they are', async () => {
  const signed = (service: string) => ({ headers: { authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/${service}/aws4_request` } });
  for (const path of ['functions', 'functions/']) {
    const { Functions } = (await (await fetch(`${url}/2015-03-31/${path}`, signed('lambda'))).json()) as { Functions: { FunctionName: string }[] };
    expect(Functions.map((each) => each.FunctionName).sort()).toEqual(Object.keys(CODE).sort());
  }
  expect(await (await fetch(`${url}/2015-03-31/functions/echo/configuration`, signed('lambda'))).json()).toMatchObject({ Runtime: 'nodejs24.x', Timeout: 1, State: 'Active' });
  const identity = await fetch(url, { method: 'POST', body: 'Action=GetCallerIdentity&Version=2011-06-15', ...signed('sts') });
  expect(await identity.text()).toContain('<Account>000000000000</Account>');
});

test('B-7: a client that speaks CBOR is told so in words it can show', async () => {
  const response = await fetch(url, {
    method: 'POST',
    body: 'x',
    headers: { 'x-amz-target': 'AWSEvents.PutEvents', 'smithy-protocol': 'rpc-v2-cbor', 'content-type': 'application/cbor' },
  });
  expect(response.status).toBe(415);
  expect(((await response.json()) as { message: string }).message).toContain('not CBOR; configure the client to use JSON');
});
