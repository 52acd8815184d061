import { describe, expect, test } from 'vitest';
import { anAccept, ID, NOW, ROSA, says } from '../support/builders.ts';
import { aWorkflowWorld } from '../support/workflow-world.ts';

const WAIT_OVER = { source: 'baton.workflow', detailType: 'wait.over', detail: { schemaVersion: '1', handoffId: ID } };

describe('reconcile', () => {
  test('SF-10: a handoff without a workflow gets one, once', async () => {
    const world = await aWorkflowWorld();
    world.time.forward(600);
    expect((await world.reconcile()).restarted).toEqual([ID]);
    expect((await world.reconcile()).restarted).toEqual([]);
    expect(world.workflow.started).toEqual([ID]);
  });

  test('a handoff that is younger than the grace is left alone', async () => {
    const world = await aWorkflowWorld();
    world.time.forward(60);
    expect((await world.reconcile()).restarted).toEqual([]);
  });

  test('SF-10: an ended workflow is replaced under the next free name', async () => {
    const world = await aWorkflowWorld();
    await world.workflow.start(ID);
    for (const attempt of [0, 1, 2, 3, 4]) {
      world.workflow.end(ID, attempt);
      world.time.forward(600);
      expect((await world.reconcile()).restarted).toEqual([ID]);
    }
    expect(world.workflow.started).toEqual([ID, ...[1, 2, 3, 4, 5].map((attempt) => `${ID}-r${attempt}`)]);
  });

  test('SF-10: told that an execution failed, it replaces the first at once and leaves the rest to the sweep', async () => {
    const world = await aWorkflowWorld();
    await world.workflow.start(ID);
    world.workflow.end(ID);
    expect((await world.reconcileOne()).restarted).toEqual([ID]);
    world.workflow.end(ID, 1);
    expect((await world.reconcileOne()).restarted).toEqual([]);
    world.time.forward(600);
    expect((await world.reconcile()).restarted).toEqual([ID]);
  });

  test('SF-25: a machine that waits for something that is over is nudged, one that waits rightly is not', async () => {
    const world = await aWorkflowWorld();
    await world.workflow.start(ID);
    await world.resolve();
    await world.request('t1');
    await world.answer(says('reject', { by: ROSA, offer: 1, reason: 'no-capacity', explained: false }));
    world.time.forward(600);
    expect((await world.reconcile()).nudged).toEqual([ID]);
    expect(world.bus.published).toEqual([WAIT_OVER]);
    await world.request('t2');
    expect((await world.reconcile()).nudged).toEqual([]);
  });

  test('a closed handoff needs no workflow', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    await world.answer(says('close', { by: ROSA, outcome: 'completed' }));
    expect((await world.reconcileOne()).restarted).toEqual([]);
  });

  test('EB-02: a signal that was received and never decided is published again, as it was', async () => {
    const world = await aWorkflowWorld();
    const signal = {
      source: 'website',
      eventId: 'form-9',
      kind: 'form.submitted',
      occurredAt: NOW,
      receivedAt: NOW,
      contact: {},
      request: {},
      location: {},
      consent: {},
      more: {},
    } as const;
    await world.signals.record(signal, 'hash', NOW);
    world.time.forward(600);
    expect((await world.reconcile()).signals).toBe(1);
    expect(world.bus.published).toEqual([{ source: 'baton.intake', detailType: 'signal.received', detail: { schemaVersion: '1', signal } }]);
  });

  test('SF-19: a message whose outcome is unknown is looked up by notify, never repeated here', async () => {
    const world = await aWorkflowWorld();
    await world.deps.claims.claim(ID, 'offer:1:email', NOW);
    world.time.forward(600);
    expect((await world.reconcile()).messages).toBe(1);
    expect(world.bus.published).toEqual([{ source: 'baton.workflow', detailType: 'message.unsettled', detail: { schemaVersion: '1', handoffId: ID, effect: 'offer:1:email' } }]);
    await world.deps.claims.settle(ID, 'offer:1:email', 'sent', 'found', world.time.now());
    expect((await world.reconcile()).messages).toBe(0);
  });

  test('DB-20: a receipt that never came out of the stream: whoever is waited for and was told nothing is told by the sweep, and whoever was told is not', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    for (const token of ['t2', 't3']) {
      world.time.forward(301);
      await world.advance();
      if (token === 't2') await world.request(token);
      else await world.raise(token);
    }
    expect((await world.row()).lastReceipt).toBe('exception.raised');
    const seq = (await world.row()).version;
    expect(await world.kinds()).toHaveLength(seq);
    expect((await world.reconcile()).messages).toBe(0);
    world.time.forward(25 * 3600);
    world.bus.published.length = 0;
    expect((await world.reconcile()).messages).toBe(1);
    const told = { source: 'baton.workflow', detailType: 'message.unsettled', detail: { schemaVersion: '1', handoffId: ID, effect: `exception.raised:${seq}:email` } };
    expect(world.bus.published).toContainEqual(told);

    await world.deps.claims.claim(ID, `exception.raised:${seq}:sms`, world.time.now());
    await world.deps.claims.settle(ID, `exception.raised:${seq}:sms`, 'sent', 'p', world.time.now());
    expect((await world.reconcile()).messages).toBe(0);
  });

  test('OP-07: a row that nobody moves is seconds old on the sweep’s gauge before it is repaired; what waits for a person in time is not, and a sweep that finds nothing says 0', async () => {
    const world = await aWorkflowWorld();
    world.time.forward(600);
    expect(await world.reconcile()).toMatchObject({ restarted: [ID], oldestStandingStillSeconds: 600 });
    await world.resolve();
    await world.request('t1');
    world.time.forward(200);
    expect((await world.reconcile()).oldestStandingStillSeconds).toBe(0);
    world.time.forward(300);
    expect((await world.reconcile()).oldestStandingStillSeconds).toBe(200);
  });

  test('of more than a run can take on, every one gets its turn', async () => {
    const world = await aWorkflowWorld();
    for (let number = 0; number < 450; number++) await world.deps.claims.claim(ID, `offer:${number}:email`, NOW);
    world.time.forward(600);
    const seen = new Set<string>();
    for (let run = 0; run < 9; run++) {
      world.bus.published.length = 0;
      expect((await world.reconcile()).messages).toBe(200);
      for (const { detail } of world.bus.published) if ('effect' in (detail as object)) seen.add((detail as { effect: string }).effect);
      world.time.forward(300);
    }
    expect(seen.size).toBe(450);
  });
});
