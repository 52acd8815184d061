import { describe, expect, test } from 'vitest';
import { AwsError } from '../../../infra/local/kernel/types.ts';
import { awaitToken, executionArn, functionArn, invoke, lastToken, MACHINE, only, provision, ROLE, Thrown, workflows } from '../../support/step-functions.ts';

const waiting = only(awaitToken('ask', { TimeoutSeconds: 600 }));
const refusal = (code: string) => expect.objectContaining({ code, status: 400 });

describe('SF-11: StartExecution is idempotent only while running', () => {
  test('the same name and input while it runs: the same execution', async () => {
    const machine = await workflows(waiting);
    const first = await machine.call('StartExecution', { stateMachineArn: MACHINE, name: 'h-1', input: '{"a":1}' });
    await machine.kernel.advance(1);
    expect(await machine.call('StartExecution', { stateMachineArn: MACHINE, name: 'h-1', input: '{"a":1}' })).toEqual(first);
    expect(machine.lambda.invocations).toHaveLength(1);
  });

  test('another input, or one that ended: ExecutionAlreadyExists', async () => {
    const machine = await workflows(waiting);
    const arn = await machine.start({ a: 1 });
    await expect(machine.start({ a: 2 })).rejects.toMatchObject({ code: 'ExecutionAlreadyExists', message: `Execution Already Exists: '${arn}'` });
    await machine.call('StopExecution', { executionArn: arn });
    await expect(machine.start({ a: 1 })).rejects.toEqual(refusal('ExecutionAlreadyExists'));
  });

  test('SF-15: 90 days after it ended the name is free again', async () => {
    const machine = await workflows(only({ Type: 'Succeed' }));
    await machine.start({ a: 1 });
    await machine.kernel.advance(90 * 86_400 - 1);
    await expect(machine.start({ a: 2 })).rejects.toEqual(refusal('ExecutionAlreadyExists'));
    await machine.kernel.advance(1);
    await machine.start({ a: 2 });
    expect((await machine.describe()).output).toBe('{"a":2}');
  });

  test('twenty at once start one', async () => {
    const machine = await workflows(waiting);
    await Promise.all(Array.from({ length: 20 }, () => machine.start({ a: 1 })));
    expect(machine.lambda.invocations).toHaveLength(1);
  });
});

describe('StartExecution', () => {
  test.each([
    'a b',
    'a/b',
    'a:b',
    'a;b',
    'a,b',
    'a$b',
    'a&b',
    'a#b',
    'a%b',
    'a^b',
    'a|b',
    'a~b',
    'a<b',
    'a{b',
    'a[b',
    'a?b',
    'a*b',
    'a"b',
    'a`b',
    'a\\b',
    'a\u0000b',
    'x'.repeat(81),
    '',
  ])('SF-14: the name %j is refused', async (name) => {
    const machine = await workflows(waiting);
    await expect(machine.start({}, name)).rejects.toEqual(refusal('InvalidName'));
  });

  test.each(['h-0123456789abcdef', 'x'.repeat(80), 'käse', "it's", 'a.b_c-d=e+f@g!'])('SF-14: the name %j is accepted', async (name) => {
    const machine = await workflows(waiting);
    expect(await machine.start({}, name)).toBe(executionArn(name));
  });

  test('without a name it gets one', async () => {
    const machine = await workflows(waiting);
    const { executionArn: arn } = await machine.call<{ executionArn: string }>('StartExecution', { stateMachineArn: MACHINE });
    expect(arn).toMatch(/:execution:machine:[0-9a-f-]{36}$/);
  });

  test('input that is not JSON, a machine that does not exist, an ARN of another kind', async () => {
    const machine = await workflows(waiting);
    await expect(machine.call('StartExecution', { stateMachineArn: MACHINE, input: 'not json' })).rejects.toEqual(refusal('InvalidExecutionInput'));
    await expect(machine.call('StartExecution', { stateMachineArn: `${MACHINE}x` })).rejects.toEqual(refusal('StateMachineDoesNotExist'));
    await expect(machine.call('StartExecution', { stateMachineArn: functionArn('f') })).rejects.toEqual(refusal('InvalidArn'));
    await expect(machine.call('DescribeExecution', { executionArn: executionArn('none') })).rejects.toEqual(refusal('ExecutionDoesNotExist'));
    await expect(machine.call('CreateStateMachine', {})).rejects.toMatchObject({ code: 'UnknownOperationException', message: expect.stringContaining('StartExecution') });
  });

  test('SF-17: 256 KiB of input start, one byte more is refused', async () => {
    const machine = await workflows(waiting);
    await machine.start('x'.repeat(262_142), 'fits');
    await expect(machine.start('x'.repeat(262_143), 'too-large')).rejects.toEqual(refusal('ValidationException'));
    await expect(machine.start('ä'.repeat(131_072), 'bytes-count')).rejects.toEqual(refusal('ValidationException'));
  });
});

