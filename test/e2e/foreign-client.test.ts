// A client that knows nothing of us: the AWS command line, pointed at the loopback endpoint.

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { type RunningBaton, startBaton } from '../support/running-baton.ts';

let baton: RunningBaton;
beforeAll(async () => {
  if (spawnSync('aws', ['--version']).error !== undefined) throw new Error('the AWS command line is missing: apt-get install awscli');
  baton = await startBaton();
});
afterAll(() => baton?.stop());

function aws(...args: string[]): Record<string, unknown> {
  const env = { ...process.env, AWS_ACCESS_KEY_ID: 'someone', AWS_SECRET_ACCESS_KEY: 'someone', AWS_DEFAULT_REGION: 'us-east-1', AWS_PAGER: '' };
  const { status, stdout, stderr } = spawnSync('aws', ['--endpoint-url', baton.urls.aws, '--output', 'json', ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`aws ${args.join(' ')}: ${stderr}`);
  return stdout.trim() === '' ? {} : JSON.parse(stdout);
}

it('the AWS CLI puts a signal on the bus and reads the table and the execution it leads to', async () => {
  const { BusName = '', TableName = '', MachineArn = '' } = baton.outputs;
  const at = new Date().toISOString();
  const signal = {
    source: 'website',
    eventId: 'from-the-aws-cli',
    kind: 'form.submitted',
    occurredAt: at,
    receivedAt: at,
    contact: { email: 'ada@example.com' },
    request: { words: 'Leak over the kitchen', category: 'roof-repair' },
    location: { postalCode: '97201' },
    consent: {},
    more: {},
  };
  const entry = { Source: 'baton.intake', DetailType: 'signal.received', EventBusName: BusName, Detail: JSON.stringify({ schemaVersion: '1', signal }) };
  expect(aws('events', 'put-events', '--entries', JSON.stringify([entry]))).toMatchObject({ FailedEntryCount: 0 });
  await baton.settled();

  const id = signalDigest.handoffId({ source: 'website', eventId: 'from-the-aws-cli' });
  const key = JSON.stringify({ pk: { S: `HANDOFF#${id}` }, sk: { S: 'HEAD' } });
  const { Item } = aws('dynamodb', 'get-item', '--table-name', TableName, '--consistent-read', '--key', key) as { Item: Record<string, { S?: string }> };
  expect(Item.state?.S).toBe('acceptance-requested');

  const execution = aws('stepfunctions', 'describe-execution', '--execution-arn', `${MachineArn.replace(':stateMachine:', ':execution:')}:${id}`);
  expect(execution).toMatchObject({ name: id, status: 'RUNNING' });
  const { events } = aws('stepfunctions', 'get-execution-history', '--execution-arn', String(execution.executionArn)) as { events: { type: string }[] };
  expect(events.map((event) => event.type)).toContain('TaskSubmitted');
});
