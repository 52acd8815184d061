import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { killableJournal } from '../../support/killable-journal.ts';
import { awaitToken, executionArn, invoke, lastToken, only, Thrown, workflows } from '../../support/step-functions.ts';

/** A little of everything: retry, callback, time-out, wait, choice, variables, branches and iterations. */
const everything = {
  StartAt: 'Call',
  TimeoutSeconds: 100_000,
  States: {
    Call: {
      ...invoke('call', {
        Arguments: { FunctionName: 'call', Payload: { tries: '{% $states.context.State.RetryCount %}' } },
        Retry: [{ ErrorEquals: ['Busy'], MaxAttempts: 1 }],
        Assign: { called: '{% $states.result.Payload %}' },
        Output: '{% $states.input %}',
      }),
      End: undefined,
      Next: 'Ask',
    },
    Ask: { ...awaitToken('ask', { TimeoutSeconds: 600, Assign: { answer: '{% $states.result %}' } }), End: undefined, Next: 'Route' },
    Route: { Type: 'Choice', Choices: [{ Condition: "{% $answer = 'yes' %}", Next: 'Both' }], Default: 'Refused' },
    Refused: { Type: 'Fail', Error: 'Refused' },
    Both: {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'Rest', States: { Rest: { Type: 'Wait', Seconds: 30, Output: 'rested', End: true } } },
        {
          StartAt: 'Each',
          States: {
            Each: {
              Type: 'Map',
              Items: [1, 2, 3],
              MaxConcurrency: 2,
              ItemProcessor: {
                StartAt: 'Item',
                States: { Item: invoke('item', { Arguments: { FunctionName: 'item', Payload: { n: '{% $states.input %}' } }, Output: '{% $states.result.Payload %}' }) },
              },
              End: true,
            },
          },
        },
      ],
      Next: 'Unanswered',
    },
    Unanswered: {
      ...awaitToken('silence', { TimeoutSeconds: 50, Catch: [{ ErrorEquals: ['States.Timeout'], Output: '{% $states.input %}', Next: 'Tell' }] }),
      End: undefined,
      Next: 'Tell',
    },
    Tell: { Type: 'Succeed', Output: { called: '{% $called %}', answer: '{% $answer %}', both: '{% $states.input %}' } },
  },
};

const RESULT = { called: 'called', answer: 'yes', both: ['rested', [10, 20, 30]] };

/** Functions whose answers do not depend on how often the process died: the first call of a state's first attempt is refused. */
function script({ name, payload }: { name: string; payload: Record<string, unknown> }) {
  if (name === 'call') return payload.tries === 0 ? new Thrown('Busy') : 'called';
  return name === 'item' ? Number(payload.n) * 10 : {};
}

type Machine = Awaited<ReturnType<typeof workflows>>;

/** Plays the person: answers the first question as soon as it is asked, leaves the second one open. */
async function play(machine: Machine): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) {
    const open = machine.kernel.db.prepare("SELECT token FROM sfn_tasks WHERE status = 'open' AND reply IS NOT NULL AND arguments LIKE '%function:ask%'").get();
    if (open) await machine.send('SendTaskSuccess', { taskToken: open.token, output: '"yes"' });
    await machine.kernel.advance(15);
  }
}

/** One life of the process on a journal that dies at a write; answers how much was written, and when it was. */
async function live(real: DatabaseSync, killAt: number, now: string | undefined): Promise<{ writes: number; now: string | undefined }> {
  const journal = killableJournal(real, killAt);
  let machine: Machine | undefined;
  try {
    machine = await workflows(everything, { script, db: journal.db, ...(now === undefined ? {} : { now }) });
    await machine.sfn.resume();
    await startUnlessStarted(machine);
    await play(machine);
  } catch (fault) {
    if (!journal.dead()) throw fault;
  }
  await machine?.kernel.settle();
  machine?.sfn.stop();
  return { writes: journal.writes(), now: machine ? new Date(machine.kernel.time.now()).toISOString() : now };
}

/** Starts as reconcile does: that it was started before is fine. */
async function startUnlessStarted(machine: Machine): Promise<void> {
  await machine.start({ n: 1 }).catch((fault: { code?: string }) => {
    if (fault.code !== 'ExecutionAlreadyExists') throw fault;
  });
}