describe('reading', () => {
  test('ListExecutions: newest first, by status, in pages', async () => {
    const machine = await workflows(waiting);
    for (const name of ['a', 'b', 'c']) {
      await machine.start({}, name);
      await machine.kernel.advance(1);
    }
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '1' });
    type Listed = { executions: { name: string }[]; nextToken?: string };
    const list = (more: object) => machine.call<Listed>('ListExecutions', { stateMachineArn: MACHINE, ...more });
    const first = await list({ maxResults: 2 });
    expect(first.executions.map(({ name }) => name)).toEqual(['c', 'b']);
    const second = await list({ maxResults: 2, nextToken: first.nextToken });
    expect(second).toMatchObject({ executions: [{ name: 'a' }] });
    expect(second.nextToken).toBeUndefined();
    expect((await list({ statusFilter: 'SUCCEEDED' })).executions.map(({ name }) => name)).toEqual(['c']);
    await expect(list({ maxResults: 1001 })).rejects.toEqual(refusal('ValidationException'));
    await expect(list({ nextToken: 'invented' })).rejects.toEqual(refusal('InvalidToken'));
    await expect(list({ statusFilter: 'ASLEEP' })).rejects.toEqual(refusal('ValidationException'));
  });

  test('GetExecutionHistory: backwards, in pages, without data', async () => {
    const machine = await workflows(only({ Type: 'Pass', Output: { secret: 1 }, End: true }));
    const arn = await machine.start();
    type History = { events: { type: string; stateExitedEventDetails?: object }[]; nextToken?: string };
    const page = await machine.call<History>('GetExecutionHistory', { executionArn: arn, reverseOrder: true, maxResults: 3 });
    expect(page.events.map(({ type }) => type)).toEqual(['ExecutionSucceeded', 'PassStateExited', 'PassStateEntered']);
    const rest = await machine.call<History>('GetExecutionHistory', { executionArn: arn, reverseOrder: true, maxResults: 3, nextToken: page.nextToken });
    expect(rest.events.map(({ type }) => type)).toEqual(['ExecutionStarted']);
    const bare = await machine.call<History>('GetExecutionHistory', { executionArn: arn, includeExecutionData: false });
    expect(JSON.stringify(bare)).not.toContain('secret');
    expect(bare.events[2]?.stateExitedEventDetails).toMatchObject({ name: 'Only' });
  });

  test('SF-22: a running execution keeps the definition it started with', async () => {
    const machine = await workflows(waiting);
    const arn = await machine.start();
    await provision(machine.sfn, only({ Type: 'Fail' }));
    const own = await machine.call<{ definition: string }>('DescribeStateMachineForExecution', { executionArn: arn });
    const current = await machine.call<{ definition: string }>('DescribeStateMachine', { stateMachineArn: MACHINE });
    expect(JSON.parse(own.definition).States.Only.Type).toBe('Task');
    expect(JSON.parse(current.definition).States.Only.Type).toBe('Fail');
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '1' });
    expect((await machine.describe()).status).toBe('SUCCEEDED');
    expect(await machine.call('ListStateMachines', {})).toMatchObject({ stateMachines: [{ stateMachineArn: MACHINE, name: 'machine', type: 'STANDARD' }] });
  });
});

