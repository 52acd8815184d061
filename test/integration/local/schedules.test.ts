import { CreateScheduleCommand, DeleteScheduleCommand, GetScheduleCommand, ListSchedulesCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { describe, expect, it } from 'vitest';
import { AwsError, type Services } from '../../../infra/local/kernel/types.ts';
import { type LocalScheduler, scheduler } from '../../../infra/local/services/scheduler.ts';
import { clientSettings, serveAws } from '../../support/local-http.ts';
import { aKernel, aResource, type LocalKernel } from '../../support/local-kernel.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:report-orphans';
const ROLE = 'arn:aws:iam::000000000000:role/SchedulerRole';
const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead';

type Fired = { payload: unknown; caller: unknown; at: string };

const aScheduler = (failure?: unknown, db?: LocalKernel) => {
  const fired: Fired[] = [];
  const dead: { body: string; attributes: Record<string, string> }[] = [];
  const services: Partial<Services> = {
    lambda: {
      invoke: async () => ({ payload: null }),
      async invokeAsync(_arn, payload, caller) {
        if (failure !== undefined) throw failure;
        fired.push({ payload, caller, at: new Date(kernel.time.now()).toISOString() });
      },
    },
    queues: {
      async send(_arn, body, attributes) {
        dead.push({ body, attributes });
      },
    },
  };
  const kernel: LocalKernel = db ? db.restarted(services) : aKernel({ services });
  return { kernel, local: scheduler(kernel), fired, dead };
};

const schedule = (over: object = {}) =>
  aResource('AWS::Scheduler::Schedule', 'Report', {
    ScheduleExpression: 'cron(0 12 * * ? *)',
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: FUNCTION,
      RoleArn: ROLE,
      Input: '{"at":"<aws.scheduler.scheduled-time>"}',
      DeadLetterConfig: { Arn: DEAD },
      RetryPolicy: { MaximumRetryAttempts: 1, MaximumEventAgeInSeconds: 600 },
    },
    ...over,
  });

const given = async (local: LocalScheduler, over: object = {}) => {
  await local.provision(schedule(over));
  local.resume();
};

describe('LR-08: a schedule fires', () => {
  it('at its time, under its role, with its input', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local);
    await kernel.advance(2 * 3600 - 1);
    expect(fired).toEqual([]);
    await kernel.advance(1);
    expect(fired).toEqual([{ payload: { at: '2026-03-02T12:00:00Z' }, caller: { kind: 'role', roleArn: ROLE, name: 'Report' }, at: '2026-03-02T12:00:00.000Z' }]);
    await kernel.advance(3 * 86_400);
    expect(fired).toHaveLength(4);
  });

  it('SC-02: once a local day over both changes of the clock', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local, { ScheduleExpression: 'cron(30 6 * * ? *)', ScheduleExpressionTimezone: 'America/New_York' });
    await kernel.advance(300 * 86_400);
    expect(fired).toHaveLength(300);
    expect(new Set(fired.map((one) => one.at.slice(0, 10))).size).toBe(300);
  });

  it('a rate begins at once and keeps its rhythm', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local, { ScheduleExpression: 'rate(5 minutes)' });
    await kernel.advance(600);
    expect(fired.map((one) => one.at.slice(11, 16))).toEqual(['10:00', '10:05', '10:10']);
  });

  it('only between its start and its end', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local, { ScheduleExpression: 'rate(1 hour)', StartDate: '2026-03-02T11:30:00Z', EndDate: '2026-03-02T13:30:00Z' });
    await kernel.advance(86_400);
    expect(fired.map((one) => one.at.slice(11, 16))).toEqual(['11:30', '12:30', '13:30']);
  });

  it('somewhere in its flexible window', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local, { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 30 } });
    await kernel.advance(10 * 86_400);
    const minutes = fired.map((one) => Number(one.at.slice(14, 16)));
    expect(fired).toHaveLength(10);
    expect(Math.max(...minutes)).toBeLessThan(30);
    expect(new Set(minutes).size).toBeGreaterThan(1);
  });

  it('not while disabled', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local, { State: 'DISABLED' });
    await kernel.advance(5 * 86_400);
    expect(fired).toEqual([]);
  });

  it('without an input it sends what AWS sends', async () => {
    const { kernel, local, fired } = aScheduler();
    await given(local, { Target: { Arn: FUNCTION, RoleArn: ROLE } });
    await kernel.advance(86_400);
    expect(fired[0]?.payload).toMatchObject({ source: 'aws.scheduler', 'detail-type': 'Scheduled Event', time: '2026-03-02T12:00:00Z' });
  });
});

