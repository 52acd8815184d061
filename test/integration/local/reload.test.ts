import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { callAws, invoke, lambda, role, type SmallStack, table, writeStack } from './small-stack.ts';

/** Answers with its version, after the gate has let it through when the event asks for that. */
const talk = (version: string): string => `
let calls = 0;
export const handler = async (event) => { calls += 1; if (event.gate) await fetch(event.gate); return { version: '${version}', colour: process.env.COLOUR, calls }; };`;

const trust = (principal: string) => ({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: principal } }] });
const machine = (output: string) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName: 'waits',
    RoleArn: { 'Fn::GetAtt': ['MachineRole', 'Arn'] },
    DefinitionString: JSON.stringify({
      QueryLanguage: 'JSONata',
      StartAt: 'Wait',
      States: { Wait: { Type: 'Wait', Seconds: 60, Next: 'Say' }, Say: { Type: 'Pass', Output: output, End: true } },
    }),
  },
});

type Version = { code: string; output?: string; colour?: string; more?: Parameters<typeof writeStack>[0] };
const stacks: SmallStack[] = [];
let runtime: Runtime;
let gate: Server;
let held: Promise<ServerResponse>;

function synthesized({ code, output = 'old', colour = 'red', more = {} }: Version): SmallStack {
  const Talk = lambda('talk', { Code: { S3Bucket: 'assets', S3Key: `talk-${code}.zip` }, Environment: { Variables: { COLOUR: colour } } });
  const resources = {
    Role: role(),
    Talk,
    MachineRole: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: trust('states.amazonaws.com') } },
    Machine: machine(output),
  };
  const stack = writeStack({ ...resources, ...more }, { [`talk-${code}`]: talk(code) });
  stacks.push(stack);
  return stack;
}

beforeEach(async () => {
  gate = createServer();
  held = once(gate, 'request').then(([, response]) => response as ServerResponse);
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  runtime = await bootRuntime({ ...synthesized({ code: 'one' }), port: 0, quiet: true });
});
afterEach(async () => {
  await runtime.stop();
  gate.close();
  gate.closeAllConnections();
  for (const stack of stacks.splice(0)) stack.remove();
});

const say = async (payload: unknown = {}) => (await invoke(runtime.urls.aws, 'talk', payload)).output;
const states = (operation: string, input: unknown) => callAws(runtime.urls.aws, `AWSStepFunctions.${operation}`, input);
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:waits';
const startExecution = async (): Promise<string> => String((await states('StartExecution', { stateMachineArn: MACHINE })).output.executionArn);
const outputOf = async (executionArn: string) => (await states('DescribeExecution', { executionArn })).output.output;

test('B-9: a changed function answers with its new text at the next invocation, while one under way ends with the old', async () => {
  const underWay = say({ gate: `http://127.0.0.1:${(gate.address() as AddressInfo).port}` });
  const waiting = await held;
  expect(await runtime.reload(synthesized({ code: 'two' }).cdkOut)).toEqual({ functions: ['Talk'], machines: [], restart: [] });
  expect(await say()).toEqual({ version: 'two', colour: 'red', calls: 1 });
  waiting.end();
  expect(await underWay).toMatchObject({ version: 'one' });
  expect(await say()).toMatchObject({ version: 'two', calls: 2 });
});

test('B-9: changed settings of a function count at once, and an unchanged function keeps its environments', async () => {
  expect(await say()).toMatchObject({ calls: 1 });
  expect(await runtime.reload(synthesized({ code: 'one' }).cdkOut)).toEqual({ functions: [], machines: [], restart: [] });
  expect(await say()).toMatchObject({ colour: 'red', calls: 2 });
  await runtime.reload(synthesized({ code: 'one', colour: 'blue' }).cdkOut);
  expect(await say()).toMatchObject({ colour: 'blue', calls: 1 });
});

test('B-9: new executions follow a changed definition, and running ones keep theirs, as on AWS', async () => {
  const before = await startExecution();
  expect((await runtime.reload(synthesized({ code: 'one', output: 'new' }).cdkOut)).machines).toEqual(['Machine']);
  const after = await startExecution();
  await runtime.advance(120);
  expect([await outputOf(before), await outputOf(after)]).toEqual(['"old"', '"new"']);
});

test('B-9: other changes are named for a restart, again and again until it comes, while functions are swapped all the same', async () => {
  const changed: Version = { code: 'three', more: { Things: table as NonNullable<typeof table>, Extra: role() } };
  const first = await runtime.reload(synthesized(changed).cdkOut);
  expect(first).toEqual({ functions: ['Talk'], machines: [], restart: ['Things (Things)', 'Extra (Extra)'] });
  expect(await say()).toMatchObject({ version: 'three' });
  expect(await runtime.reload(synthesized(changed).cdkOut)).toEqual({ functions: [], machines: [], restart: ['Things (Things)', 'Extra (Extra)'] });
  expect((await runtime.reload(synthesized({ code: 'three' }).cdkOut)).restart).toEqual([]);
});

test('B-9: a function that refers to something new waits for the restart with it', async () => {
  const Talk = lambda('talk', { Code: { S3Bucket: 'assets', S3Key: 'talk-one.zip' }, Environment: { Variables: { COLOUR: { Ref: 'Things' } } } });
  const { functions, restart } = await runtime.reload(synthesized({ code: 'one', more: { Talk, Things: table as NonNullable<typeof table> } }).cdkOut);
  expect([functions, restart]).toEqual([[], ['Things (Things)', 'Talk (Talk)']]);
  expect(await say()).toMatchObject({ colour: 'red' });
});

test('B-9: an assembly that cannot run here is refused whole, and what runs goes on', async () => {
  const odd = synthesized({ code: 'four', more: { Odd: { Type: 'AWS::Odd::Thing' } } });
  await expect(runtime.reload(odd.cdkOut)).rejects.toThrow('Odd (Odd): type AWS::Odd::Thing is not supported');
  expect(await say()).toMatchObject({ version: 'one' });
  const cut = synthesized({ code: 'five' });
  writeFileSync(join(cut.cdkOut, 'Small.template.json'), '{ "Resources": {');
  await expect(runtime.reload(cut.cdkOut)).rejects.toThrow(/Small\.template\.json is not JSON/);
  expect(await say()).toMatchObject({ version: 'one' });
});
