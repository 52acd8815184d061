import { describe, expect, test } from 'vitest';
import { newToken } from '../../../infra/local/services/stepfunctions/tokens.ts';
import { awaitToken, lastToken, only, Thrown, workflows } from '../../support/step-functions.ts';

const after = { Type: 'Pass', Output: '{% $states.input %}', End: true };
const recovering = (more: Record<string, unknown> = {}) =>
  only(awaitToken('ask', { TimeoutSeconds: 60, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'After' }], ...more }), { After: after });

const refusal = (code: string) => expect.objectContaining({ code });

describe('LR-05: the token broker', () => {
  const operations = [
    ['SendTaskSuccess', { output: '{}' }],
    ['SendTaskFailure', { error: 'No' }],
    ['SendTaskHeartbeat', {}],
  ] as const;

  test.each(operations)('%s: an invented token is InvalidToken, a well-formed one without a task TaskDoesNotExist', async (operation, body) => {
    const machine = await workflows(recovering());
    await expect(machine.send(operation, { taskToken: 'invented', ...body })).rejects.toEqual(refusal('InvalidToken'));
    await expect(machine.send(operation, { taskToken: newToken(), ...body })).rejects.toEqual(refusal('TaskDoesNotExist'));
  });

  test.each(operations)('SF-02: %s: a used token is TaskTimedOut, however it was used', async (operation, body) => {
    const machine = await workflows(recovering());
    await machine.start({}, 'succeeded');
    const succeeded = lastToken(machine.lambda);
    await machine.send('SendTaskSuccess', { taskToken: succeeded, output: '1' });
    await machine.start({}, 'failed');
    const failed = lastToken(machine.lambda);
    await machine.send('SendTaskFailure', { taskToken: failed });
    for (const taskToken of [succeeded, failed]) await expect(machine.send(operation, { taskToken, ...body })).rejects.toEqual(refusal('TaskTimedOut'));
  });

  test.each(operations)('SF-01: %s: an expired token is TaskTimedOut, with an error of the client and not of the server', async (operation, body) => {
    const machine = await workflows(recovering());
    await machine.start();
    await machine.kernel.advance(60);
    await expect(machine.send(operation, { taskToken: lastToken(machine.lambda), ...body })).rejects.toMatchObject({ code: 'TaskTimedOut', status: 400 });
  });

  test.each(['StopExecution', 'machine time-out'])('a token of an execution that ended by %s is TaskTimedOut', async (ending) => {
    const machine = await workflows({ ...recovering(), TimeoutSeconds: 30 });
    const arn = await machine.start();
    if (ending === 'StopExecution') await machine.call('StopExecution', { executionArn: arn });
    else await machine.kernel.advance(30);
    await expect(machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '1' })).rejects.toEqual(refusal('TaskTimedOut'));
  });

  test('the deadline itself decides, also before its timer ran', async () => {
    const machine = await workflows(recovering());
    await machine.start();
    const timers = machine.kernel.agenda;
    const token = lastToken(machine.lambda);
    timers.cancel('states arn:aws:states:us-east-1:000000000000:execution:machine:run');
    await machine.kernel.advance(60);
    await expect(machine.send('SendTaskSuccess', { taskToken: token, output: '1' })).rejects.toEqual(refusal('TaskTimedOut'));
    await machine.kernel.settle();
    expect(JSON.parse((await machine.describe()).output ?? '')).toEqual({ Error: 'States.Timeout', Cause: '' });
  });

  test('a second before the deadline the token still counts', async () => {
    const machine = await workflows(recovering());
    await machine.start();
    await machine.kernel.advance(59.999);
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '"in time"' });
    expect((await machine.describe()).output).toBe('"in time"');
  });

  test.each(['', 'not json', '{"open":'])('output %j is InvalidOutput and leaves the token open', async (output) => {
    const machine = await workflows(recovering());
    await machine.start();
    await expect(machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output })).rejects.toEqual(refusal('InvalidOutput'));
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '1' });
    expect((await machine.describe()).status).toBe('SUCCEEDED');
  });

  test('SF-17: an output above 256 KiB is refused', async () => {
    const machine = await workflows(recovering());
    await machine.start();
    await expect(machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: JSON.stringify('x'.repeat(262_144)) })).rejects.toEqual(
      refusal('ValidationException'),
    );
  });

  test('SF-06: a role needs the action on every resource; without it nothing is looked up', async () => {
    const seen: string[] = [];
    const machine = await workflows(recovering(), { authorize: (_caller, action, resource) => void seen.push(`${action} ${resource}`) });
    await machine.start();
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '1' });
    expect(seen).toContain('states:SendTaskSuccess *');
  });
});

