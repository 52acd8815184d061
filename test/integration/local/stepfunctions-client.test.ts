import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  GetExecutionHistoryCommand,
  InvalidToken,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { afterEach, describe, expect, test } from 'vitest';
import { clientSettings, type ServedAws, serveAws } from '../../support/local-http.ts';
import { awaitToken, lastToken, MACHINE, only, workflows } from '../../support/step-functions.ts';

let served: ServedAws | undefined;
afterEach(async () => served?.close());

async function aClient() {
  const machine = await workflows(only(awaitToken('ask', { TimeoutSeconds: 60 })));
  served = await serveAws([machine.sfn.service]);
  return { machine, client: new SFNClient(clientSettings(served.endpoint)) };
}

describe('an unmodified SDK client', () => {
  test('starts, reads, wakes and lists executions', async () => {
    const { machine, client } = await aClient();
    const started = await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE, name: 'h-1', input: '{"schemaVersion":"1"}' }));
    expect(started.startDate).toEqual(new Date('2026-03-02T10:00:00Z'));
    await machine.kernel.settle();
    await client.send(new SendTaskSuccessCommand({ taskToken: lastToken(machine.lambda), output: '{"woken":true}' }));
    await machine.kernel.settle();
    const described = await client.send(new DescribeExecutionCommand({ executionArn: started.executionArn }));
    expect(described).toMatchObject({ status: 'SUCCEEDED', output: '{"woken":true}', input: '{"schemaVersion":"1"}', stopDate: new Date('2026-03-02T10:00:00Z') });
    const { events } = await client.send(new GetExecutionHistoryCommand({ executionArn: started.executionArn }));
    expect(events?.map(({ type }) => type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    expect(events?.[5]).toMatchObject({
      timestamp: new Date('2026-03-02T10:00:00Z'),
      previousEventId: 5,
      taskSucceededEventDetails: { resourceType: 'lambda', output: '{"woken":true}' },
    });
    expect((await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE, statusFilter: 'SUCCEEDED' }))).executions).toHaveLength(1);
  });

  test('gets the errors of its own classes', async () => {
    const { machine, client } = await aClient();
    const { executionArn } = await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE, name: 'h-1' }));
    await machine.kernel.settle();
    await expect(client.send(new StartExecutionCommand({ stateMachineArn: MACHINE, name: 'h-1', input: '{"a":1}' }))).rejects.toBeInstanceOf(ExecutionAlreadyExists);
    await expect(client.send(new SendTaskSuccessCommand({ taskToken: 'invented', output: '{}' }))).rejects.toBeInstanceOf(InvalidToken);
    await client.send(new StopExecutionCommand({ executionArn }));
    await expect(client.send(new SendTaskFailureCommand({ taskToken: lastToken(machine.lambda) }))).rejects.toBeInstanceOf(TaskTimedOut);
    expect((await client.send(new RedriveExecutionCommand({ executionArn }))).redriveDate).toBeInstanceOf(Date);
  });
});
