import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { WorkflowAnswer } from '../../shared/domain/workflow-answer.ts';

type State = {
  Type: string;
  Comment?: string;
  Resource?: string;
  TimeoutSeconds?: number | string;
  HeartbeatSeconds?: unknown;
  Choices?: { Condition: string; Next: string }[];
  Default?: string;
  Retry?: { ErrorEquals: string[]; JitterStrategy?: string }[];
  Catch?: { ErrorEquals: string[]; Next: string; Output: Record<string, string> }[];
  Next?: string;
};
const machine = JSON.parse(readFileSync(new URL('../../statemachines/handoff.asl.json', import.meta.url), 'utf8')) as {
  QueryLanguage: string;
  Comment: string;
  TimeoutSeconds: number;
  States: Record<string, State>;
};
const states = Object.entries(machine.States);
const waits = states.filter(([, { Resource }]) => Resource?.endsWith('.waitForTaskToken'));
const steps = states.filter(([, { Type, Resource }]) => Type === 'Task' && !Resource?.endsWith('.waitForTaskToken'));

/** Everything a step may answer; the compiler holds this against the type. */
const ANSWERS: Record<WorkflowAnswer['next'], string> = {
  'request-acceptance': 'Request acceptance',
  'raise-exception': 'Raise exception',
  'await-next-step': 'Await next step',
  'resolve-candidates': 'Resolve owner candidates',
  'advance-clock': 'Advance clock',
  closed: 'Closed',
};

/** Names AWS gives to errors that the machine matches. Nothing of our own is matched: bad input is never retried. */
const AWS_ERRORS = [
  'States.Timeout',
  'States.ALL',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.TooManyRequestsException',
  'Lambda.Unknown',
];

describe('the definition of the machine', () => {
  test('every answer that a step can give has a branch, and nothing else has', () => {
    const branches = machine.States['What is next']?.Choices ?? [];
    expect(Object.fromEntries(branches.map(({ Condition, Next }) => [/'([^']+)'/.exec(Condition)?.[1], Next]))).toEqual(ANSWERS);
  });

  test('SF-22: an answer of newer code that this definition does not know fails the execution, which brings reconcile', () => {
    expect(machine.States[machine.States['What is next']?.Default ?? '']?.Type).toBe('Fail');
  });

  test('the machine and every state say what they are for', () => {
    for (const [name, { Comment }] of [['machine', machine] as const, ...states]) expect([name, (Comment ?? '').length > 20]).toEqual([name, true]);
  });

  test('SF-07, SF-09: three waits with a time-out that the table computed, no heartbeat; every step has one of 30 seconds', () => {
    expect(waits).toHaveLength(3);
    for (const [name, wait] of waits) expect([name, wait.TimeoutSeconds, wait.HeartbeatSeconds]).toEqual([name, '{% $states.input.waitSeconds %}', undefined]);
    for (const [name, step] of steps) expect([name, step.TimeoutSeconds]).toEqual([name, 30]);
    expect(machine.TimeoutSeconds).toBe(90 * 24 * 60 * 60);
  });

  test('SF-10: a wait catches its time-out first and everything else second', () => {
    for (const [name, wait] of waits) expect([name, wait.Catch?.map(({ ErrorEquals }) => ErrorEquals)]).toEqual([name, [['States.Timeout'], ['States.ALL']]]);
  });

  test('SF-04, SF-19: waits are never retried; steps are, with jitter, on errors of Lambda only', () => {
    for (const [name, wait] of waits) expect([name, wait.Retry]).toEqual([name, undefined]);
    for (const [, step] of steps) for (const { JitterStrategy } of step.Retry ?? []) expect(JitterStrategy).toBe('FULL');
  });

  test('every error that is matched is one of AWS, by its exact name', () => {
    const matched = states.flatMap(([, { Retry = [], Catch = [] }]) => [...Retry, ...Catch].flatMap(({ ErrorEquals }) => ErrorEquals));
    expect([...new Set(matched)].sort()).toEqual([...AWS_ERRORS].sort());
  });

  test('SF-16: a wait that fails is paused, longer each time, and counted; a time-out is not a failure', () => {
    for (const [, wait] of waits) {
      const [timeOut, fault] = wait.Catch ?? [];
      expect(timeOut).toMatchObject({ Next: 'Advance clock', Output: { handoffId: '{% $states.input.handoffId %}' } });
      expect(timeOut?.Output).not.toHaveProperty('faults');
      expect(fault).toMatchObject({ Next: 'Pause after fault', Output: { fault: '{% $states.errorOutput.Error %}' } });
    }
    expect(machine.States['Pause after fault']?.Next).toBe('Advance clock');
  });

  test('PI-01: what a wait gives on is the handoff, and the name of a fault, never its cause', () => {
    expect(JSON.stringify(machine)).not.toContain('errorOutput.Cause');
  });
});
