import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptance, ana, aPacket, at, chen, commit, givenAnOffer, idOf, opening, raising, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

describe.each(storeKinds('attention'))('an attention index $name', ({ start }) => {
  let fresh: () => Promise<Stores>;
  let stop: () => Promise<void>;
  let stores: Stores;
  beforeAll(async () => {
    ({ fresh, stop } = await start());
  });
  beforeEach(async () => {
    stores = await fresh();
  });
  afterAll(() => stop());

  const watched = async (until: string) => (await stores.attention.attention(until)).watched;
  const due = async (minute: number) => (await watched(at(minute))).map(({ handoff }) => handoff.id);

  it('M-02: an open offer is due at its deadline, not a millisecond before', async () => {
    const offered = await givenAnOffer(stores.handoffs, idOf('one'));
    expect(await watched('2026-03-02T08:29:59.999Z')).toEqual([]);
    expect(await watched('2026-03-02T08:30:00.000Z')).toEqual([{ handoff: offered }]);
    expect(await watched('2026-03-02T08:30:00Z')).toEqual([{ handoff: offered }]);
  });

  it('M-02: each step moves the time of attention, and the end takes it away', async () => {
    const id = idOf('moves');
    const offered = await givenAnOffer(stores.handoffs, id);
    const accepted = await commit(stores.handoffs, step(offered, 'yes', 5, acceptance(1, ana, 120)));
    expect(await due(30)).toEqual([]);
    expect(await due(120)).toEqual([id]);
    const raised = await commit(stores.handoffs, step(accepted, 'raise', 130, raising(1)));
    expect(await due(130)).toEqual([id]);
    await commit(stores.handoffs, step(raised, 'close', 140, { kind: 'handoff.closed', outcome: 'withdrawn', by: chen }));
    expect(await due(1_000_000)).toEqual([]);
  });

  it('M-02: a confirmed next step wants no more looks', async () => {
    const offered = await givenAnOffer(stores.handoffs, idOf('confirmed'));
    const accepted = await commit(stores.handoffs, step(offered, 'yes', 5, acceptance(1, ana, 120)));
    await commit(stores.handoffs, step(accepted, 'real', 6, { kind: 'next-step.confirmed', by: ana, evidence: 'call' }));
    expect(await due(1_000_000)).toEqual([]);
  });

  it('M-02: lists all shards, longest overdue first', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => idOf(`many-${index}`));
    await Promise.all(ids.map((id, index) => commit(stores.handoffs, step(undefined, 'open', 40 - index, opening(id)), { packet: aPacket() })));
    expect(await due(60)).toEqual([...ids].reverse());
    expect(await due(20)).toEqual([...ids].reverse().slice(0, 20));
  });

  it('M-02: beside a handoff that is due stands the wait of its workflow, without the token', async () => {
    const offered = await givenAnOffer(stores.handoffs, idOf('waits'));
    await stores.waits.remember(offered, { wait: 'offer:1', token: 'a secret', storedAt: at(1) });
    expect(await watched(at(30))).toEqual([{ handoff: offered, wait: { wait: 'offer:1', storedAt: at(1) } }]);
    await stores.waits.markWoken(offered.id, 'a secret', at(2));
    expect(await watched(at(30))).toEqual([{ handoff: offered, wait: { wait: 'offer:1', storedAt: at(1), wokenAt: at(2) } }]);
  });

  it('M-05: claims and signals in the same index are not handoffs', async () => {
    await stores.claims.claim(idOf('claim'), 'offer:1:email', at(1));
    expect(await due(60)).toEqual([]);
  });
});
