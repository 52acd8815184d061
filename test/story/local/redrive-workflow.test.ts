import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeExecutionCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../../cli/baton.ts';
import { compileReport } from '../../../functions/report-orphans/report-orphans.ts';
import { dynamodbAttentionIndex } from '../../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbPolicyBook } from '../../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTallyBook } from '../../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../../shared/adapters/dynamodb-totals-book.ts';
import { sfnLookout } from '../../../shared/adapters/sfn-workflow.ts';
import type { HandoffId } from '../../../shared/domain/ids.ts';
import { aRoofInspection } from '../../support/leads.ts';
import { bootOwnBaton, type OwnBaton } from '../../support/story.ts';

let own: OwnBaton;
let dataDir: string;
let runtime: OwnBaton['runtime'];
let baton: OwnBaton['baton'];
let giveBack: (() => void)[] = [];

beforeAll(async () => {
  own = await bootOwnBaton();
  ({ baton, runtime, dataDir } = own);
  // Nobody repairs by itself: reconcile may not start anything.
  giveBack = runtime
    .grants()
    .all.filter((grant) => grant.role.startsWith('Reconcile') && grant.action === 'states:StartExecution')
    .map((grant) => runtime.withhold(grant));
  expect(giveBack).not.toEqual([]);
});
afterAll(async () => {
  for (const give of giveBack) give();
  await own.end();
});

const execution = (id: HandoffId) => `${baton.installation.outputs.MachineArn.replace(':stateMachine:', ':execution:')}:${id}`;
const status = async (id: HandoffId) => (await new SFNClient({}).send(new DescribeExecutionCommand({ executionArn: execution(id) }))).status;

async function said(...args: string[]): Promise<{ exit: number; text: string }> {
  const lines: string[] = [];
  const output = { line: (text: string) => void lines.push(text), error: (text: string) => void lines.push(text) };
  const exit = await main([...args, '--zone', 'America/Los_Angeles', '--data', dataDir], output);
  return { exit, text: lines.join('\n') };
}

async function listed(id: HandoffId): Promise<string[]> {
  const { table } = baton;
  const report = await compileReport({
    attention: dynamodbAttentionIndex(table),
    totals: dynamodbTotalsBook(table),
    tallies: dynamodbTallyBook(table),
    policies: dynamodbPolicyBook(table),
    workflow: sfnLookout(baton.installation.outputs.MachineArn),
    time: { now: () => new Date(runtime.now()).toISOString() },
    zone: 'America/Los_Angeles',
  });
  return report.rows.filter((row) => row.handoff === id).map(({ section, why }) => `${section}: ${why}`);
}

test('SF-10 M-02: a workflow that was stopped is listed, goes on by baton redrive where it stopped, and the handoff ends as it would have', async () => {
  writeFileSync(join(dataDir, 'runtime.json'), JSON.stringify({ urls: runtime.urls, outputs: runtime.outputs }));
  const id = await baton.givenSignal(aRoofInspection({ postal_code: '10001' }));
  await baton.thenState(id, 'exception');
  await new SFNClient({}).send(new StopExecutionCommand({ executionArn: execution(id), error: 'Story', cause: 'stopped by a person' }));
  await baton.fastForward({ minutes: 10 });
  expect(await status(id)).toBe('ABORTED');
  expect(await listed(id)).toEqual([expect.stringMatching(/^workflow-stands-still: .*its workflow has ended; reconcile starts a replacement/)]);

  const first = await said('redrive', id);
  expect(first).toEqual({ exit: 0, text: expect.stringMatching(/is exception since .*omar answers for it\.\nIts workflow had ended and goes on from the step it ended at\./s) });
  await runtime.idle();
  expect(await status(id)).toBe('RUNNING');
  expect((await said('redrive', id)).text).toContain('Its workflow runs. Nothing was done.');
  expect(await listed(id)).toEqual([expect.stringMatching(/^exception-not-taken: /)]);

  await baton.fastForward({ minutes: 30 });
  expect((await baton.handoff(id)).custodian).toBe('dana');
  await baton.whenAnswered(await baton.exceptionTo('dana', id), { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(await baton.exceptionTo('dana', id), { action: 'close', outcome: 'withdrawn', result: 'Outside of our territory.' });
  expect(await status(id)).toBe('SUCCEEDED');
  expect((await said('redrive', id)).text).toContain('It needs no workflow any more.');
});
