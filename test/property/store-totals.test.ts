import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Handoff, openException, pendingOffer, QUEUE_STATE, type QueueState } from '../../shared/domain/handoff.ts';
import type { Fact } from '../../shared/domain/receipt.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { type Tally, type TallyName, tallyOf } from '../../shared/domain/tally.ts';
import { acceptance, ana, aPacket, aSignal, at, ben, chen, idOf, opening, raising, request, resolution, type Step, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

/** What may happen to a handoff next, as facts; the choice falls on one of them. */
function possible(handoff: Handoff): Fact[][] {
  const close: Fact[] = [{ kind: 'handoff.closed', outcome: 'withdrawn', by: handoff.custodian }];
  const offer = pendingOffer(handoff);
  const exception = openException(handoff);
  switch (handoff.state) {
    case 'ready':
      return [[resolution], [raising(handoff.exceptions.length + 1)]];
    case 'candidates-resolved':
      return [[request(handoff.offers.length + 1, handoff.offers.length % 2 === 0 ? ana : ben, 60)], [raising(handoff.exceptions.length + 1)], close];
    case 'acceptance-requested':
    case 'backup-requested': {
      if (offer === undefined) return [];
      const { number, to } = offer;
      const silence: Fact = { kind: 'offer.timed-out', offer: number, to, deadlineAt: offer.deadlineAt };
      return [
        [acceptance(number, to, 600)],
        [silence],
        [silence, request(number + 1, ben, 90)],
        [{ kind: 'offer.rejected', offer: number, by: to, reason: 'no-capacity', flagRule: false }],
        [{ kind: 'clarification.asked', offer: number, by: to, owedBy: to, expiresAt: '2026-03-02T17:00:00.000Z' }],
      ];
    }
    case 'accepted':
      return [[{ kind: 'next-step.confirmed', by: handoff.custodian, evidence: 'call' }], [raising(handoff.exceptions.length + 1)], close];
    case 'next-step-confirmed':
      return [close];
    case 'exception': {
      const number = exception?.number ?? 1;
      return [
        [{ kind: 'exception.accepted', exception: number, by: chen, reviewAt: at(500), channel: 'email' }],
        [{ kind: 'exception.resolved', exception: number, by: chen, resolution: 'assigned', to: ana }],
        close,
      ];
    }
    case 'closed':
      return [];
  }
}

type Move =
  | { kind: 'record'; signal: number }
  | { kind: 'ignore'; signal: number }
  | { kind: 'open'; signal: number }
  | { kind: 'go'; signal: number; choice: number }
  | { kind: 'repeat'; signal: number }
  | { kind: 'race'; signal: number; choice: number };

const signal = fc.nat(2);
const choice = fc.nat(9);
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('record' as const), signal }) },
    fc.record({ kind: fc.constant('ignore' as const), signal }),
    fc.record({ kind: fc.constant('open' as const), signal }),
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('go' as const), signal, choice }) },
    fc.record({ kind: fc.constant('repeat' as const), signal }),
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('race' as const), signal, choice }) },
  ),
  { minLength: 5, maxLength: 40 },
);

/** Carries out moves as several parts of Baton would, some of which come twice or too late. A refusal is part of the game. */
async function play(stores: Stores, all: readonly Move[]): Promise<void> {
  const last = new Map<number, Step>();
  for (const [minute, move] of all.entries()) {
    const from = aSignal(`e-${move.signal}`);
    if (move.kind === 'record') await stores.signals.record(from, 'hash', at(minute));
    if (move.kind === 'ignore') await stores.signals.ignore(from, 'no contract', at(minute)).catch(() => undefined);
    const known = last.get(move.signal);
    const wishes = move.kind === 'repeat' && known !== undefined ? [known] : await choose(stores, move, minute);
    for (const wish of wishes) last.set(move.signal, wish);
    await Promise.all(wishes.map((wish) => append(stores, wish, from).catch(() => undefined)));
  }
}

const append = (stores: Stores, { before, after, receipts }: Step, from: Signal) =>
  stores.handoffs.append(before, after, receipts, before === undefined ? { packet: aPacket(), signal: from } : {});

/** One wish, or two that race for the same place. */
async function choose(stores: Stores, move: Move, minute: number): Promise<Step[]> {
  const id = idOf(`e-${move.signal}`);
  if (move.kind === 'open') return [step(undefined, 'open', minute, opening(id))];
  if (move.kind !== 'go' && move.kind !== 'race') return [];
  const loaded = await stores.handoffs.load(id);
  if (loaded === undefined) return [step(undefined, 'open', minute, opening(id))];
  const ways = possible(loaded.handoff);
  const wishes = move.kind === 'race' ? [move.choice, move.choice + 1] : [move.choice];
  return wishes.flatMap((wish, index) => {
    const facts = ways[wish % ways.length];
    return facts === undefined ? [] : [step(loaded.handoff, `c-${minute}-${index}`, minute, ...facts)];
  });
}

/** What the counters must say, counted from the rows themselves. */
async function counted(stores: Stores): Promise<Record<QueueState, number>> {
  const counts = { waiting: 0, offered: 0, accepted: 0, exception: 0, closed: 0 };
  for (const index of [0, 1, 2]) {
    const loaded = await stores.handoffs.load(idOf(`e-${index}`));
    if (loaded !== undefined) counts[QUEUE_STATE[loaded.handoff.state]] += 1;
  }
  return counts;
}

/** The same for what only grows, counted from the receipts of each transaction. */
async function tallied(stores: Stores): Promise<Tally> {
  const sum: Partial<Record<TallyName, number>> = {};
  for (const index of [0, 1, 2]) {
    const byCommand = Map.groupBy(await stores.handoffs.receipts(idOf(`e-${index}`)), ({ commandId }) => commandId);
    for (const receipts of byCommand.values()) for (const [name, count] of Object.entries(tallyOf(receipts)) as [TallyName, number][]) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

describe.each(storeKinds('store-totals'))('the balance sheet $name', ({ name, start }) => {
  let fresh: () => Promise<Stores>;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ fresh, stop } = await start());
  });
  afterAll(() => stop());

  it('M-06 M-08: every counter agrees with the receipts that stand, however often something was written again, refused or lost a race', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const stores = await fresh();
        await play(stores, all);
        expect((await stores.totals.counted()).tally).toEqual(await tallied(stores));
      }),
      { numRuns: name === 'in memory' ? 100 : 10 },
    );
  });

  it('M-03: received is always what was ignored, waits to be decided, or became a handoff; and each counter agrees with the rows', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const stores = await fresh();
        await play(stores, all);
        const { received, ignored, linked, ...states } = await stores.totals.totals();
        const undecided = (await stores.attention.undecidedSignals(at(100_000))).length;
        const handoffs = Object.values(states).reduce((sum, count) => sum + count, 0);
        expect(states).toEqual(await counted(stores));
        expect(received).toBe(ignored + linked + undecided + handoffs);
      }),
      { numRuns: name === 'in memory' ? 200 : 15 },
    );
  });
});
