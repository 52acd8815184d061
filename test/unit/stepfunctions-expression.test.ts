import { describe, expect, test } from 'vitest';
import { evaluate, isExpression, type Scope } from '../../infra/local/services/stepfunctions/expression.ts';
import { retryDelayMs } from '../../infra/local/services/stepfunctions/fail-state.ts';
import { matchesError } from '../../infra/local/services/stepfunctions/failure.ts';
import { isToken, newToken } from '../../infra/local/services/stepfunctions/tokens.ts';

const scope: Scope = { states: { input: { a: 1, list: [1] }, context: {} }, variables: { x: 'X' }, now: Date.parse('2026-03-02T10:00:00Z') };
const value = (expression: string) => evaluate(`{% ${expression} %}`, 'Output', scope);

describe('expressions', () => {
  test('only a string that is one expression from end to end is evaluated; everything else means itself', async () => {
    const constants = [' {% 1 %} ', '{% 1', '$states.input', 'a {% 1 %}', '$.a', 1, null, true];
    expect(constants.some(isExpression)).toBe(false);
    expect(await evaluate(constants, 'Output', scope)).toEqual(constants);
    expect(await evaluate({ a: ['{%1%}', { b: '{% $x %}' }] }, 'Output', scope)).toEqual({ a: [1, { b: 'X' }] });
  });

  test('arrays stay arrays, also of one', async () => {
    expect(await value('$states.input.list')).toEqual([1]);
  });

  const functions: [string, unknown][] = [
    ['$partition([1,2,3,4,5], 2)', [[1, 2], [3, 4], [5]]],
    ['$partition([], 2)', []],
    ['$range(0, 10, 5)', [0, 5, 10]],
    ['$range(3, 0, -1)', [3, 2, 1, 0]],
    ['$range(0, 5, 2)', [0, 2, 4]],
    ["$hash('hello', 'MD5')", '5d41402abc4b2a76b9719d911017c592'],
    ["$hash('hello', 'SHA-256')", '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    ['$parse(\'{"a":[1]}\')', { a: [1] }],
    ['$random(7) = $random(7)', true],
    ['$random() < 1', true],
    ['$contains($uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4/)', true],
    ['$now()', '2026-03-02T10:00:00.000Z'],
  ];

  test.each(functions)('%s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  const faults: [string, string][] = [
    ['$doesNotExist', "The JSONata expression '$doesNotExist' specified for the field 'Output' returned nothing (undefined)."],
    ['$missing(1)', "The JSONata expression '$missing(1)' specified for the field 'Output' threw an error during evaluation. T1006: Attempted to invoke a non-function"],
    ['function($x){$x}', "The JSONata expression 'function($x){$x}' specified for the field 'Output' returned an unsupported result type."],
    ["$hash('a', 'CRC')", '$hash knows MD5, SHA-1, SHA-256, SHA-384, SHA-512.'],
    ['$partition([1], 0)', '$partition needs a positive integer'],
    ['$range(0, 10000, 1)', '$range makes at most 1000 numbers.'],
    ["$parse('{')", 'threw an error during evaluation'],
    ["$eval('1')", '$eval is not available in Step Functions'],
  ];

  test.each(faults)('%s is a States.QueryEvaluationError', async (expression, cause) => {
    await expect(value(expression)).rejects.toMatchObject({
      evaluation: true,
      location: 'Output',
      failure: { error: 'States.QueryEvaluationError', cause: expect.stringContaining(cause) },
    });
  });
});

describe('SF-10: which names match which errors', () => {
  const matches: [string, string, boolean][] = [
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', 'Lambda.Unknown', true],
    ['States.ALL', 'States.QueryEvaluationError', true],
    ['States.ALL', 'States.DataLimitExceeded', false],
    ['States.ALL', 'States.Runtime', false],
    ['States.TaskFailed', 'Anything', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.TaskFailed', 'States.Runtime', false],
    ['States.Runtime', 'States.Runtime', false],
    ['States.DataLimitExceeded', 'States.DataLimitExceeded', true],
    ['States.Timeout', 'States.Timeout', true],
    ['Error', 'error', false],
    ['Err', 'Error', false],
  ];

  test.each(matches)('%s matches %s: %s', (name, error, expected) => {
    expect(matchesError([name], { error })).toBe(expected);
  });

  test('an error without a name is matched by wildcards only', () => {
    expect(matchesError(['States.ALL'], {})).toBe(true);
    expect(matchesError(['Error'], {})).toBe(false);
  });
});

test('retry delays: defaults, growth, bound and jitter', () => {
  const delays = (retrier: object) => [0, 1, 2].map((used) => retryDelayMs({ ErrorEquals: ['E'], ...retrier }, used, () => 0.5));
  expect(delays({})).toEqual([1000, 2000, 4000]);
  expect(delays({ IntervalSeconds: 10, BackoffRate: 1.5, MaxDelaySeconds: 20 })).toEqual([10_000, 15_000, 20_000]);
  expect(delays({ JitterStrategy: 'FULL' })).toEqual([500, 1000, 2000]);
});

test('SF-05: tokens are as long as on AWS, differ, and are told from invented ones', () => {
  const [one, two] = [newToken(), newToken()];
  expect(one.length).toBeGreaterThan(600);
  expect(one.length).toBeLessThanOrEqual(1024);
  expect(one).not.toBe(two);
  expect(isToken(one)).toBe(true);
  expect(isToken(`${one.slice(0, -4)}AAAA`)).toBe(false);
  expect(isToken('')).toBe(false);
});
