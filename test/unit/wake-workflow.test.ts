import { describe, expect, test } from 'vitest';
import { wakeWorkflow } from '../../functions/wake-workflow/wake-workflow.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import type { Wait } from '../../shared/domain/next-step.ts';
import { aContract, aHandoff, anOffer, anOfferedHandoff, aPacket, aPolicy, ID, later, NOW, ROSA } from '../support/builders.ts';
import { memoryWaitBook } from '../support/memory-books.ts';
import { memoryHandoffStore } from '../support/memory-handoff-store.ts';
import { memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { memoryPolicyBook } from '../support/memory-policy-book.ts';
import { memoryTable } from '../support/memory-table.ts';

const accepted = (): Handoff =>
  aHandoff({
    version: 4,
    state: 'accepted',
    offers: [anOffer({ status: 'accepted' })],
    ownership: { owner: ROSA, offer: 1, acceptedAt: NOW, nextAction: 'call', dueAt: later(NOW, 3600), late: false, channel: 'email' },
  });

function waiting(handoff: Handoff, wait: Wait | undefined, { token = 'token-1', somebodyWaits = true } = {}) {
  const table = memoryTable();
  const { roster, calendars } = aPolicy();
  table.policy.active = { contracts: [aContract()], roster, calendars };
  table.policy.contracts.set('c1', aContract());
  table.handoffs.set(ID, {
    head: handoff,
    receipts: [],
    packets: new Map([[1, aPacket()]]),
    notes: new Map(),
    acceptances: new Map(),
    ...(wait !== undefined && { wait: { wait, token, storedAt: NOW } }),
  });
  const workflow = memoryWorkflow();
  if (somebodyWaits) workflow.wait(token);
  const deps = { handoffs: memoryHandoffStore(table), waits: memoryWaitBook(table), policies: memoryPolicyBook(table), workflow, time: memoryTime(later(NOW, 60)) };
  return { table, workflow, deps, wake: () => wakeWorkflow(deps, ID) };
}

describe('waking a workflow', () => {
  test('an accepted offer ends the wait for it', async () => {
    const { wake, workflow, table } = waiting(accepted(), 'offer:1');
    expect(await wake()).toEqual({ kind: 'woken' });
    expect(workflow.woken).toEqual([{ token: 'token-1', id: ID, answer: 'woken' }]);
    expect(table.handoffs.get(ID)?.wait?.wokenAt).toBe(later(NOW, 60));
  });

  test('SF-02: the same event twice wakes once', async () => {
    const { wake, workflow } = waiting(accepted(), 'offer:1');
    await wake();
    expect(await wake()).toEqual({ kind: 'already-woken' });
    expect(workflow.woken).toHaveLength(1);
  });

  test('SF-01: a token that timed out is an answer, not an error, and is not tried again', async () => {
    const { wake, workflow } = waiting(accepted(), 'offer:1', { somebodyWaits: false });
    expect(await wake()).toEqual({ kind: 'nobody-waits' });
    expect(await wake()).toEqual({ kind: 'already-woken' });
    expect(workflow.woken).toHaveLength(1);
  });

  test('an event about something older leaves a standing wait alone', async () => {
    const { wake, workflow } = waiting(anOfferedHandoff(), 'offer:1');
    expect(await wake()).toEqual({ kind: 'still-waiting' });
    expect(workflow.woken).toEqual([]);
  });

  test('a rejection ends the wait, and the next offer is not taken for it', async () => {
    const rejected = anOfferedHandoff({ version: 4, state: 'candidates-resolved', offers: [anOffer({ status: 'rejected' })] });
    expect(await waiting(rejected, 'offer:1').wake()).toEqual({ kind: 'woken' });
    const askedNext = anOfferedHandoff({ version: 5, state: 'backup-requested', offers: [anOffer({ status: 'rejected' }), anOffer({ number: 2 })] });
    expect(await waiting(askedNext, 'offer:2').wake()).toEqual({ kind: 'still-waiting' });
    expect(await waiting(askedNext, 'offer:1').wake()).toEqual({ kind: 'woken' });
  });

  test('EB-03: what wakes is the row, so the event of an older version that comes after a newer one neither wakes again nor takes anything back', async () => {
    const { wake, workflow, table } = waiting(accepted(), 'offer:1');
    const row = structuredClone(table.handoffs.get(ID)?.head);
    expect([await wake(), await wake(), await wake()].map(({ kind }) => kind)).toEqual(['woken', 'already-woken', 'already-woken']);
    expect(workflow.woken).toHaveLength(1);
    expect(table.handoffs.get(ID)?.head).toEqual(row);
  });

  test('a confirmed or closed handoff waits for nothing', async () => {
    for (const state of ['next-step-confirmed', 'closed'] as const)
      expect(await waiting({ ...accepted(), state }, `next-step:${later(NOW, 3600)}`).wake()).toEqual({ kind: 'woken' });
  });

  test('without a token there is nobody to wake', async () => {
    expect(await waiting(accepted(), undefined).wake()).toEqual({ kind: 'no-token' });
  });

  test('a wait without a handoff is left alone', async () => {
    const { deps, workflow } = waiting(accepted(), 'offer:1');
    expect(await wakeWorkflow({ ...deps, handoffs: { load: async () => undefined } }, ID)).toEqual({ kind: 'unknown-handoff' });
    expect(workflow.woken).toEqual([]);
  });

  test('SF-25: a wake-up that fails is thrown, nothing is marked, and a later try succeeds', async () => {
    const { deps, wake, table } = waiting(accepted(), 'offer:1');
    const throttled = { wake: () => Promise.reject(new Error('throttled')) };
    await expect(wakeWorkflow({ ...deps, workflow: throttled }, ID)).rejects.toThrow('throttled');
    expect(table.handoffs.get(ID)?.wait?.wokenAt).toBeUndefined();
    expect(await wake()).toEqual({ kind: 'woken' });
  });

  test('a crash between the wake-up and its mark is harmless', async () => {
    const { deps, wake, workflow } = waiting(accepted(), 'offer:1');
    const crashing = { ...deps.waits, markWoken: () => Promise.reject(new Error('crash')) };
    await expect(wakeWorkflow({ ...deps, waits: crashing }, ID)).rejects.toThrow('crash');
    expect(await wake()).toEqual({ kind: 'nobody-waits' });
    expect(workflow.woken.map(({ answer }) => answer)).toEqual(['woken', 'nobody-waits']);
  });
});
