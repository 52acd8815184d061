import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { signalDigest } from '../../../shared/adapters/handoff-ids.ts';
import { typed } from '../../support/command-line.ts';
import { aRoofInspection } from '../../support/leads.ts';
import { type Baton, story } from '../../support/story.ts';

/** What a queue of the stack would hold, written by whoever gave up. */
async function dead(queue: string, body: unknown, attributes: Record<string, string> = {}): Promise<void> {
  const sqs = new SQSClient({});
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const url = QueueUrls.find((one) => one.includes(queue));
  if (url === undefined) throw new Error(`no queue is called ${queue}; there are ${QueueUrls.join(', ')}`);
  const MessageAttributes = Object.fromEntries(Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]));
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify(body), MessageAttributes }));
}

async function functionCalled(name: string): Promise<string> {
  const { Functions = [] } = await new LambdaClient({}).send(new ListFunctionsCommand({}));
  const found = Functions.find((one) => one.FunctionName?.includes(name))?.FunctionArn;
  if (found === undefined) throw new Error(`no function is called ${name}`);
  return found;
}

/** The event of a signal, as the bus would hand it to a function. */
function arrival(baton: Baton, eventId: string) {
  const at = new Date(baton.runtime.now()).toISOString();
  const request = { words: 'A leak.', category: 'roof-inspection' };
  const facts = { contact: { name: `Ada ${eventId}`, email: `${eventId}@example.com` }, request, location: { postalCode: '97201' }, consent: {}, more: {} };
  const signal = { source: 'website', eventId, kind: 'form.submitted', occurredAt: at, receivedAt: at, ...facts };
  const event = { version: '0', id: eventId, source: 'baton.intake', 'detail-type': 'signal.received', account: '000000000000', time: at, region: 'us-east-1', resources: [] };
  return { ...event, detail: { schemaVersion: '1', signal } };
}

story('OP-02 OP-03 SF-23: what a rule and a function gave up is shown with its row, given again once, and nothing that happened happens twice', async (baton) => {
  expect(await typed(baton, 'redrive')).toEqual({ status: 0, text: 'Nothing waits in any dead-letter queue.' });

  const openHandoff = await functionCalled('OpenHandoff');
  const done = await baton.givenSignal(aRoofInspection(), 'done-before');
  await dead('OpenHandoffUndelivered', arrival(baton, 'by-the-rule'), { TARGET_ARN: openHandoff, ERROR_MESSAGE: 'Rate exceeded' });
  await dead('OpenHandoffFailed', {
    ...{ version: '1.0', requestContext: { functionArn: `${openHandoff}:$LATEST`, condition: 'RetriesExhausted' } },
    ...{ requestPayload: arrival(baton, 'by-the-function'), responsePayload: { errorMessage: 'the table was still busy' } },
  });
  await dead('OpenHandoffFailed', { requestContext: { functionArn: openHandoff }, requestPayload: arrival(baton, 'done-before') });
  await dead('Unpublished', { DynamoDBBatchInfo: { shardId: 'shard-1' } });

  const listed = await typed(baton, 'redrive', '--zone', 'UTC');
  expect(listed.status).toBe(1);
  expect(listed.text).toMatch(/OpenHandoffUndelivered[^\n]*\n {4}for [^\n]*OpenHandoff[^\n]*; Rate exceeded\n {4}h-[0-9a-f]{32} does not exist/);
  expect(listed.text).toContain('the table was still busy');
  expect(listed.text).toContain(`${done} is acceptance-requested, custodian ina`);
  expect(listed.text).toMatch(/4 messages wait\. Mend what failed, then: baton redrive --run$/);

  const ran = await typed(baton, 'redrive', '--run', '--zone', 'UTC');
  expect(ran.status).toBe(1);
  expect(ran.text.match(/given again/g)).toHaveLength(3);
  expect(ran.text).toContain('left where it is');
  await baton.runtime.idle();
  for (const eventId of ['by-the-rule', 'by-the-function']) await baton.thenState(signalDigest.handoffId({ source: 'website', eventId }), 'acceptance-requested');
  await baton.thenReceipts(done, ['handoff.opened', 'candidates.resolved', 'acceptance.requested']);
  expect((await typed(baton, 'redrive')).text).toContain('1 message waits');
});