describe('over a restart', () => {
  it('what was missed while the runtime was off fires once, and the rhythm goes on', async () => {
    const first = aScheduler();
    await given(first.local);
    await first.kernel.advance(3600);
    const off = first.kernel.restarted();
    await off.advance(5 * 86_400);
    const second = aScheduler(undefined, off);
    await given(second.local);
    await second.kernel.advance(60);
    expect(second.fired).toHaveLength(1);
    await second.kernel.advance(86_400);
    expect(second.fired).toHaveLength(2);
  });

  it('a changed expression takes effect, an unchanged rate keeps its rhythm, a removed schedule is gone', async () => {
    const first = aScheduler();
    await given(first.local, { ScheduleExpression: 'rate(1 hour)' });
    await first.kernel.advance(1800);
    const second = aScheduler(undefined, first.kernel);
    await given(second.local, { ScheduleExpression: 'rate(1 hour)' });
    expect(second.local.summary()[0]?.nextAt).toBe('2026-03-02T11:00:00.000Z');
    const third = aScheduler(undefined, second.kernel);
    await given(third.local, { ScheduleExpression: 'cron(0 20 * * ? *)' });
    expect(third.local.summary()[0]?.nextAt).toBe('2026-03-02T20:00:00.000Z');
    const fourth = aScheduler(undefined, third.kernel);
    fourth.local.resume();
    expect(fourth.local.summary()).toEqual([]);
  });
});

describe('when the target fails', () => {
  it('retries, then buries with the attributes of the scheduler', async () => {
    const { kernel, local, dead } = aScheduler(new AwsError('ServiceException', 'down', 503));
    await given(local);
    await kernel.advance(3 * 3600);
    expect(dead[0]?.body).toBe('{"at":"2026-03-02T12:00:00Z"}');
    expect(dead[0]?.attributes).toMatchObject({
      SCHEDULE_ARN: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/Report',
      TARGET_ARN: FUNCTION,
      SCHEDULED_TIME: '2026-03-02T12:00:00Z',
      RETRY_ATTEMPTS: '1',
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
    });
  });
});

it.each([
  ['an expression AWS refuses', { ScheduleExpression: 'cron(0 12 * * * *)' }, /Invalid Schedule Expression/],
  ['SC-04: a time already past', { ScheduleExpression: 'at(2020-01-01T00:00:00)' }, /cannot be in the past/],
  ['a target that is not supported', { Target: { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage', RoleArn: ROLE } }, /cannot have/],
  ['a target without role', { Target: { Arn: FUNCTION } }, /RoleArn/],
  ['a window without length', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, /MaximumWindowInMinutes/],
  ['no window at all', { FlexibleTimeWindow: undefined }, /FlexibleTimeWindow/],
  ['input that is not JSON', { Target: { Arn: FUNCTION, RoleArn: ROLE, Input: '{' } }, /JSON/],
])('refuses %s', async (_name, over, message) => {
  await expect(aScheduler().local.provision(schedule(over))).rejects.toThrow(message);
});

describe('by request', () => {
  const input = (over: object = {}) => ({
    Name: 'once',
    ScheduleExpression: 'at(2026-03-02T11:00:00)',
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    ActionAfterCompletion: 'DELETE' as const,
    Target: { Arn: FUNCTION, RoleArn: ROLE, Input: '{}' },
    ...over,
  });

  it('SC-05: a one-time schedule fires once and is deleted; others are read, changed, listed and deleted', async () => {
    const { kernel, local, fired } = aScheduler();
    const served = await serveAws([local]);
    const client = new SchedulerClient(clientSettings(served.endpoint));
    try {
      await client.send(new CreateScheduleCommand(input()));
      await expect(client.send(new CreateScheduleCommand(input()))).rejects.toMatchObject({ name: 'ConflictException' });
      await expect(client.send(new CreateScheduleCommand(input({ Name: 'late', ScheduleExpression: 'at(2026-03-02T09:00:00)' })))).rejects.toThrow(/past/);
      await kernel.advance(61 * 60);
      expect(fired).toHaveLength(1);
      await expect(client.send(new GetScheduleCommand({ Name: 'once' }))).rejects.toMatchObject({ name: 'ResourceNotFoundException' });

      await client.send(new CreateScheduleCommand(input({ Name: 'daily', ScheduleExpression: 'rate(1 day)', StartDate: new Date('2026-03-03T00:00:00Z') })));
      await client.send(new UpdateScheduleCommand(input({ Name: 'daily', ScheduleExpression: 'rate(2 days)' })));
      const read = await client.send(new GetScheduleCommand({ Name: 'daily' }));
      expect(read).toMatchObject({ Name: 'daily', ScheduleExpression: 'rate(2 days)', State: 'ENABLED' });
      expect((await client.send(new ListSchedulesCommand({ NamePrefix: 'da' }))).Schedules?.map((one) => one.Name)).toEqual(['daily']);
      await client.send(new DeleteScheduleCommand({ Name: 'daily' }));
      expect(local.summary()).toEqual([]);
    } finally {
      await served.close();
    }
  });
});
