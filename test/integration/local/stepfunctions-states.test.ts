import { describe, expect, test } from 'vitest';
import { AwsError } from '../../../infra/local/kernel/types.ts';
import { awaitToken, functionArn, invoke, only, Thrown, workflows } from '../../support/step-functions.ts';

const output = async (machine: Awaited<ReturnType<typeof workflows>>) => JSON.parse((await machine.describe()).output ?? 'null');
const caught = { Type: 'Pass', Output: '{% {"caught": $states.input} %}', End: true };
const branch = (states: Record<string, Record<string, unknown>>) => ({ StartAt: Object.keys(states)[0], States: states });

describe('data', () => {
  test('the context names execution, machine and state; a token is there for callback tasks only', async () => {
    const machine = await workflows(only({ Type: 'Pass', Output: '{% $states.context %}', End: true }));
    const arn = await machine.start({ a: 1 });
    expect(await output(machine)).toEqual({
      Execution: { Id: arn, Input: { a: 1 }, Name: 'run', RoleArn: 'arn:aws:iam::000000000000:role/machine', StartTime: '2026-03-02T10:00:00.000Z', RedriveCount: 0 },
      StateMachine: { Id: 'arn:aws:states:us-east-1:000000000000:stateMachine:machine', Name: 'machine' },
      State: { Name: 'Only', EnteredTime: '2026-03-02T10:00:00.000Z', RetryCount: 0 },
    });
    const synchronous = await workflows(only(invoke('f', { Arguments: { FunctionName: functionArn('f'), Payload: '{% $states.context.Task.Token %}' } })));
    await synchronous.start();
    expect(await synchronous.describe()).toMatchObject({ status: 'FAILED', error: 'States.QueryEvaluationError' });
  });

  test('variables are assigned from what was visible before, and reach all later states', async () => {
    const machine = await workflows({
      StartAt: 'One',
      States: {
        One: { Type: 'Pass', Assign: { x: 1, y: [1, { z: '{% $states.input.a %}' }] }, Next: 'Two' },
        Two: { Type: 'Pass', Assign: { x: '{% $x + 1 %}', before: '{% $x %}' }, Output: '{% $x %}', Next: 'Three' },
        Three: { Type: 'Pass', Output: { x: '{% $x %}', before: '{% $before %}', y: '{% $y %}', two: '{% $states.input %}' }, End: true },
      },
    });
    await machine.start({ a: 'A' });
    expect(await output(machine)).toEqual({ x: 2, before: 1, y: [1, { z: 'A' }], two: 1 });
  });

  test('the clock of expressions is the clock of the runtime', async () => {
    const machine = await workflows({
      StartAt: 'Wait',
      States: {
        Wait: { Type: 'Wait', Seconds: 3600, Next: 'Tell' },
        Tell: { Type: 'Pass', Output: ['{% $now() %}', '{% $millis() %}', "{% $now('[H01]:[m01]', '+0200') %}"], End: true },
      },
    });
    await machine.start();
    await machine.kernel.advance(3600);
    expect(await output(machine)).toEqual(['2026-03-02T11:00:00.000Z', Date.parse('2026-03-02T11:00:00Z'), '13:00']);
  });

  test('SF-17: a state output above 256 KiB fails with States.DataLimitExceeded, which States.ALL does not catch', async () => {
    const machine = await workflows(only({ Type: 'Pass', Output: "{% $pad('', 262143, 'x') %}", End: true }));
    await machine.start();
    expect(await machine.describe()).toMatchObject({
      status: 'FAILED',
      error: 'States.DataLimitExceeded',
      cause: "The state/task 'Only' returned a result with a size exceeding the maximum number of bytes service limit.",
    });
    const fits = await workflows(only({ Type: 'Pass', Output: "{% $pad('', 262142, 'x') %}", End: true }));
    await fits.start();
    expect((await fits.describe()).status).toBe('SUCCEEDED');
  });
});

