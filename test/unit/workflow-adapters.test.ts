import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DescribeExecutionCommand, RedriveExecutionCommand, SendTaskSuccessCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { sfnWorkflow } from '../../shared/adapters/sfn-workflow.ts';
import { ID } from '../support/builders.ts';

const named = (name: string) => Object.assign(new Error(name), { name });

describe('the bus', () => {
  const anEvent = (n: number) => ({ source: 'baton.test', detailType: 'tested', detail: { n } });
  const events = (count: number) => Array.from({ length: count }, (_, n) => anEvent(n));
  const accepted = { EventId: 'e' };
  const refused = { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' };
  const bus = () => {
    const client = new EventBridgeClient({ region: 'us-east-1' });
    return { calls: mockClient(client), publish: eventbridgeEventBus('bus', client, { pause: async () => {}, chance: () => 0 }).publish };
  };
  const sent = (calls: ReturnType<typeof mockClient>) =>
    calls.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries?.map(({ Detail }) => JSON.parse(Detail ?? '').n));

  test('at most ten events a call', async () => {
    const { calls, publish } = bus();
    calls.on(PutEventsCommand).callsFake(({ Entries }) => ({ Entries: Entries.map(() => accepted) }));
    await publish(events(23));
    expect(sent(calls).map((one) => one?.length)).toEqual([10, 10, 3]);
  });

  test('nothing to publish is no call', async () => {
    const { calls, publish } = bus();
    await publish([]);
    expect(calls.calls()).toHaveLength(0);
  });

  test('EB-04: entries 1 and 3 of 4 are refused, so exactly those two are sent again', async () => {
    const { calls, publish } = bus();
    calls
      .on(PutEventsCommand)
      .resolvesOnce({ FailedEntryCount: 2, Entries: [refused, accepted, refused, accepted] })
      .resolves({ Entries: [accepted, accepted] });
    await publish(events(4));
    expect(sent(calls)).toEqual([
      [0, 1, 2, 3],
      [0, 2],
    ]);
  });

  test('EB-04: what is refused three times is thrown with the events that are not on the bus', async () => {
    const { calls, publish } = bus();
    calls.on(PutEventsCommand).callsFake(({ Entries }) => ({ Entries: Entries.map(({ Detail }: { Detail: string }) => (JSON.parse(Detail).n === 2 ? refused : accepted)) }));
    await expect(publish(events(4))).rejects.toMatchObject({ name: 'EventsNotPublished', events: [anEvent(2)], message: '1 events were not published: ThrottlingException' });
    expect(sent(calls)).toEqual([[0, 1, 2, 3], [2], [2]]);
  });

  test('EB-17: an answer that is longer or shorter than the request is a clear fault', async () => {
    for (const Entries of [[accepted, accepted], []]) {
      const { calls, publish } = bus();
      calls.on(PutEventsCommand).resolves({ Entries });
      await expect(publish(events(1))).rejects.toThrow(`the bus answered ${Entries.length} of 1 events`);
    }
  });

  test('an entry without an id is not on the bus, whatever else it says', async () => {
    const { calls, publish } = bus();
    calls.on(PutEventsCommand).resolves({ FailedEntryCount: 0, Entries: [{}] });
    await expect(publish(events(1))).rejects.toMatchObject({ name: 'EventsNotPublished' });
  });
});

