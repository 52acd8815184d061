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

const settings = () => ({
  ...process.env,
  AWS_ENDPOINT_URL: baton.urls.aws,
  AWS_ACCESS_KEY_ID: 'someone',
  AWS_SECRET_ACCESS_KEY: 'someone',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_PAGER: '',
});

function aws(...args: string[]): Record<string, unknown> {
  const { status, stdout, stderr } = spawnSync('aws', ['--output', 'json', ...args], { env: settings(), encoding: 'utf8' });
  if (status !== 0) throw new Error(`aws ${args.join(' ')}: ${stderr}`);
  return stdout.trim() === '' ? {} : JSON.parse(stdout);
}

it('the AWS CLI puts a signal on the bus and reads the table and the execution it leads to', async () => {
  const { TableName = '', MachineArn = '' } = baton.outputs;
  const { status, stderr } = spawnSync('sh', ['examples/partner/put-signal.sh', 'from-the-aws-cli'], {
    env: { ...settings(), BATON_BUS: baton.outputs.BusName },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
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

it('D: the example refuses to be satisfied when the bus took nothing', () => {
  const { status, stderr } = spawnSync('sh', ['examples/partner/put-signal.sh', 'nobody-hears'], { env: { ...settings(), BATON_BUS: 'no-such-bus' }, encoding: 'utf8' });
  expect([status === 0, stderr.trim() === '']).toEqual([false, false]);
});

it('D: the Python example is Python', () => {
  const { error, status, stderr } = spawnSync('python3', ['-c', "import ast; ast.parse(open('examples/partner/put_signal.py').read())"], { encoding: 'utf8' });
  if (error === undefined) expect(status, stderr).toBe(0);
});
