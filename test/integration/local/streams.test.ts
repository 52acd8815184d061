import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { callAws, lambda, logs, role, type SmallStack, table, writeStack } from './small-stack.ts';

const CONSUME = `
let tries = {};
export const handler = async ({ Records }) => {
  console.log('batch ' + JSON.stringify(Records.map((r) => r.dynamodb.Keys.sk.S)));
  const bad = Records.find((r) => r.dynamodb.Keys.sk.S.startsWith('R#poison') || (r.dynamodb.Keys.sk.S.startsWith('R#once') && !tries[r.eventID]++ && (tries[r.eventID] = 1)));
  return { batchItemFailures: bad ? [{ itemIdentifier: bad.dynamodb.SequenceNumber }] : [] };
};`;

let stack: SmallStack;
let runtime: Runtime;
let url: string;

beforeAll(async () => {
  const arn = (id: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [id, attribute] });
  stack = writeStack(
    {
      Role: role(
        { Effect: 'Allow', Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'], Resource: arn('Table', 'StreamArn') },
        { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arn('Dead') },
      ),
      Table: table,
      Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
      Consume: lambda('consume'),
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: arn('Table', 'StreamArn'),
          FunctionName: { Ref: 'Consume' },
          StartingPosition: 'TRIM_HORIZON',
          BatchSize: 10,
          BisectBatchOnFunctionError: true,
          MaximumRetryAttempts: 2,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'R#' }] } } } }) }] },
          DestinationConfig: { OnFailure: { Destination: arn('Dead') } },
        },
      },
    },
    { consume: CONSUME },
  );
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
  url = runtime.urls.aws;
});
afterAll(async () => {
  await runtime.stop();
  stack.remove();
});

const put = (sk: string, more: Record<string, unknown> = {}) =>
  callAws(url, 'DynamoDB_20120810.PutItem', { TableName: 'things', Item: { pk: { S: 'p' }, sk: { S: sk }, ...more } });
const dead = async () =>
  ((await callAws(url, 'AmazonSQS.ReceiveMessage', { QueueUrl: `${url}/000000000000/dead`, MaxNumberOfMessages: 10 })).output.Messages ?? []) as { Body: string }[];

test('LA-05: inserts that pass the filter reach the function at once; changes and other items do not', async () => {
  await put('R#1');
  await put('R#1', { changed: { S: 'yes' } });
  await put('X#1');
  await runtime.idle();
  const lines = await logs(url, 'batch');
  expect(lines).toContain('batch ["R#1"]');
  expect(lines).not.toContain('X#1');
  expect(lines.match(/R#1/g)).toHaveLength(1);
});

test('LA-05: a record that fails once is tried again a second later, and those before it are not', async () => {
  const items = ['R#a', 'R#once', 'R#b'].map((sk) => ({ Put: { TableName: 'things', Item: { pk: { S: 'q' }, sk: { S: sk } } } }));
  await callAws(url, 'DynamoDB_20120810.TransactWriteItems', { TransactItems: items });
  await runtime.advance(30);
  const lines = await logs(url, 'batch');
  expect(lines.match(/R#a"/g)).toHaveLength(1);
  expect(lines.match(/R#once/g)?.length).toBeGreaterThanOrEqual(2);
  expect(lines).toMatch(/R#b/);
  expect(await dead()).toEqual([]);
});

test('LA-04: a poison record is isolated, given up after its retries, and reported; what comes after it still arrives', async () => {
  await put('R#poison');
  await put('R#after');
  await runtime.advance(600);
  const reports = await dead();
  expect(reports).toHaveLength(1);
  expect(JSON.parse(reports[0]?.Body ?? '')).toMatchObject({
    requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
    DDBStreamBatchInfo: { batchSize: 1 },
  });
  expect(await logs(url, 'batch')).toContain('R#after');
});

test('LR-09: items are gone some time after their time to live, by the runtime clock', async () => {
  await put('T#1', { expiresAt: { N: String(Math.floor(runtime.now() / 1000) + 86_400) } });
  await put('T#2', { expiresAt: { N: String(Math.floor(runtime.now() / 1000) + 30 * 86_400) } });
  await runtime.advance(2 * 86_400);
  const { output } = await callAws(url, 'DynamoDB_20120810.Query', {
    TableName: 'things',
    KeyConditionExpression: 'pk = :p AND begins_with(sk, :t)',
    ExpressionAttributeValues: { ':p': { S: 'p' }, ':t': { S: 'T#' } },
  });
  expect((output.Items as { sk: { S: string } }[]).map((item) => item.sk.S)).toEqual(['T#2']);
});

test('LA-05: after a restart the stream goes on where it stopped, with nothing twice and nothing lost', async () => {
  await put('R#before-restart');
  await runtime.idle();
  await runtime.stop();
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
  url = runtime.urls.aws;
  await put('R#after-restart');
  await runtime.idle();
  expect(await logs(url, 'batch')).toContain('batch ["R#after-restart"]');
  expect(await logs(url, 'batch')).not.toContain('R#before-restart');
});

test('B-3 LA-04: a restart between two tries does not begin to count again', async () => {
  const begin = new Date(runtime.now()).toISOString();
  await put('R#poison-restarted');
  await runtime.advance(1.5);
  const tries = (text: string) => text.split('R#poison-restarted').length - 1;
  const before = tries(await logs(url, 'batch'));
  expect(before).toBeGreaterThan(0);
  await runtime.stop();
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
  url = runtime.urls.aws;
  await runtime.advance(600);
  expect(before + tries(await logs(url, 'batch'))).toBe(3);
  const reports = (await dead()).map(({ Body }) => JSON.parse(Body) as { timestamp: string }).filter(({ timestamp }) => timestamp > begin);
  expect(reports).toMatchObject([{ requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 } }]);
});