describe('StopExecution and RedriveExecution', () => {
  test('stopping aborts with the reason given; stopping again changes nothing', async () => {
    const machine = await workflows(waiting);
    const arn = await machine.start();
    const stopped = await machine.call('StopExecution', { executionArn: arn, error: 'Mine', cause: 'enough' });
    await machine.kernel.advance(5);
    expect(await machine.call('StopExecution', { executionArn: arn, error: 'Other' })).toEqual(stopped);
    expect(await machine.describe()).toMatchObject({ status: 'ABORTED', error: 'Mine', cause: 'enough' });
    expect((await machine.history()).at(-1)).toMatchObject({ type: 'ExecutionAborted', previousEventId: 0 });
    expect(machine.announced.map(({ status }) => status)).toEqual(['RUNNING', 'ABORTED']);
  });

  test('SF-23: a redrive continues from the failed step with a new token, and counts', async () => {
    let broken = true;
    const definition = { StartAt: 'First', States: { First: { ...invoke('first'), End: undefined, Next: 'Second' }, Second: awaitToken('second', { TimeoutSeconds: 60 }) } };
    const machine = await workflows(definition, { script: ({ name }) => (name === 'second' && broken ? new Thrown('Down') : {}) });
    const arn = await machine.start();
    expect(await machine.describe()).toMatchObject({ status: 'FAILED', error: 'Down' });
    broken = false;
    await machine.call('RedriveExecution', { executionArn: arn });
    await machine.kernel.settle();
    expect(machine.lambda.invocations.map(({ name }) => name)).toEqual(['first', 'second', 'second']);
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '"done"' });
    expect(await machine.describe()).toMatchObject({ status: 'SUCCEEDED', output: '"done"', redriveCount: 1 });
    expect((await machine.types()).slice(-7)).toEqual([
      'ExecutionRedriven',
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
  });

  test('a redrive of a parallel state runs only the branches that did not succeed', async () => {
    let broken = true;
    const branch = (name: string) => ({ StartAt: name, States: { [name]: invoke(name) } });
    const machine = await workflows(only({ Type: 'Parallel', Branches: [branch('good'), branch('bad')], Output: '{% $states.result.Payload %}', End: true }), {
      script: ({ name }) => (name === 'bad' && broken ? new Thrown('Down') : name),
    });
    const arn = await machine.start();
    expect((await machine.describe()).status).toBe('FAILED');
    broken = false;
    await machine.call('RedriveExecution', { executionArn: arn });
    await machine.kernel.settle();
    expect(await machine.describe()).toMatchObject({ status: 'SUCCEEDED', output: '["good","bad"]' });
    expect(machine.lambda.invocations.map(({ name }) => name)).toEqual(['good', 'bad', 'bad']);
  });

  test('what runs or succeeded, or failed more than 14 days ago, cannot be redriven', async () => {
    const machine = await workflows(waiting);
    const arn = await machine.start();
    await expect(machine.call('RedriveExecution', { executionArn: arn })).rejects.toEqual(refusal('ExecutionNotRedrivable'));
    await machine.call('StopExecution', { executionArn: arn });
    await machine.kernel.advance(14 * 86_400 + 1);
    await expect(machine.call('RedriveExecution', { executionArn: arn })).rejects.toEqual(refusal('ExecutionNotRedrivable'));
  });

  test('the same client token redrives once', async () => {
    const machine = await workflows(waiting);
    const arn = await machine.start();
    await machine.call('StopExecution', { executionArn: arn });
    const first = await machine.call('RedriveExecution', { executionArn: arn, clientToken: 't' });
    expect(await machine.call('RedriveExecution', { executionArn: arn, clientToken: 't' })).toEqual(first);
    expect((await machine.describe()).redriveCount).toBe(1);
  });
});

describe('permissions', () => {
  test('each operation is authorised on what it names', async () => {
    const seen = new Set<string>();
    const machine = await workflows(waiting, { authorize: (_caller, action, resource) => void seen.add(`${action} ${resource}`) });
    const arn = await machine.start();
    await machine.describe();
    await machine.history();
    await machine.call('ListExecutions', { stateMachineArn: MACHINE });
    await machine.call('StopExecution', { executionArn: arn });
    await machine.call('RedriveExecution', { executionArn: arn });
    expect([...seen]).toEqual([
      `states:StartExecution ${MACHINE}`,
      `states:DescribeExecution ${arn}`,
      `states:GetExecutionHistory ${arn}`,
      `states:ListExecutions ${MACHINE}`,
      `states:StopExecution ${arn}`,
      `states:RedriveExecution ${arn}`,
    ]);
  });

  test('a denied start starts nothing', async () => {
    const machine = await workflows(waiting, {
      authorize: () => {
        throw new AwsError('AccessDeniedException', 'no', 400);
      },
    });
    await expect(machine.start()).rejects.toEqual(refusal('AccessDeniedException'));
    expect(machine.kernel.db.prepare('SELECT count(*) AS n FROM sfn_executions').get()).toEqual({ n: 0 });
  });

  test('the machine calls functions under its own role, and a missing grant has the name it has on AWS', async () => {
    const machine = await workflows(only(invoke('secret')), {
      script() {
        throw new AwsError('AccessDeniedException', 'User is not authorized to perform: lambda:InvokeFunction', 403);
      },
    });
    await machine.start();
    expect(machine.lambda.invocations[0]?.caller).toEqual({ kind: 'role', roleArn: ROLE, name: 'machine' });
    expect(await machine.describe()).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.AWSLambdaException',
      cause: expect.stringContaining('Status Code: 403; Error Code: AccessDeniedException'),
    });
  });

  test('one machine starts another under its role', async () => {
    const seen: string[] = [];
    const starter = only({
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution',
      Arguments: { StateMachineArn: MACHINE, Name: 'child', Input: { n: 1 } },
      Output: '{% $states.result.ExecutionArn %}',
      End: true,
    });
    const machine = await workflows(starter, { authorize: (caller, action) => void (caller.kind === 'role' && seen.push(action)) });
    await provision(machine.sfn, starter, { StateMachineName: 'starter' });
    await provision(machine.sfn, only({ Type: 'Succeed' }));
    await machine.call('StartExecution', { stateMachineArn: MACHINE.replace(/machine$/, 'starter'), name: 'run' });
    await machine.kernel.settle();
    expect(await machine.describe('child')).toMatchObject({ status: 'SUCCEEDED', output: '{"n":1}' });
    expect(seen).toEqual(['states:StartExecution']);
  });
});