describe('SF-10: wildcards that do not catch', () => {
  const large = { Payload: 'x'.repeat(262_144) };
  const catching = (names: string[], script: () => unknown) =>
    workflows(only(invoke('f', { Catch: [{ ErrorEquals: names, Next: 'Caught' }], TimeoutSeconds: 30 }), { Caught: caught }), { script });

  test('a result above 256 KiB: only its own name catches it', async () => {
    const all = await catching(['States.ALL'], () => large);
    await all.start();
    expect(await all.describe()).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
    expect(await all.types()).toContain('TaskFailed');
    const own = await catching(['States.DataLimitExceeded'], () => large);
    await own.start();
    expect((await own.describe()).status).toBe('SUCCEEDED');
  });

  test('States.Runtime ends the execution whatever was written', async () => {
    for (const name of ['States.ALL', 'States.TaskFailed', 'States.Runtime']) {
      const machine = await workflows(only(invoke('f', { Arguments: {}, Catch: [{ ErrorEquals: [name], Next: 'Caught' }] }), { Caught: caught }));
      await machine.start();
      expect(await machine.describe()).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    }
  });

  test('States.TaskFailed catches what a function throws, and no time-out', async () => {
    const thrown = await catching(['States.TaskFailed'], () => new Thrown('Oops'));
    await thrown.start();
    expect((await thrown.describe()).status).toBe('SUCCEEDED');
    const late = await workflows(only(awaitToken('ask', { TimeoutSeconds: 1, Catch: [{ ErrorEquals: ['States.TaskFailed'], Next: 'Caught' }] }), { Caught: caught }));
    await late.start();
    await late.kernel.advance(1);
    expect(await late.describe()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('an evaluation error is caught by its name and by States.ALL', async () => {
    for (const name of ['States.QueryEvaluationError', 'States.ALL']) {
      const machine = await workflows(only(invoke('f', { Output: '{% $states.result.missing %}', Catch: [{ ErrorEquals: [name], Next: 'Caught' }] }), { Caught: caught }));
      await machine.start();
      expect(await output(machine)).toMatchObject({ caught: { Error: 'States.QueryEvaluationError' } });
    }
  });

  test('the first catcher that matches wins, and may assign', async () => {
    const machine = await workflows(
      only(
        invoke('f', {
          Catch: [
            { ErrorEquals: ['Other'], Next: 'Caught' },
            { ErrorEquals: ['Oops'], Assign: { why: '{% $states.errorOutput.Error %}' }, Output: '{% $states.input %}', Next: 'Caught' },
          ],
        }),
        { Caught: { Type: 'Pass', Output: ['{% $why %}', '{% $states.input %}'], End: true } },
      ),
      { script: () => new Thrown('Oops') },
    );
    await machine.start({ kept: true });
    expect(await output(machine)).toEqual(['Oops', { kept: true }]);
  });

  test.each([
    [new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429), 'Lambda.TooManyRequestsException'],
    [new AwsError('ServiceException', 'internal', 500), 'Lambda.ServiceException'],
    [new AwsError('ResourceNotFoundException', 'Function not found', 404), 'Lambda.ResourceNotFoundException'],
    [new Error('the worker vanished'), 'Lambda.Unknown'],
  ])('a fault of the service has the name AWS gives it: %s', async (fault, name) => {
    const machine = await workflows(only(invoke('f')), {
      script() {
        throw fault;
      },
    });
    await machine.start();
    expect(await machine.describe()).toMatchObject({ status: 'FAILED', error: name });
  });

  test('a function that dies without an error type is Lambda.Unknown', async () => {
    const machine = await workflows(only(invoke('f')), { script: () => new Thrown('') });
    await machine.start();
    expect(await machine.describe()).toMatchObject({ error: 'Lambda.Unknown', cause: expect.stringContaining('did not return an error type') });
  });
});

describe('retry', () => {
  const attempts = async (Retry: object[], errors: string[], random = () => 0.5) => {
    const at: number[] = [];
    const machine = await workflows(only(invoke('f', { Retry })), {
      random,
      script() {
        at.push((machine.kernel.time.now() - Date.parse('2026-03-02T10:00:00Z')) / 1000);
        const error = errors[at.length - 1] ?? errors.at(-1);
        return error === undefined ? {} : new Thrown(error);
      },
    });
    await machine.start();
    await machine.kernel.advance(100_000);
    return { at, machine };
  };

  test('defaults: three attempts, one second, doubled', async () => {
    const { at, machine } = await attempts([{ ErrorEquals: ['States.ALL'] }], ['E']);
    expect(at).toEqual([0, 1, 3, 7]);
    expect((await machine.describe()).status).toBe('FAILED');
  });

  test('interval, rate and longest delay', async () => {
    const { at } = await attempts([{ ErrorEquals: ['E'], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 4, MaxDelaySeconds: 10 }], ['E']);
    expect(at).toEqual([0, 2, 8, 18, 28]);
  });

  test('full jitter spreads each delay between nothing and itself', async () => {
    const { at } = await attempts([{ ErrorEquals: ['E'], JitterStrategy: 'FULL', MaxAttempts: 2 }], ['E'], () => 0.25);
    expect(at).toEqual([0, 0.25, 0.75]);
  });

  test('each retrier counts alone, and one that is spent is not replaced by a later one', async () => {
    const Retry = [
      { ErrorEquals: ['A', 'B'], IntervalSeconds: 1, MaxAttempts: 2 },
      { ErrorEquals: ['C'], IntervalSeconds: 5 },
      { ErrorEquals: ['States.ALL'], MaxAttempts: 9 },
    ];
    const { at, machine } = await attempts(Retry, ['A', 'B', 'C', 'B']);
    expect(at).toEqual([0, 1, 3, 8]);
    expect((await machine.describe()).error).toBe('B');
  });

  test('MaxAttempts 0 never tries again', async () => {
    const { at } = await attempts([{ ErrorEquals: ['E'], MaxAttempts: 0 }], ['E']);
    expect(at).toEqual([0]);
  });

  test('expressions see how often a state was retried, and counts start anew in the next state', async () => {
    const counts: unknown[] = [];
    const counting = (name: string, more: object) =>
      invoke(name, { Arguments: { FunctionName: name, Payload: { count: '{% $states.context.State.RetryCount %}' } }, Retry: [{ ErrorEquals: ['E'] }], ...more });
    const machine = await workflows(
      { StartAt: 'One', States: { One: { ...counting('one', { Next: 'Two' }), End: undefined }, Two: counting('two', {}) } },
      {
        script({ name, payload }) {
          counts.push(`${name} ${payload.count}`);
          return payload.count === 1 ? {} : new Thrown('E');
        },
      },
    );
    await machine.start();
    await machine.kernel.advance(10);
    expect(counts).toEqual(['one 0', 'one 1', 'two 0', 'two 1']);
  });
});

describe('parallel and map', () => {
  test('results come in the order of branches, not of ending', async () => {
    const machine = await workflows(
      only({
        Type: 'Parallel',
        Branches: [branch({ Slow: { Type: 'Wait', Seconds: 5, Output: 'slow', End: true } }), branch({ Fast: { Type: 'Pass', Output: 'fast', End: true } })],
        End: true,
      }),
    );
    await machine.start();
    await machine.kernel.advance(5);
    expect(await output(machine)).toEqual(['slow', 'fast']);
    expect((await machine.types()).slice(-3)).toEqual(['ParallelStateSucceeded', 'ParallelStateExited', 'ExecutionSucceeded']);
  });

  test('SF-18: one failing branch stops the others; a function already running ends unheard', async () => {
    let finish: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const machine = await workflows(
      only({
        Type: 'Parallel',
        Branches: [branch({ Long: invoke('long') }), branch({ Asks: awaitToken('ask', { TimeoutSeconds: 60 }) }), branch({ Fails: { ...invoke('fails') } })],
        End: true,
      }),
      {
        async script({ name }) {
          if (name === 'long') await running;
          return name === 'fails' ? new Thrown('Broken') : {};
        },
      },
    );
    await machine.call('StartExecution', { stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:machine', name: 'run' });
    await expect.poll(async () => (await machine.describe()).status).toBe('FAILED');
    finish();
    await machine.kernel.settle();
    const types = await machine.types();
    expect(types.slice(-4)).toEqual(['TaskStateAborted', 'TaskStateAborted', 'ParallelStateFailed', 'ExecutionFailed']);
    expect(types).not.toContain('TaskSucceeded');
    const token = machine.lambda.invocations.find(({ name }) => name === 'ask')?.payload.taskToken;
    await expect(machine.send('SendTaskSuccess', { taskToken: token, output: '1' })).rejects.toMatchObject({ code: 'TaskTimedOut' });
  });

  test('inner workflows read outer variables; what they assign stays inside', async () => {
    const machine = await workflows({
      StartAt: 'Set',
      States: {
        Set: { Type: 'Pass', Assign: { x: 42 }, Next: 'Both' },
        Both: {
          Type: 'Parallel',
          Branches: [1, 2].map((n) =>
            branch({ [`In ${n}`]: { Type: 'Pass', Assign: { inner: `{% $x + ${n} %}` }, Next: `Out ${n}` }, [`Out ${n}`]: { Type: 'Pass', Output: '{% $inner %}', End: true } }),
          ),
          Assign: { results: '{% $states.result %}' },
          Next: 'After',
        },
        After: { Type: 'Pass', Output: '{% {"results": $results, "inner": $exists($inner)} %}', End: true },
      },
    });
    await machine.start();
    expect(await output(machine)).toEqual({ results: [43, 44], inner: false });
  });

  test('MaxConcurrency holds iterations back; without it 40 run at once', async () => {
    const most = async (MaxConcurrency: number | undefined, length: number) => {
      const processor = branch({ Each: { Type: 'Wait', Seconds: 1, End: true } });
      const machine = await workflows(
        only({ Type: 'Map', Items: '{% $states.input %}', ...(MaxConcurrency === undefined ? {} : { MaxConcurrency }), ItemProcessor: processor, End: true }),
      );
      await machine.start(Array.from({ length }, (_, index) => index));
      const started = (await machine.types()).filter((type) => type === 'MapIterationStarted').length;
      await machine.kernel.advance(length);
      expect(await output(machine)).toHaveLength(length);
      return started;
    };
    expect(await most(3, 7)).toBe(3);
    expect(await most(undefined, 45)).toBe(40);
  });

  test('ItemSelector shapes each input, and iterations know their item', async () => {
    const processor = branch({ Each: { Type: 'Pass', Output: { got: '{% $states.input %}', index: '{% $states.context.Map.Item.Index %}' }, End: true } });
    const machine = await workflows(
      only({ Type: 'Map', Items: ['a', 'b'], ItemSelector: { item: '{% $states.context.Map.Item.Value %}', all: '{% $states.input.n %}' }, ItemProcessor: processor, End: true }),
    );
    await machine.start({ n: 2 });
    expect(await output(machine)).toEqual([
      { got: { item: 'a', all: 2 }, index: 0 },
      { got: { item: 'b', all: 2 }, index: 1 },
    ]);
  });

  test('a map over nothing gives nothing; over something else than an array it fails as an evaluation', async () => {
    const processor = branch({ Each: { Type: 'Pass', End: true } });
    const empty = await workflows(only({ Type: 'Map', Items: [], ItemProcessor: processor, End: true }));
    await empty.start();
    expect(await output(empty)).toEqual([]);
    const wrong = await workflows(only({ Type: 'Map', Items: '{% 1 %}', ItemProcessor: processor, End: true }));
    await wrong.start();
    expect(await wrong.describe()).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining(
        "The JSONata expression '1' specified for the field 'Items' returned an unexpected result type. Expected 'array', but was 'number' for value: 1",
      ),
    });
    expect((await wrong.types()).slice(-3)).toEqual(['EvaluationFailed', 'MapStateFailed', 'ExecutionFailed']);
  });

  test('a failing iteration aborts the others and can be caught', async () => {
    const processor = branch({
      Each: { Type: 'Choice', Choices: [{ Condition: '{% $states.input = 2 %}', Next: 'Fail' }], Default: 'Wait' },
      Fail: { Type: 'Fail', Error: 'Two' },
      Wait: { Type: 'Wait', Seconds: 60, End: true },
    });
    const machine = await workflows(
      only({ Type: 'Map', Items: [1, 2, 3], ItemProcessor: processor, Catch: [{ ErrorEquals: ['Two'], Next: 'Caught' }], End: true }, { Caught: caught }),
    );
    await machine.start();
    expect(await output(machine)).toEqual({ caught: { Error: 'Two', Cause: '' } });
    expect((await machine.types()).filter((type) => type.includes('Aborted') || type.includes('IterationFailed'))).toContain('MapIterationAborted');
  });
});

describe('limits', () => {
  test('SF-16: a loop ends at 25,000 events, and the last of them says so', async () => {
    const machine = await workflows({ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } } });
    await machine.start();
    expect(await machine.describe()).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'The execution reached the maximum number of history events (25000).',
      redriveStatus: 'NOT_REDRIVABLE',
    });
    const last = await machine.call<{ events: { id: number; type: string }[] }>('GetExecutionHistory', {
      executionArn: 'arn:aws:states:us-east-1:000000000000:execution:machine:run',
      reverseOrder: true,
      maxResults: 1,
    });
    expect(last.events).toMatchObject([{ id: 25_000, type: 'ExecutionFailed' }]);
  });

  test('a wait is at most 99,999,999 seconds, at least none', async () => {
    for (const seconds of [-1, 0.5, 100_000_000]) {
      const machine = await workflows(only({ Type: 'Wait', Seconds: '{% $states.input %}', End: true }));
      await machine.start(seconds);
      expect(await machine.describe()).toMatchObject({ status: 'FAILED', error: 'States.QueryEvaluationError' });
    }
  });

  test.each(['2016-12-05 21:29:29Z', '2016-12-05T21:29:29', '2016-13-05T21:29:29Z', '2016-12-05T25:29:29Z', '05-12-2016T21:29:29Z'])(
    'a wait until %s fails: no moment',
    async (timestamp) => {
      const machine = await workflows(only({ Type: 'Wait', Timestamp: '{% $states.input %}', End: true }));
      await machine.start(timestamp);
      expect(await machine.describe()).toMatchObject({
        error: 'States.QueryEvaluationError',
        cause: expect.stringContaining(`cannot be parsed as an ISO-8601 extended offset date-time format string: ${timestamp}`),
      });
    },
  );
});
