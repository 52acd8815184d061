import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../infra/local/services/stepfunctions/check-definition.ts';

type Json = Record<string, unknown>;
const INVOKE = 'arn:aws:states:::lambda:invoke';
const machine = (state: Json, more: Json = {}, others: Json = {}) => JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'Only', States: { Only: state, ...others }, ...more });
const pass: Json = { Type: 'Pass', End: true };

describe('what a definition may contain here', () => {
  test('the machine of the project runs here', () => {
    expect(checkDefinition(readFileSync(new URL('../../statemachines/handoff.asl.json', import.meta.url), 'utf8'))).toEqual([]);
  });

  const refused: [string, string, string][] = [
    [
      'JSONPath by default',
      machine(pass, { QueryLanguage: undefined }),
      '/QueryLanguage: must be "JSONata" for the whole machine; JSONPath machines do not run here (found "JSONPath, the default")',
    ],
    ['a state in JSONPath', machine({ ...pass, QueryLanguage: 'JSONPath' }), '/States/Only/QueryLanguage'],
    ['fields of JSONPath', machine({ ...pass, ResultPath: '$.x' }), '/States/Only/ResultPath: is not supported. Supported: Type, Comment'],
    [
      'a service without an integration here',
      machine({ Type: 'Task', Resource: 'arn:aws:states:::sns:publish', End: true }),
      `'arn:aws:states:::sns:publish' is not supported. Supported: ${INVOKE}, ${INVOKE}.waitForTaskToken`,
    ],
    ['a function ARN as resource', machine({ Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f', End: true }), '/States/Only/Resource'],
    [
      'an argument without effect here',
      machine({ Type: 'Task', Resource: INVOKE, Arguments: { FunctionName: 'f', Qualifier: '1' }, End: true }),
      '/States/Only/Arguments/Qualifier',
    ],
    ['an unknown type', machine({ Type: 'Loop', End: true }), "/States/Only/Type: 'Loop' is not supported. Supported: Task, Choice"],
    ['a missing target', machine({ Type: 'Pass', Next: 'Nowhere' }), "/States/Only/Next: MISSING_TRANSITION_TARGET: no state is called 'Nowhere'"],
    ['no way out', machine({ Type: 'Pass' }), 'needs either Next or End'],
    ['an unreachable state', machine(pass, {}, { Lost: pass }), '/States/Lost: is not reachable'],
    ['an expression that does not parse', machine({ ...pass, Output: { a: ['{% 1 + %}'] } }), '/States/Only/Output/a/0: is not a JSONata expression'],
    [
      'a catcher after States.ALL',
      machine({
        Type: 'Task',
        Resource: INVOKE,
        End: true,
        Catch: [
          { ErrorEquals: ['States.ALL'], Next: 'Only' },
          { ErrorEquals: ['E'], Next: 'Only' },
        ],
      }),
      'States.ALL must stand alone and in the last entry',
    ],
    [
      'a backoff below one',
      machine({ Type: 'Task', Resource: INVOKE, End: true, Retry: [{ ErrorEquals: ['E'], BackoffRate: 0.5 }] }),
      '/States/Only/Retry[0]/BackoffRate: must be a number of at least 1',
    ],
    ['a wait until no moment', machine({ Type: 'Wait', Timestamp: 'tomorrow', End: true }), '/States/Only/Timestamp'],
    ['a wait with two ends', machine({ Type: 'Wait', Seconds: 1, Timestamp: '2026-01-01T00:00:00Z', End: true }), 'needs exactly one of Seconds and Timestamp'],
    [
      'a distributed map',
      machine({ Type: 'Map', End: true, ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED' }, StartAt: 'A', States: { A: pass } } }),
      'only the mode INLINE is supported',
    ],
    ['a reserved variable', machine({ ...pass, Assign: { states: 1 } }), '/States/Only/Assign/states'],
    [
      'a variable of an outer scope assigned inside',
      machine({ Type: 'Parallel', End: true, Assign: { x: 1 }, Branches: [{ StartAt: 'A', States: { A: { ...pass, Assign: { x: 2 } } } }] }),
      "the variable 'x' is assigned in a workflow around this one",
    ],
    [
      'a fault in a branch',
      machine({ Type: 'Parallel', End: true, Branches: [{ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' } } }] }),
      '/States/Only/Branches[0]/States/A/Next',
    ],
    ['no states', JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'A' }), '/States: is required'],
    ['a time-out of nothing', machine(pass, { TimeoutSeconds: 0 }), '/TimeoutSeconds: must be an integer'],
    ['no JSON', '{', 'not JSON'],
  ];

  test.each(refused)('%s is refused with its path', (_, definition, message) => {
    expect(checkDefinition(definition).join('\n')).toContain(message);
  });
});
