import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { type AslRule, checkAsl } from '../../infra/asl-rules.ts';

type Json = Record<string, unknown>;
const MACHINE = '(machine)';
const TIMEOUT = { ErrorEquals: ['States.Timeout'], Next: 'Prepare' };
const ALL = { ErrorEquals: ['States.ALL'], Next: 'Prepare' };
type Sound = { Comment?: string; TimeoutSeconds?: number; States: Record<string, Json> } & Json;

/** A machine without a finding; each test plants one fault into a copy. */
const sound = (): Sound => ({
  Comment: 'Waits for a person.',
  QueryLanguage: 'JSONata',
  TimeoutSeconds: 600,
  StartAt: 'Prepare',
  States: {
    Prepare: {
      Comment: 'Decides what is next.',
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Retry: [{ ErrorEquals: ['Lambda.ServiceException'], MaxAttempts: 3 }],
      Next: 'Route',
    },
    Route: { Comment: 'Goes there.', Type: 'Choice', Choices: [{ Condition: true, Next: 'Ask' }], Default: 'Done' },
    Ask: {
      Comment: 'Waits for the answer.',
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      TimeoutSeconds: 60,
      Catch: [
        { ErrorEquals: ['States.Timeout'], Next: 'Prepare' },
        { ErrorEquals: ['States.ALL'], Next: 'Prepare' },
      ],
      Next: 'Prepare',
    },
    Done: { Comment: 'Nothing is left.', Type: 'Succeed' },
  },
});

/** The machine with one fault planted: fields of one state, or of the machine, replaced or (undefined) taken away. */
const planted = (place: string, fields: Json) => {
  const machine = sound();
  const changed = place === MACHINE ? { ...machine, ...fields } : { ...machine, States: { ...machine.States, [place]: { ...machine.States[place], ...fields } } };
  return checkAsl(JSON.parse(JSON.stringify(changed)));
};

/** An independent validator without types of its own. */
const aslValidator: (definition: unknown, options: { checkPaths: boolean; checkArn: boolean }) => { isValid: boolean; errorsText(separator: string): string } = createRequire(
  import.meta.url,
)('asl-validator');

const handoff = (): Sound => JSON.parse(readFileSync(new URL('../../statemachines/handoff.asl.json', import.meta.url), 'utf8'));

describe('ASL rules', () => {
  test('a sound machine has no findings', () => {
    expect(checkAsl(sound())).toEqual([]);
  });

  const faults: [AslRule, string, string, Json][] = [
    ['SF-07', 'a machine without a time-out', MACHINE, { TimeoutSeconds: undefined }],
    ['SF-07', 'a wait for a token without a time-out', 'Ask', { TimeoutSeconds: undefined }],
    ['SF-09', 'a heartbeat on a wait for a person', 'Ask', { HeartbeatSeconds: 10 }],
    ['SF-09', 'a heartbeat by path', 'Ask', { HeartbeatSecondsPath: '$.beat' }],
    ['SF-04', 'a retried wait for a token', 'Ask', { Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1 }] }],
    ['SF-10', 'catchers in the wrong order', 'Ask', { Catch: [ALL, TIMEOUT] }],
    ['SF-10', 'a time-out caught together with something else', 'Ask', { Catch: [{ ErrorEquals: ['States.Timeout', 'States.TaskFailed'], Next: 'Prepare' }, ALL] }],
    ['SF-10', 'only time-outs caught', 'Ask', { Catch: [TIMEOUT] }],
    ['SF-10', 'States.TaskFailed instead of States.ALL', 'Ask', { Catch: [TIMEOUT, { ErrorEquals: ['States.TaskFailed'], Next: 'Prepare' }] }],
    ['SF-10', 'a wait for a token that catches nothing', 'Ask', { Catch: undefined }],
    ['SF-16', 'a retrier without an end', 'Prepare', { Retry: [{ ErrorEquals: ['States.ALL'] }] }],
    ['SF-16', 'a retrier with a distant end', 'Prepare', { Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 99 }] }],
    ['comment', 'a machine without a comment', MACHINE, { Comment: undefined }],
    ['comment', 'a state without a comment', 'Done', { Comment: undefined }],
  ];

  test.each(faults)('%s: %s is found', (rule, _, place, fields) => {
    expect(planted(place, fields)).toEqual([expect.objectContaining({ rule, state: place })]);
  });

  test('SF-16: a loop in which nothing waits and nothing is called is found; one with a call or a wait is not', () => {
    const looping = (Type: string) => planted('Done', { Type, Next: 'Route' });
    expect(looping('Pass').map(({ rule, state }) => `${rule} ${state}`)).toEqual(['SF-16 Route', 'SF-16 Done']);
    expect(looping('Task')).toEqual([]);
    expect(looping('Wait')).toEqual([]);
  });

  test('a fault inside a branch or an item processor is found too', () => {
    const inner = { StartAt: 'In', States: { In: { Type: 'Pass', End: true } } };
    for (const nesting of [
      { Type: 'Parallel', Branches: [inner] },
      { Type: 'Map', ItemProcessor: inner },
    ]) {
      expect(planted('Done', { End: true, ...nesting })).toEqual([{ rule: 'comment', state: 'In', message: 'has no Comment' }]);
    }
  });
});

describe('statemachines/handoff.asl.json', () => {
  test('keeps every rule', () => {
    expect(checkAsl(handoff())).toEqual([]);
  });

  test('is valid to an independent validator, which is not blind', () => {
    const check = (definition: Json) => aslValidator(definition, { checkPaths: true, checkArn: false });
    const verdict = check(handoff());
    expect(verdict.isValid, verdict.errorsText('\n')).toBe(true);
    const broken = handoff();
    (broken.States['Advance clock'] as Json).Next = 'Nowhere';
    expect(check(broken).isValid).toBe(false);
  });
});