/** Lives through all kills on one journal, then undisturbed to the end. */
async function survive(kills: readonly number[]) {
  const real = new DatabaseSync(':memory:');
  let now: string | undefined;
  for (const killAt of kills) ({ now } = await live(real, killAt, now));
  const machine = await workflows(everything, { script, db: real, ...(now === undefined ? {} : { now }) });
  await machine.sfn.resume();
  await startUnlessStarted(machine);
  await play(machine);
  return machine;
}

describe('durability', () => {
  test('killed at any write and started again, an execution ends as it would have, with the same history', async () => {
    const types = async (machine: Machine) => (await machine.types()).sort();
    const undisturbed = await survive([]);
    expect(await undisturbed.describe()).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(RESULT) });
    const expected = await types(undisturbed);
    const { writes } = await live(new DatabaseSync(':memory:'), Number.POSITIVE_INFINITY, undefined);
    expect(writes).toBeGreaterThan(100);
    for (let killAt = 0; killAt < writes; killAt += 1) {
      const machine = await survive([killAt]);
      expect(await machine.describe(), `killed at write ${killAt}`).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(RESULT) });
      expect(await types(machine), `killed at write ${killAt}`).toEqual(expected);
    }
  });

  test('killed several times, it still ends once', async () => {
    const kills = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(kills, async (moments) => {
        const machine = await survive(moments);
        expect(await machine.describe()).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(RESULT) });
        expect((await machine.types()).filter((type) => type === 'ExecutionSucceeded')).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });

  test('a waiting token keeps waiting, with the same token and deadline', async () => {
    const definition = only(awaitToken('ask', { TimeoutSeconds: 600 }));
    const before = await workflows(definition);
    await before.start();
    await before.kernel.advance(100);
    const token = lastToken(before.lambda);
    before.sfn.stop();
    const db = before.kernel.db;
    const after = await workflows(definition, { db, now: new Date(before.kernel.time.now()).toISOString() });
    await after.sfn.resume();
    expect(after.lambda.invocations).toEqual([]);
    await after.kernel.advance(499);
    expect((await after.describe()).status).toBe('RUNNING');
    await after.kernel.advance(1);
    expect(await after.describe()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    await expect(after.send('SendTaskSuccess', { taskToken: token, output: '1' })).rejects.toMatchObject({ code: 'TaskTimedOut' });
  });

  test('what became due while nothing ran happens at boot', async () => {
    const definition = only({ Type: 'Wait', Seconds: 60, End: true });
    const before = await workflows(definition);
    await before.start();
    before.sfn.stop();
    const after = await workflows(definition, { db: before.kernel.db, now: new Date(before.kernel.time.now() + 3_600_000).toISOString() });
    await after.sfn.resume();
    expect((await after.describe()).status).toBe('SUCCEEDED');
  });

  test('a call that was under way is made again with the same arguments and token; its retrier is not spent', async () => {
    const definition = only(awaitToken('ask', { TimeoutSeconds: 600 }));
    const before = await workflows(definition, { script: () => new Promise(() => {}) });
    await before.call('StartExecution', { stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:machine', name: 'run' });
    await expect.poll(() => before.lambda.invocations.length).toBe(1);
    before.sfn.stop();
    const after = await workflows(definition, { db: before.kernel.db });
    await after.sfn.resume();
    await after.kernel.settle();
    expect(after.lambda.invocations).toEqual(before.lambda.invocations);
    expect(await after.types()).toEqual(['ExecutionStarted', 'TaskStateEntered', 'TaskScheduled', 'TaskStarted', 'TaskSubmitted']);
  });

  test('a status that could not be announced is announced after the restart, in order', async () => {
    const definition = only({ Type: 'Succeed' });
    const before = await workflows(definition);
    before.kernel.services.events = {
      putServiceEvent: async () => {
        throw new Error('the bus is not there yet');
      },
    };
    await before.start();
    before.sfn.stop();
    const after = await workflows(definition, { db: before.kernel.db });
    await after.sfn.resume();
    expect(after.announced).toMatchObject([
      { status: 'RUNNING', executionArn: executionArn('run'), stopDate: null, output: null },
      { status: 'SUCCEEDED', executionArn: executionArn('run'), output: '{}' },
    ]);
  });
});
