import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../infra/local/kernel/types.ts';
import { type LocalQueues, queues } from '../../../infra/local/services/sqs.ts';
import { clientSettings, type ServedAws, serveAws } from '../../support/local-http.ts';
import { aKernel, aResource, type LocalKernel } from '../../support/local-kernel.ts';

let kernel: LocalKernel;
let local: LocalQueues;
let served: ServedAws;
let sqs: SQSClient;
let QueueUrl: string;

const aQueue = (name: string, properties: object = {}) => local.provision(aResource('AWS::SQS::Queue', name, { ...properties }));

beforeEach(async () => {
  kernel = aKernel();
  local = queues(kernel);
  await aQueue('dead', { MessageRetentionPeriod: 1_209_600 });
  await aQueue('work', { VisibilityTimeout: 30, RedrivePolicy: { deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead', maxReceiveCount: 2 } });
  served = await serveAws([local]);
  sqs = new SQSClient(clientSettings(served.endpoint));
  QueueUrl = (await sqs.send(new GetQueueUrlCommand({ QueueName: 'work' }))).QueueUrl ?? '';
});
afterEach(async () => {
  local.stop();
  await served.close();
});

const send = (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
const receive = async (url = QueueUrl) =>
  (await sqs.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All'] }))).Messages ?? [];
const deadUrl = () => QueueUrl.replace('work', 'dead');

describe('messages', () => {
  it('are hidden once received, come back after the visibility time-out, and are gone once deleted', async () => {
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'héllo', MessageAttributes: { RULE_ARN: { DataType: 'String', StringValue: 'arn' } } }));
    const [first] = await receive();
    expect(first?.Body).toBe('héllo');
    expect(first?.MessageAttributes?.RULE_ARN?.StringValue).toBe('arn');
    expect(first?.Attributes?.ApproximateReceiveCount).toBe('1');
    expect(await receive()).toEqual([]);
    await kernel.advance(30);
    const [second] = await receive();
    expect(second?.Attributes?.ApproximateReceiveCount).toBe('2');
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second?.ReceiptHandle }));
    await kernel.advance(60);
    expect(await receive()).toEqual([]);
  });

  it('survive a restart', async () => {
    await send('kept');
    const later = queues(kernel.restarted());
    await later.provision(aResource('AWS::SQS::Queue', 'work'));
    expect(later.summary()).toMatchObject([{ name: 'work', visible: 1 }]);
  });

  it('OP-01: move to the dead-letter queue after too many receives and keep their age', async () => {
    await send('poison');
    for (let round = 0; round < 2; round += 1) {
      expect(await receive()).toHaveLength(1);
      await kernel.advance(30);
    }
    expect(await receive()).toEqual([]);
    const [dead] = await receive(deadUrl());
    expect(dead?.Body).toBe('poison');
    expect(dead?.Attributes?.SentTimestamp).toBe(String(Date.parse('2026-03-02T10:00:00Z')));
  });

  it('are forgotten after the retention period', async () => {
    await send('old');
    await kernel.advance(4 * 86_400);
    expect(await receive()).toEqual([]);
  });

  it('a receiver who waits gets a message that arrives meanwhile', async () => {
    const waiting = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await send('there it is');
    expect((await waiting).Messages?.[0]?.Body).toBe('there it is');
  });

  it('can be released early, but only while held', async () => {
    await send('x');
    const [held] = await receive();
    const release = () => sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: held?.ReceiptHandle, VisibilityTimeout: 0 }));
    await release();
    await expect(release()).rejects.toThrow(/not in flight/);
    expect(await receive()).toHaveLength(1);
  });
});

describe('limits and errors', () => {
  it('refuses a body above 256 KB, an empty one, and an unknown queue', async () => {
    await expect(send('x'.repeat(262_145))).rejects.toThrow(/shorter than 262144/);
    await expect(send('')).rejects.toThrow(/MessageBody/);
    await expect(sqs.send(new GetQueueUrlCommand({ QueueName: 'nope' }))).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });

  it('refuses members it would ignore', async () => {
    await expect(sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageGroupId: 'g' }))).rejects.toThrow(/does not support MessageGroupId/);
  });

  it('a batch fails entry by entry', async () => {
    const Entries = [
      { Id: 'a', MessageBody: 'x' },
      { Id: 'b', MessageBody: 'x'.repeat(262_145) },
    ];
    const answer = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(answer.Successful?.map((one) => one.Id)).toEqual(['a']);
    expect(answer.Failed?.map((one) => one.Code)).toEqual(['InvalidParameterValue']);
  });

  it('lists, counts and purges', async () => {
    await send('x');
    expect((await sqs.send(new ListQueuesCommand({}))).QueueUrls).toHaveLength(2);
    const attributes = async () => (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes;
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessages: '1', VisibilityTimeout: '30' });
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessages: '0' });
  });
});

