import { describe, expect, test } from 'vitest';
import { redriveHandoff } from '../../cli/redrive-workflow.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { anAccept, ID, ROSA, says } from '../support/builders.ts';
import { aWorkflowWorld } from '../support/workflow-world.ts';

async function aWorld() {
  const world = await aWorkflowWorld();
  const redrive = (id = ID) => redriveHandoff({ ...world.deps, now: world.time.now() }, id);
  return { ...world, redrive };
}

describe('baton redrive', () => {
  test('SF-10: a workflow that ended goes on under its own name, and saying it again does nothing', async () => {
    const world = await aWorld();
    await world.workflow.start(ID);
    world.workflow.end(ID);
    expect(await world.redrive()).toMatchObject({ kind: 'redriven', attempt: 0 });
    expect(await world.redrive()).toMatchObject({ kind: 'runs', attempt: 0 });
    expect(world.workflow.started).toEqual([ID]);
    world.time.forward(600);
    expect((await world.reconcile()).restarted).toEqual([]);
  });

  test('SF-10: one that cannot go on is replaced as reconcile would, under the next free name', async () => {
    const world = await aWorld();
    await world.workflow.start(ID);
    world.workflow.end(ID);
    world.workflow.redrive = async () => 'not-possible';
    expect(await world.redrive()).toMatchObject({ kind: 'replaced', attempt: 1 });
    expect(await world.redrive()).toMatchObject({ kind: 'runs', attempt: 1 });
    expect(world.workflow.started).toEqual([ID, `${ID}-r1`]);
  });

  test('SF-11: a handoff that never had a workflow gets its first', async () => {
    const world = await aWorld();
    expect(await world.redrive()).toMatchObject({ kind: 'replaced', attempt: 0 });
    expect(world.workflow.started).toEqual([ID]);
  });

  test('a handoff that is closed needs none, and one that is unknown has none', async () => {
    const world = await aWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    await world.answer(says('close', { by: ROSA, outcome: 'completed' }));
    expect(await world.redrive()).toMatchObject({ kind: 'not-needed' });
    expect(await world.redrive(handoffId(`h-${'9'.repeat(32)}`))).toEqual({ kind: 'no-such-handoff' });
    expect(world.workflow.started).toEqual([]);
  });
});
