import { describe, expect, test } from 'vitest';
import { awaitToken, functionArn, invoke, lastToken, only, Thrown, workflows } from '../../support/step-functions.ts';

const caught = { Type: 'Pass', Output: '{% $states.input %}', End: true };
const failWith = (errors: string[], more: Record<string, unknown> = {}) => ({ Catch: [{ ErrorEquals: errors, Next: 'Caught' }], ...more });

/** An execution as one line a event: `id<previous Type`. */
async function trace(machine: Awaited<ReturnType<typeof workflows>>): Promise<string[]> {
  return (await machine.history()).map(({ id, previousEventId, type }) => `${id}<${previousEventId} ${type}`);
}

describe('LR-06: executions leave the traces they leave on AWS', () => {
  test('a synchronous call: entered, scheduled, started, succeeded, exited', async () => {
    const machine = await workflows(only(invoke('greet', { Output: '{% $states.result.Payload %}' })), { script: () => ({ hello: 'world' }) });
    await machine.start({ a: 1 });
    expect(await trace(machine)).toEqual([
      '1<0 ExecutionStarted',
      '2<0 TaskStateEntered',
      '3<2 TaskScheduled',
      '4<3 TaskStarted',
      '5<4 TaskSucceeded',
      '6<5 TaskStateExited',
      '7<6 ExecutionSucceeded',
    ]);
    expect(await machine.describe()).toMatchObject({ status: 'SUCCEEDED', output: '{"hello":"world"}', redriveStatus: 'NOT_REDRIVABLE' });
    const [, , scheduled] = await machine.history();
    expect(scheduled?.taskScheduledEventDetails).toMatchObject({
      resource: 'invoke',
      resourceType: 'lambda',
      region: 'us-east-1',
      parameters: JSON.stringify({ FunctionName: functionArn('greet'), Payload: { a: 1 } }),
    });
  });

  test('a callback: submitted when the call returns, succeeded with what the token brought', async () => {
    const machine = await workflows(only(awaitToken('ask', { TimeoutSeconds: 600 })));
    await machine.start();
    expect((await trace(machine)).at(-1)).toBe('5<4 TaskSubmitted');
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '"yes"' });
    expect(await trace(machine)).toEqual([
      '1<0 ExecutionStarted',
      '2<0 TaskStateEntered',
      '3<2 TaskScheduled',
      '4<3 TaskStarted',
      '5<4 TaskSubmitted',
      '6<5 TaskSucceeded',
      '7<6 TaskStateExited',
      '8<7 ExecutionSucceeded',
    ]);
    expect(await machine.describe()).toMatchObject({ status: 'SUCCEEDED', output: '"yes"' });
  });

  test('a callback that times out fails with States.Timeout and no cause', async () => {
    const machine = await workflows(only(awaitToken('ask', { TimeoutSeconds: 5 })));
    await machine.start();
    await machine.kernel.advance(5);
    expect((await trace(machine)).slice(5)).toEqual(['6<5 TaskTimedOut', '7<6 ExecutionFailed']);
    const events = await machine.history();
    expect(events.at(-1)?.executionFailedEventDetails).toEqual({ error: 'States.Timeout' });
    expect(events[2]?.taskScheduledEventDetails).toMatchObject({ timeoutInSeconds: 5, resource: 'invoke.waitForTaskToken' });
  });

  test('a function that throws: its error type is the error, its answer the cause', async () => {
    const machine = await workflows(only(invoke('break', failWith(['Oops'], { Next: 'Caught', End: undefined })), { Caught: caught }), { script: () => new Thrown('Oops', 'no') });
    await machine.start();
    const cause = '{"errorType":"Oops","errorMessage":"no"}';
    expect(await trace(machine)).toEqual([
      '1<0 ExecutionStarted',
      '2<0 TaskStateEntered',
      '3<2 TaskScheduled',
      '4<3 TaskStarted',
      '5<4 TaskFailed',
      '6<5 TaskStateExited',
      '7<6 PassStateEntered',
      '8<7 PassStateExited',
      '9<8 ExecutionSucceeded',
    ]);
    expect(JSON.parse((await machine.describe()).output ?? '')).toEqual({ Error: 'Oops', Cause: cause });
  });

  test('a retry schedules again after the failure, and the second failure is caught', async () => {
    const machine = await workflows(
      only(invoke('break', { Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 1 }], ...failWith(['States.ALL']), End: true }), { Caught: caught }),
      {
        script: () => new Thrown('Oops'),
      },
    );
    await machine.start();
    await machine.kernel.advance(1);
    expect(await machine.types()).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      ...['TaskScheduled', 'TaskStarted', 'TaskFailed'],
      ...['TaskScheduled', 'TaskStarted', 'TaskFailed'],
      'TaskStateExited',
      'PassStateEntered',
      'PassStateExited',
      'ExecutionSucceeded',
    ]);
    expect((await trace(machine))[5]).toBe('6<5 TaskScheduled');
  });

  test('an expression without a value: EvaluationFailed with its place, then ExecutionFailed', async () => {
    const machine = await workflows(only({ Type: 'Pass', Output: { result: '{% $doesNotExist %}' }, End: true }));
    await machine.start();
    const cause =
      "An error occurred while executing the state 'Only' (entered at the event id #2). The JSONata expression '$doesNotExist' specified for the field 'Output/result' returned nothing (undefined).";
    expect(await trace(machine)).toEqual(['1<0 ExecutionStarted', '2<0 PassStateEntered', '3<0 EvaluationFailed', '4<3 ExecutionFailed']);
    const events = await machine.history();
    expect(events[2]?.evaluationFailedEventDetails).toEqual({ error: 'States.QueryEvaluationError', cause, location: 'Output/result', state: 'Only' });
    expect(events[3]?.executionFailedEventDetails).toEqual({ error: 'States.QueryEvaluationError', cause });
  });

  test('a map with one at a time starts each iteration where the last one ended', async () => {
    const processor = { ProcessorConfig: { Mode: 'INLINE' }, StartAt: 'Each', States: { Each: { Type: 'Pass', End: true } } };
    const machine = await workflows(only({ Type: 'Map', Items: [1, 2], MaxConcurrency: 1, ItemProcessor: processor, End: true }));
    await machine.start();
    expect(await trace(machine)).toEqual([
      '1<0 ExecutionStarted',
      '2<0 MapStateEntered',
      '3<2 MapStateStarted',
      '4<3 MapIterationStarted',
      '5<4 PassStateEntered',
      '6<5 PassStateExited',
      '7<6 MapIterationSucceeded',
      '8<6 MapIterationStarted',
      '9<8 PassStateEntered',
      '10<9 PassStateExited',
      '11<10 MapIterationSucceeded',
      '12<11 MapStateSucceeded',
      '13<11 MapStateExited',
      '14<13 ExecutionSucceeded',
    ]);
    expect((await machine.describe()).output).toBe('[1,2]');
  });

  test('a map that is retried starts again without a failed event; when it fails for good there is one', async () => {
    const processor = { StartAt: 'Each', States: { Each: { Type: 'Fail', Error: 'Broken', Cause: 'on purpose' } } };
    const machine = await workflows(only({ Type: 'Map', Items: [1], ItemProcessor: processor, Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 1 }], End: true }));
    await machine.start();
    await machine.kernel.advance(1);
    expect(await trace(machine)).toEqual([
      '1<0 ExecutionStarted',
      '2<0 MapStateEntered',
      '3<2 MapStateStarted',
      '4<3 MapIterationStarted',
      '5<4 FailStateEntered',
      '6<5 MapIterationFailed',
      '7<5 MapStateStarted',
      '8<7 MapIterationStarted',
      '9<8 FailStateEntered',
      '10<9 MapIterationFailed',
      '11<9 MapStateFailed',
      '12<11 ExecutionFailed',
    ]);
    expect(await machine.describe()).toMatchObject({ status: 'FAILED', error: 'Broken', cause: 'on purpose', redriveStatus: 'REDRIVABLE' });
  });

  test('a failing branch fails the parallel state, and a catcher takes over', async () => {
    const branch = (state: Record<string, unknown>) => ({ StartAt: 'A', States: { A: state } });
    const machine = await workflows(
      only({ Type: 'Parallel', Branches: [branch({ Type: 'Fail', Error: 'Broken', Cause: 'why' })], ...failWith(['States.ALL']), End: true }, { Caught: caught }),
    );
    await machine.start();
    expect(await trace(machine)).toEqual([
      '1<0 ExecutionStarted',
      '2<0 ParallelStateEntered',
      '3<2 ParallelStateStarted',
      '4<3 FailStateEntered',
      '5<4 ParallelStateFailed',
      '6<5 ParallelStateExited',
      '7<6 PassStateEntered',
      '8<7 PassStateExited',
      '9<8 ExecutionSucceeded',
    ]);
    expect((await machine.describe()).output).toBe('{"Error":"Broken","Cause":"why"}');
  });

  test('a choice leaves by the rule that holds, with that rule’s output and variables', async () => {
    const definition = {
      StartAt: 'Choose',
      States: {
        Choose: {
          Type: 'Choice',
          Choices: [
            { Condition: '{% $states.input.n > 10 %}', Next: 'End', Output: { big: true } },
            { Condition: '{% $states.input.n > 1 %}', Next: 'End', Assign: { size: 'middle' }, Output: { big: false } },
          ],
          Default: 'End',
        },
        End: { Type: 'Succeed', Output: '{% $merge([$states.input, {"size": $size}]) %}' },
      },
    };
    const machine = await workflows(definition);
    await machine.start({ n: 5 });
    expect(await machine.types()).toEqual(['ExecutionStarted', 'ChoiceStateEntered', 'ChoiceStateExited', 'SucceedStateEntered', 'SucceedStateExited', 'ExecutionSucceeded']);
    expect(JSON.parse((await machine.describe()).output ?? '')).toEqual({ big: false, size: 'middle' });
    expect((await machine.history())[2]?.stateExitedEventDetails).toMatchObject({ assignedVariables: { size: '"middle"' } });
  });

  test('a choice without a match and without a default fails with States.NoChoiceMatched', async () => {
    const machine = await workflows(only({ Type: 'Choice', Choices: [{ Condition: false, Next: 'End' }] }, { End: { Type: 'Succeed' } }));
    await machine.start();
    expect(await machine.describe()).toMatchObject({ status: 'FAILED', error: 'States.NoChoiceMatched' });
  });

  test('a wait ends at its moment', async () => {
    const machine = await workflows(only({ Type: 'Wait', Timestamp: '2026-03-02T11:00:00+00:00', End: true }));
    await machine.start();
    await machine.kernel.advance(3599);
    expect((await machine.describe()).status).toBe('RUNNING');
    await machine.kernel.advance(1);
    expect(await trace(machine)).toEqual(['1<0 ExecutionStarted', '2<0 WaitStateEntered', '3<2 WaitStateExited', '4<3 ExecutionSucceeded']);
  });

  test('a token exists for a callback task although the function never looks at it', async () => {
    const machine = await workflows(only(awaitToken('ask', { Arguments: { FunctionName: functionArn('ask'), Payload: {} }, TimeoutSeconds: 60 })));
    await machine.start();
    const row = machine.kernel.db.prepare('SELECT token FROM sfn_tasks').get();
    await machine.send('SendTaskSuccess', { taskToken: row?.token, output: '1' });
    expect((await machine.describe()).status).toBe('SUCCEEDED');
  });

  test('a machine time-out ends what waits, as TIMED_OUT and not as a failure', async () => {
    const machine = await workflows({ ...only(awaitToken('ask', failWith(['States.ALL'], { TimeoutSeconds: 600 })), { Caught: caught }), TimeoutSeconds: 60 });
    await machine.start();
    await machine.kernel.advance(60);
    expect((await machine.types()).at(-1)).toBe('ExecutionTimedOut');
    expect(await machine.describe()).toMatchObject({ status: 'TIMED_OUT', redriveStatus: 'REDRIVABLE' });
    expect(machine.announced.map(({ status }) => status)).toEqual(['RUNNING', 'TIMED_OUT']);
  });
});
