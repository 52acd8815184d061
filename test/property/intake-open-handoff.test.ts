// The law of opening: the same signal, any number of times, in any order with others, with a crash at any step, in the end is exactly one handoff with one workflow.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { aContract, aPolicy, later, NOW } from '../support/builders.ts';
import { memoryContactBooks, memoryMatchBook } from '../support/memory-books.ts';
import { memoryHandoffStore } from '../support/memory-handoff-store.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { memoryPolicyBook } from '../support/memory-policy-book.ts';
import { memorySignalLog } from '../support/memory-report-sources.ts';
import { memoryTable } from '../support/memory-table.ts';

class Crash extends Error {
  override readonly name = 'Crash';
}

/** Counts down over every call to the outside; at zero the process dies, before the call took effect or just after. */
type Fuse = { callsLeft: number; after: boolean };

function fused<T extends object>(target: T, fuse: Fuse): T {
  return new Proxy(target, {
    get: (_target, key) => {
      const method = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        fuse.callsLeft -= 1;
        if (fuse.callsLeft === 0 && !fuse.after) throw new Crash();
        const result = await method.apply(target, args);
        if (fuse.callsLeft === 0) throw new Crash();
        return result;
      };
    },
  });
}

const aSignal = (n: number, source: string): Signal => ({
  source,
  eventId: `form-${n}`,
  kind: 'form.submitted',
  occurredAt: NOW,
  receivedAt: NOW,
  contact: {},
  request: { words: `request ${n}` },
  location: {},
  consent: {},
  more: {},
});

function world() {
  const table = memoryTable();
  const { roster, calendars } = aPolicy();
  table.policy.active = { contracts: [aContract()], roster, calendars };
  const workflow = memoryWorkflow();
  const time = memoryTime(NOW);
  const contacts = memoryContactBooks(table);
  const through = (fuse: Fuse) => ({
    signals: fused(memorySignalLog(table), fuse),
    policies: fused(memoryPolicyBook(table), fuse),
    handoffs: fused(memoryHandoffStore(table), fuse),
    matches: fused(memoryMatchBook(table), fuse),
    workflow: fused({ start: workflow.start }, fuse),
    seal: fused(memoryContactSeal, fuse),
    digest: signalDigest,
    time,
    suppressions: fused(contacts.suppressions, fuse),
    pauses: fused(contacts.pauses, fuse),
  });
  return { table, workflow, time, through };
}

const delivery = fc.record({
  n: fc.integer({ min: 0, max: 2 }),
  source: fc.constantFrom('website', 'nobody'),
  callsLeft: fc.integer({ min: 1, max: 9 }),
  after: fc.boolean(),
  later: fc.integer({ min: 0, max: 500 }),
});
type Delivered = typeof delivery extends fc.Arbitrary<infer T> ? T : never;

/** Lambda: an invocation that dies is repeated, and may be repeated although it did not. */
async function invoke({ through, time }: ReturnType<typeof world>, { n, source, callsLeft, after, later: seconds }: Delivered): Promise<void> {
  time.forward(1);
  const signal = { ...aSignal(n, source), receivedAt: later(NOW, seconds), occurredAt: later(NOW, seconds) };
  await openHandoff(through({ callsLeft, after }), { schemaVersion: '1', signal }).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
}

async function settle(within: ReturnType<typeof world>, deliveries: readonly Delivered[]): Promise<void> {
  for (const one of deliveries) await invoke(within, { ...one, callsLeft: 1000 });
}

function mustHold({ table, workflow }: ReturnType<typeof world>, deliveries: readonly Delivered[]): void {
  const distinct = new Map(deliveries.map(({ n, source }) => [`${source}#form-${n}`, aSignal(n, source)]));
  const opening = [...distinct.values()].filter(({ source }) => source === 'website').map((signal) => signalDigest.handoffId(signal));
  expect([...table.handoffs.keys()].sort()).toEqual([...opening].sort());
  expect([...workflow.started].sort()).toEqual([...opening].sort());
  for (const { head, receipts } of table.handoffs.values()) expect([head.version, receipts.map(({ kind }) => kind)]).toEqual([1, ['handoff.opened']]);
  expect(table.totals).toMatchObject({ received: distinct.size, waiting: opening.length, ignored: distinct.size - opening.length });
}

describe('SF-12, EB-01, LA-03: opening is exactly once', () => {
  test('deliveries one after another, each dying at any step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 10 }), async (deliveries) => {
        const within = world();
        for (const one of deliveries) await invoke(within, one);
        await settle(within, deliveries);
        mustHold(within, deliveries);
      }),
      { numRuns: 300 },
    );
  });

  test('deliveries at the same time, each dying at any step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { minLength: 2, maxLength: 8 }), async (deliveries) => {
        const within = world();
        await Promise.all(deliveries.map((one) => invoke(within, one)));
        await settle(within, deliveries);
        mustHold(within, deliveries);
      }),
      { numRuns: 300 },
    );
  });

  test('a crash at every single step, before and after its effect, is mended by the next delivery', async () => {
    for (const after of [false, true]) {
      for (let callsLeft = 1; callsLeft <= 9; callsLeft += 1) {
        const within = world();
        const one = { n: 1, source: 'website', callsLeft, after, later: 0 } as const;
        await invoke(within, one);
        await settle(within, [one]);
        mustHold(within, [one]);
      }
    }
  });
});