describe('callback tasks', () => {
  test('SF-20: when the function throws, the task fails at once and the token is spent', async () => {
    const machine = await workflows(recovering(), { script: () => new Thrown('Broken', 'after sending') });
    await machine.start();
    expect(JSON.parse((await machine.describe()).output ?? '')).toMatchObject({ Error: 'Broken' });
    await expect(machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '1' })).rejects.toEqual(refusal('TaskTimedOut'));
  });

  test('SF-21: a success that comes before the function returned is honoured, whatever the function does then', async () => {
    const machine = await workflows(recovering(), {
      async script({ payload }) {
        await machine.call('SendTaskSuccess', { taskToken: payload.taskToken, output: '"early"' });
        return new Thrown('TooLate');
      },
    });
    await machine.start();
    expect((await machine.describe()).output).toBe('"early"');
    expect(await machine.types()).not.toContain('TaskFailed');
  });

  test('SF-04: every attempt has a new token, and the old one is dead', async () => {
    const machine = await workflows(recovering({ Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1, IntervalSeconds: 1 }] }));
    await machine.start();
    const first = lastToken(machine.lambda);
    await machine.kernel.advance(61);
    const second = lastToken(machine.lambda);
    expect(second).not.toBe(first);
    await expect(machine.send('SendTaskSuccess', { taskToken: first, output: '1' })).rejects.toEqual(refusal('TaskTimedOut'));
    await machine.send('SendTaskSuccess', { taskToken: second, output: '2' });
    expect((await machine.describe()).output).toBe('2');
  });

  test('SF-09: silence longer than HeartbeatSeconds ends the wait as a time-out; each heartbeat starts the count anew', async () => {
    const machine = await workflows(recovering({ HeartbeatSeconds: 10 }));
    await machine.start();
    const taskToken = lastToken(machine.lambda);
    for (let beat = 0; beat < 4; beat += 1) {
      await machine.kernel.advance(9);
      await machine.send('SendTaskHeartbeat', { taskToken });
    }
    expect((await machine.describe()).status).toBe('RUNNING');
    await machine.kernel.advance(10);
    expect(JSON.parse((await machine.describe()).output ?? '')).toEqual({ Error: 'States.Timeout', Cause: '' });
    expect((await machine.history()).find(({ type }) => type === 'TaskScheduled')?.taskScheduledEventDetails).toMatchObject({ heartbeatInSeconds: 10, timeoutInSeconds: 60 });
  });

  test('States.HeartbeatTimeout catches silence and not the end of the time allowed', async () => {
    const Catch = [{ ErrorEquals: ['States.HeartbeatTimeout'], Next: 'After' }];
    const silent = await workflows(recovering({ HeartbeatSeconds: 10, Catch }));
    await silent.start();
    await silent.kernel.advance(10);
    expect((await silent.describe()).status).toBe('SUCCEEDED');
    const late = await workflows(recovering({ Catch }));
    await late.start();
    await late.kernel.advance(60);
    expect(await late.describe()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('a failure sent with the token is matched by its own name', async () => {
    const machine = await workflows(recovering({ Catch: [{ ErrorEquals: ['Declined'], Next: 'After' }] }));
    await machine.start();
    await machine.send('SendTaskFailure', { taskToken: lastToken(machine.lambda), error: 'Declined', cause: 'busy' });
    expect(JSON.parse((await machine.describe()).output ?? '')).toEqual({ Error: 'Declined', Cause: 'busy' });
  });

  test('the time-out can come from the input', async () => {
    const machine = await workflows(recovering({ TimeoutSeconds: '{% $states.input.waitSeconds %}' }));
    await machine.start({ waitSeconds: 300 });
    await machine.kernel.advance(299);
    expect((await machine.describe()).status).toBe('RUNNING');
    await machine.kernel.advance(1);
    expect((await machine.describe()).status).toBe('SUCCEEDED');
  });

  test.each([0, -1, 1.5, '"soon"'])('a computed time-out of %s is a States.QueryEvaluationError', async (waitSeconds) => {
    const machine = await workflows(recovering({ TimeoutSeconds: '{% $states.input.waitSeconds %}' }));
    await machine.start({ waitSeconds });
    expect(JSON.parse((await machine.describe()).output ?? '')).toMatchObject({ Error: 'States.QueryEvaluationError' });
  });
});