describe('the machine', () => {
  const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:Baton';
  const workflow = () => {
    const client = new SFNClient({ region: 'us-east-1' });
    return { calls: mockClient(client), ...sfnWorkflow(MACHINE, client) };
  };

  test('SF-11, SF-14: named by its handoff, with an input that is the same to the byte', async () => {
    const { calls, start } = workflow();
    calls.on(StartExecutionCommand).resolves({});
    expect([await start(ID), await start(ID, 2)]).toEqual(['started', 'started']);
    const inputs = calls.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input);
    expect(inputs.map(({ name }) => name)).toEqual([ID, `${ID}-r2`]);
    expect(new Set(inputs.map(({ input }) => input))).toEqual(new Set([`{"schemaVersion":"1","handoffId":"${ID}"}`]));
    for (const { name } of inputs) expect(name).toMatch(/^[a-z0-9-]{1,80}$/);
  });

  test('SF-11: already started or already over is "already handled", never a fault', async () => {
    const { calls, start } = workflow();
    calls.on(StartExecutionCommand).rejects(named('ExecutionAlreadyExists'));
    expect(await start(ID)).toBe('already-started');
  });

  test('any other refusal to start is a fault that says for which handoff', async () => {
    const { calls, start } = workflow();
    calls.on(StartExecutionCommand).rejects(named('StateMachineDoesNotExist'));
    await expect(start(ID)).rejects.toThrow(`the workflow of ${ID} could not be started`);
  });

  test.each([
    ['RUNNING', 'running'],
    ['SUCCEEDED', 'ended'],
    ['FAILED', 'ended'],
    ['TIMED_OUT', 'ended'],
    ['ABORTED', 'ended'],
  ] as const)('an execution that is %s stands as %s', async (status, standing) => {
    const { calls, latest } = workflow();
    calls.on(DescribeExecutionCommand).callsFake(({ executionArn }: { executionArn: string }) => {
      if (executionArn.endsWith(ID)) return { status, stopDate: new Date('2026-03-02T16:00:00Z') };
      throw named('ExecutionDoesNotExist');
    });
    expect(await latest(ID)).toEqual({ attempt: 0, standing, ...(standing === 'ended' && { endedAt: '2026-03-02T16:00:00.000Z' }) });
    expect(calls.commandCalls(DescribeExecutionCommand)[0]?.args[0].input.executionArn).toBe(`arn:aws:states:us-east-1:000000000000:execution:Baton:${ID}`);
  });

  test.each([0, 1, 2, 3, 6, 7, 8, 100])('SF-10: the last of the executions is found, also when it is number %i', async (last) => {
    const { calls, latest } = workflow();
    const ends = (running: boolean) =>
      calls.on(DescribeExecutionCommand).callsFake(({ executionArn }: { executionArn: string }) => {
        const attempt = Number(/-r(\d+)$/.exec(executionArn)?.[1] ?? 0);
        if (attempt > last) throw named('ExecutionDoesNotExist');
        return { status: running && attempt === last ? 'RUNNING' : 'FAILED' };
      });
    ends(true);
    expect(await latest(ID)).toEqual({ attempt: last, standing: 'running' });
    if (last === 0) expect(calls.commandCalls(DescribeExecutionCommand)).toHaveLength(1);
    ends(false);
    expect(await latest(ID)).toEqual({ attempt: last, standing: 'ended' });
  });

  test('SF-15: an execution whose history expired is missing', async () => {
    const { calls, latest } = workflow();
    calls.on(DescribeExecutionCommand).rejects(named('ExecutionDoesNotExist'));
    expect(await latest(ID)).toBeUndefined();
  });

  test('a look-up that fails says for which handoff', async () => {
    const { calls, latest } = workflow();
    calls.on(DescribeExecutionCommand).rejects(named('ThrottlingException'));
    await expect(latest(ID)).rejects.toThrow(`the workflow of ${ID} could not be looked up`);
  });

  test('SF-10: an execution is redriven, or says that it cannot be', async () => {
    const { calls, redrive } = workflow();
    calls.on(RedriveExecutionCommand).resolves({});
    expect(await redrive(ID, 1)).toBe('redriven');
    expect(calls.commandCalls(RedriveExecutionCommand)[0]?.args[0].input).toEqual({ executionArn: `arn:aws:states:us-east-1:000000000000:execution:Baton:${ID}-r1` });
    for (const name of ['ExecutionNotRedrivable', 'ExecutionDoesNotExist']) {
      calls.on(RedriveExecutionCommand).rejects(named(name));
      expect(await redrive(ID, 1)).toBe('not-possible');
    }
    calls.on(RedriveExecutionCommand).rejects(named('ExecutionLimitExceeded'));
    await expect(redrive(ID, 1)).rejects.toThrow(`the workflow of ${ID} could not be redriven`);
  });

  test.each(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'])('SF-01, SF-02: %s means that nobody waits, and is never tried again', async (name) => {
    const { calls, wake } = workflow();
    calls.on(SendTaskSuccessCommand).rejects(named(name));
    expect(await wake('token', ID)).toBe('nobody-waits');
    expect(calls.commandCalls(SendTaskSuccessCommand)).toHaveLength(1);
  });

  test('SF-05: a wake-up that fails says for which handoff, and never the token', async () => {
    const { calls, wake } = workflow();
    calls.on(SendTaskSuccessCommand).rejects(named('ThrottlingException'));
    await expect(wake('AQCE-token', ID)).rejects.toThrow(`the workflow of ${ID} could not be woken`);
  });

  test('the output of a wake-up is the handoff and nothing else', async () => {
    const { calls, wake } = workflow();
    calls.on(SendTaskSuccessCommand).resolves({});
    expect(await wake('token', ID)).toBe('woken');
    expect(calls.commandCalls(SendTaskSuccessCommand)[0]?.args[0].input).toEqual({ taskToken: 'token', output: `{"handoffId":"${ID}"}` });
  });
});
