import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stepFunctions } from '../../../infra/local/services/stepfunctions.ts';
import { aKernel } from '../../support/local-kernel.ts';
import { functionArn, lastToken, provision, type Script, workflows } from '../../support/step-functions.ts';

const DEFINITION = readFileSync(new URL('../../../statemachines/handoff.asl.json', import.meta.url), 'utf8');
const substitutions = Object.fromEntries([...DEFINITION.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, functionArn(name)]));

/** The machine of the project with the answers of its steps scripted. */
const handoff = (script: Script) => workflows(JSON.parse(DEFINITION.replace(/\$\{(\w+)\}/g, (_, name: string) => substitutions[name] ?? '')), { script });

/** Answers in order, per function; a function that waits answers nothing of interest. */
function answering(answers: Record<string, string[]>): Script {
  return ({ name, payload }) => {
    const next = answers[name]?.shift();
    return next === undefined ? {} : { handoffId: payload.handoffId, next, waitSeconds: 300 };
  };
}

describe('the machine of the project', () => {
  test('LR-09: the first one is silent, the second one accepts, the next step is confirmed: no real time passes', async () => {
    const machine = await handoff(answering({ ResolveCandidates: ['request-acceptance'], AdvanceClock: ['request-acceptance', 'await-next-step', 'closed'] }));
    await machine.start({ schemaVersion: '1', handoffId: 'h-1' });
    await machine.kernel.advance(300);
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '{}' });
    await machine.send('SendTaskSuccess', { taskToken: lastToken(machine.lambda), output: '{}' });
    expect(await machine.describe()).toMatchObject({ status: 'SUCCEEDED' });
    expect(machine.lambda.invocations.map(({ name }) => name)).toEqual([
      'ResolveCandidates',
      'RequestAcceptance',
      'AdvanceClock',
      'RequestAcceptance',
      'AdvanceClock',
      'AwaitNextStep',
      'AdvanceClock',
    ]);
  });

  test('SF-16: a hundred time-outs in a row stay far below the limit of the history', async () => {
    const machine = await handoff(answering({ ResolveCandidates: ['request-acceptance'], AdvanceClock: [...Array.from({ length: 99 }, () => 'request-acceptance'), 'closed'] }));
    await machine.start({ schemaVersion: '1', handoffId: 'h-1' });
    await machine.kernel.advance(100 * 300);
    expect((await machine.describe()).status).toBe('SUCCEEDED');
    expect(
      (
        await machine.call<{ events: { id: number }[] }>('GetExecutionHistory', {
          executionArn: 'arn:aws:states:us-east-1:000000000000:execution:machine:run',
          reverseOrder: true,
          maxResults: 1,
        })
      ).events[0]?.id,
    ).toBeLessThan(2000);
  });
});

describe('provisioning', () => {
  const machine = (properties: Record<string, unknown>) => {
    const sfn = stepFunctions(aKernel(), {
      readAsset: async ({ bucket, key }) => JSON.stringify({ QueryLanguage: 'JSONata', Comment: `${bucket}/${key}`, StartAt: 'A', States: { A: { Type: 'Succeed' } } }),
    });
    return provision(sfn, { StartAt: 'A', States: { A: { Type: 'Succeed' } } }, properties);
  };

  test('Ref and attributes are those of CloudFormation', async () => {
    const arn = 'arn:aws:states:us-east-1:000000000000:stateMachine:machine';
    expect(await machine({})).toEqual({ ref: arn, attributes: { Arn: arn, Name: 'machine', StateMachineRevisionId: expect.any(String) } });
    expect((await machine({ StateMachineName: undefined })).ref).toMatch(/:stateMachine:Machine$/);
  });

  test('substitutions reach the functions, and a definition may be a file asset', async () => {
    const kernel = aKernel();
    const sfn = stepFunctions(kernel);
    await provision(sfn, {}, { DefinitionString: DEFINITION, DefinitionSubstitutions: substitutions });
    expect(String(kernel.db.prepare('SELECT definition FROM sfn_machines').get()?.definition)).toContain(functionArn('AdvanceClock'));
    await expect(machine({ DefinitionString: undefined, DefinitionS3Location: { Bucket: 'assets', Key: 'a.json' } })).resolves.toMatchObject({ attributes: { Name: 'machine' } });
  });

  test.each([
    [{ StateMachineType: 'EXPRESS' }, 'StateMachineType EXPRESS is not supported. Supported: STANDARD.'],
    [{ RoleArn: undefined }, 'RoleArn is missing'],
    [{ StateMachineName: 'not a name' }, "Invalid Name: 'not a name'"],
    [{ DefinitionString: undefined }, 'one of DefinitionString, Definition and DefinitionS3Location is needed'],
    [{ DefinitionString: '{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}' }, 'JSONPath machines do not run here'],
    [
      { DefinitionString: '{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true}}}' },
      'Supported: arn:aws:states:::lambda:invoke',
    ],
  ])('%j stops the boot with logical id, path and what is supported', async (properties, message) => {
    await expect(machine(properties)).rejects.toThrow(/^Machine \(Baton\/Machine\): /);
    await expect(machine(properties)).rejects.toThrow(message);
  });

  test('every property it takes without effect has its reason', () => {
    const { properties } = stepFunctions(aKernel()).provisioner;
    expect(properties['AWS::StepFunctions::StateMachine']).toMatchObject({ LoggingConfiguration: expect.stringContaining('history'), TracingConfiguration: expect.any(String) });
  });
});
