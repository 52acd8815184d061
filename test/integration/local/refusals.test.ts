// Calls that the runtime does not know are refused in the client's own protocol, with what there is instead.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { lambda, role, type SmallStack, table, writeStack } from './small-stack.ts';

let stack: SmallStack;
let runtime: Runtime;

beforeAll(async () => {
  stack = writeStack(
    {
      Role: role(),
      Echo: lambda('echo'),
      Things: table as NonNullable<typeof table>,
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'queue' } },
      Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'bucket' } },
    },
    { echo: 'export const handler = async () => 1;' },
  );
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
});
afterAll(async () => {
  await runtime.stop();
  stack.remove();
});

type Call = { service: string; target?: string; path?: string; method?: string; type?: string; body?: string };

async function call({ service, target, path = '/', method = 'POST', type = 'application/x-amz-json-1.0', body = '{}' }: Call): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': type,
    authorization: `AWS4-HMAC-SHA256 Credential=operator/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
    ...(target && { 'x-amz-target': target }),
  };
  const response = await fetch(`${runtime.urls.aws}${path}`, { method, headers, ...(method === 'GET' ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

const form = (body: string): Partial<Call> => ({ type: 'application/x-www-form-urlencoded', body });

test.each<[string, Call, RegExp]>([
  ['a service', { service: 'kinesis', target: 'Kinesis_20131202.PutRecord' }, /no service \\"kinesis\\" \(it has: dynamodb, .*states/],
  [
    'an operation of DynamoDB',
    { service: 'dynamodb', target: 'DynamoDB_20120810.ExecuteStatement' },
    /ExecuteStatement does not exist in the local runtime \(supported: .*TransactWriteItems/,
  ],
  [
    'an operation of Step Functions',
    { service: 'states', target: 'AWSStepFunctions.CreateStateMachine' },
    /states:CreateStateMachine is not available here\. Available: .*StartExecution/,
  ],
  ['an operation of EventBridge', { service: 'events', target: 'AWSEvents.PutRule', type: 'application/x-amz-json-1.1' }, /does not support events:PutRule\. Supported: PutEvents/],
  [
    'a member of PutEvents',
    { service: 'events', target: 'AWSEvents.PutEvents', body: '{"Entries":[],"EndpointId":"x"}' },
    /does not support EndpointId in PutEvents\. Supported: Entries/,
  ],
  ['an operation of SQS', { service: 'sqs', target: 'AmazonSQS.StartMessageMoveTask' }, /does not support sqs:StartMessageMoveTask\. Supported: .*SendMessage/],
  [
    'a member of SendMessage',
    { service: 'sqs', target: 'AmazonSQS.SendMessage', body: '{"QueueUrl":"queue","MessageBody":"x","Priority":1}' },
    /does not support Priority in SendMessage\. Supported: .*MessageBody/,
  ],
  [
    'an operation of Secrets Manager',
    { service: 'secretsmanager', target: 'secretsmanager.RotateSecret', type: 'application/x-amz-json-1.1' },
    /does not support secretsmanager:RotateSecret\. Supported: .*GetSecretValue/,
  ],
  ['an operation of Lambda', { service: 'lambda', path: '/2015-03-31/functions/echo/code', method: 'PUT' }, /does not exist in the local runtime \(supported: Invoke, GetFunction/],
  [
    'an operation of STS',
    { service: 'sts', ...form('Action=AssumeRole&Version=2011-06-15') },
    /STS operation AssumeRole does not exist in the local runtime \(supported: GetCallerIdentity\)/,
  ],
  ['an operation of S3', { service: 's3', path: '/bucket?versioning', method: 'GET' }, /versioning/],
  ['an operation of Scheduler', { service: 'scheduler', path: '/schedule-groups', method: 'GET', type: 'application/json' }, /upported/],
  ['an operation of SES', { service: 'ses', path: '/v2/email/templates', method: 'POST', type: 'application/json' }, /upported/],
])('B-7: %s that is not there is refused with what is', async (_, asked, sentence) => {
  const { status, text } = await call(asked);
  expect(text).toMatch(sentence);
  expect([400, 404, 501]).toContain(status); // S3's own answer is 501
});

test('B-7: CBOR is refused with the protocol to use', async () => {
  const { text } = await call({ service: 'states', target: 'AWSStepFunctions.ListStateMachines', type: 'application/x-amz-cbor-1.1' });
  expect(text).toMatch(/reads json-1\.0 for states, not CBOR; configure the client to use JSON/);
});