describe('clients from before November 2023 speak forms and XML', () => {
  const form = async (fields: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', authorization: 'AWS4-HMAC-SHA256 Credential=a/20260302/us-east-1/sqs/aws4_request' };
    const answer = await fetch(QueueUrl, { method: 'POST', headers, body: new URLSearchParams({ ...fields, Version: '2012-11-05' }) });
    return { status: answer.status, text: await answer.text() };
  };

  it('send, receive, delete', async () => {
    const attribute = { 'MessageAttribute.1.Name': 'k', 'MessageAttribute.1.Value.DataType': 'String', 'MessageAttribute.1.Value.StringValue': 'v' };
    expect((await form({ Action: 'SendMessage', QueueUrl, MessageBody: 'a<b&"é"', ...attribute })).text).toMatch(/<SendMessageResult><MessageId>.+<MD5OfMessageBody>/);
    const { text } = await form({ Action: 'ReceiveMessage', QueueUrl, MaxNumberOfMessages: '10', 'AttributeName.1': 'All', 'MessageAttributeName.1': 'All' });
    expect(text).toContain('<Body>a&lt;b&amp;&quot;é&quot;</Body>');
    expect(text).toContain('<MessageAttribute><Name>k</Name><Value><DataType>String</DataType><StringValue>v</StringValue></Value></MessageAttribute>');
    expect(text).toContain('<Attribute><Name>ApproximateReceiveCount</Name><Value>1</Value></Attribute>');
    const [, receipt = ''] = /<ReceiptHandle>([^<]+)/.exec(text) ?? [];
    expect((await form({ Action: 'DeleteMessage', QueueUrl, ReceiptHandle: receipt })).status).toBe(200);
    expect(local.summary()).toMatchObject([{ name: 'dead' }, { name: 'work', visible: 0, inFlight: 0 }]);
  });

  it('batches, lists and errors', async () => {
    const entries = { 'SendMessageBatchRequestEntry.1.Id': 'a', 'SendMessageBatchRequestEntry.1.MessageBody': 'x' };
    expect((await form({ Action: 'SendMessageBatch', QueueUrl, ...entries })).text).toContain('<SendMessageBatchResultEntry><Id>a</Id>');
    expect((await form({ Action: 'ListQueues' })).text).toMatch(/<QueueUrl>.+<\/QueueUrl><QueueUrl>/);
    expect(await form({ Action: 'GetQueueUrl', QueueName: 'nope' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('<Code>AWS.SimpleQueueService.NonExistentQueue</Code>'),
    });
    expect((await form({ Action: 'ReceiveMessage', QueueUrl: `${QueueUrl}`, 'AttributeName.1': 'All', VisibilityTimeout: '0' })).text).toContain('<ReceiveMessageResult>');
  });
});

describe('who may send', () => {
  const rule: Caller = { kind: 'service', principal: 'events.amazonaws.com', sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/bus/open' };
  const arn = 'arn:aws:sqs:us-east-1:000000000000:dead';
  const policy = (statements: object[]) =>
    local.provision(aResource('AWS::SQS::QueuePolicy', 'P', { Queues: ['https://sqs.us-east-1.amazonaws.com/000000000000/dead'], PolicyDocument: { Statement: statements } }));
  const admit = (SourceArn: string) => ({
    Effect: 'Allow',
    Action: 'sqs:SendMessage',
    Principal: { Service: 'events.amazonaws.com' },
    Resource: arn,
    Condition: { ArnEquals: { 'aws:SourceArn': SourceArn } },
  });

  it('EB-08: a service needs the queue policy, down to its source', async () => {
    await expect(local.send(arn, '{}', {}, rule)).rejects.toThrow(/no resource-based policy allows/);
    await policy([admit('arn:aws:events:us-east-1:000000000000:rule/bus/other')]);
    await expect(local.send(arn, '{}', {}, rule)).rejects.toThrow(/not authorized/);
    await policy([admit('arn:aws:events:us-east-1:000000000000:rule/bus/*')]);
    await local.send(arn, '{}', { RULE_ARN: 'r' }, rule);
    expect((await receive(deadUrl()))[0]?.MessageAttributes?.RULE_ARN?.StringValue).toBe('r');
  });

  it('a rule that only refuses plain HTTP does not refuse the runtime itself', async () => {
    await policy([
      admit('arn:aws:events:us-east-1:000000000000:rule/*'),
      { Effect: 'Deny', Action: 'sqs:*', Principal: '*', Resource: arn, Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
    await expect(local.send(arn, '{}', {}, rule)).resolves.toBeUndefined();
  });
});
