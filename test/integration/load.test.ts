// Capacity and turns under real concurrency: one suite for the fake and for the real database.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveCandidates } from '../../functions/resolve-candidates/resolve-candidates.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, type PersonId, personId } from '../../shared/domain/ids.ts';
import { heldCapacity } from '../../shared/domain/load.ts';
import type { Fact } from '../../shared/domain/receipt.ts';
import type { Appended } from '../../shared/ports/handoff-store.ts';
import { aPacket as aLead, aPerson, aPolicy as policyOf } from '../support/builders.ts';
import { acceptance, ana, at, ben, commit, givenAnOffer, idOf, opening, raising, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

const yes = (by: PersonId, capacity: number): Fact => ({ ...(acceptance(1, by, 120) as Extract<Fact, { kind: 'offer.accepted' }>), capacity });

describe.each(storeKinds('load'))('the loads of people $name', ({ start }) => {
  let fresh: () => Promise<Stores>;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ fresh, stop } = await start());
  });
  afterAll(() => stop());

  it('R-05: sixty parallel yeses of one person never get past the limit, whatever is let go meanwhile', async () => {
    const { handoffs } = await fresh();
    const limit = 7;
    const offered = await Promise.all(Array.from({ length: 60 }, (_, n) => givenAnOffer(handoffs, idOf(`rush-${n}`))));
    const answers = await Promise.all(offered.map((one) => say(handoffs, one, yes(ana, limit))));
    expect(answers.filter((answer) => answer.kind === 'written')).toHaveLength(limit);
    expect(answers.filter((answer) => answer.kind === 'at-capacity')).toHaveLength(60 - limit);
    expect((await handoffs.loads([ana]))[ana]?.held).toBe(limit);

    const owned = await ownedBy(handoffs, offered, ana);
    const free = offered.filter((one) => !owned.some((other) => other.id === one.id));
    const closing = owned.slice(0, 3).map((one) => commit(handoffs, step(one, 'close', 6, { kind: 'handoff.closed', outcome: 'completed', by: ana })));
    const [, more] = await Promise.all([Promise.all(closing), Promise.all(free.slice(0, 20).map((one) => say(handoffs, one, yes(ana, limit))))]);
    const now = await ownedBy(handoffs, offered, ana);
    expect(now.length).toBe(limit - 3 + more.filter((answer) => answer.kind === 'written').length);
    expect(now.length).toBeLessThanOrEqual(limit);
    expect((await handoffs.loads([ana]))[ana]?.held).toBe(now.length);
  }, 60_000);

  it('R-05: every way out of ownership frees the capacity: closed, made an exception, taken by somebody else', async () => {
    const { handoffs } = await fresh();
    const held = async (person: PersonId) => (await handoffs.loads([person]))[person]?.held ?? 0;
    const [one, two] = await Promise.all(['out-1', 'out-2'].map(async (name) => commit(handoffs, step(await givenAnOffer(handoffs, idOf(name)), 'yes', 5, yes(ana, 2)))));
    if (one === undefined || two === undefined) throw new Error('two handoffs were made');
    expect(await held(ana)).toBe(2);
    await commit(handoffs, step(one, 'close', 6, { kind: 'handoff.closed', outcome: 'withdrawn', by: ana }));
    expect(await held(ana)).toBe(1);
    const raised = await commit(handoffs, step(two, 'raise', 7, raising(1)));
    expect(await held(ana)).toBe(0);
    const resolved: Fact = { kind: 'exception.resolved', exception: 1, by: ben, resolution: 'taken' };
    const taken = await commit(handoffs, step(raised, 'take', 8, resolved, { ...(yes(ben, 1) as Extract<Fact, { kind: 'offer.accepted' }>), offer: 2 }));
    expect([await held(ana), await held(ben)]).toEqual([0, 1]);
    const confirmed = await commit(handoffs, step(taken, 'confirm', 9, { kind: 'next-step.confirmed', by: ben, evidence: 'call' }));
    expect(await held(ben)).toBe(1);
    await commit(handoffs, step(confirmed, 'done', 10, { kind: 'handoff.closed', outcome: 'completed', by: ben }));
    expect(await held(ben)).toBe(0);
  });

  it('R-05 DB-01: a yes that was written and is sent again is answered as applied, also when it took the last place', async () => {
    const { handoffs } = await fresh();
    const offered = await givenAnOffer(handoffs, idOf('again'));
    expect(await say(handoffs, offered, yes(ana, 1))).toEqual({ kind: 'written' });
    const later = step(offered, 'yes', 9, yes(ana, 1));
    expect(await handoffs.append(offered, later.after, later.receipts)).toMatchObject({ kind: 'already-applied' });
    const other = await givenAnOffer(handoffs, idOf('beside'));
    expect(await say(handoffs, other, yes(ana, 1))).toEqual({ kind: 'at-capacity' });
    await commit(handoffs, step(other, 'silence', 31, { kind: 'offer.timed-out', offer: 1, to: ana, deadlineAt: at(30) }));
    expect(await say(handoffs, other, yes(ana, 1))).toEqual({ kind: 'stale' });
    expect((await handoffs.loads([ana, ben]))[ben]).toBeUndefined();
  });

  it('O-02: a no that leaves somebody out for the day is kept beside their name', async () => {
    const { handoffs } = await fresh();
    const offered = await givenAnOffer(handoffs, idOf('left-out'));
    await commit(handoffs, step(offered, 'no', 5, { kind: 'offer.rejected', offer: 1, by: ana, reason: 'no-capacity', flagRule: false, excludedUntil: at(900) }));
    expect(await handoffs.loads([ana])).toEqual({ ana: { held: 0, turns: 0, excludedUntil: at(900) } });
  });

  it('R-03: turns taken by many handoffs at once are as even as turns taken one after another', async () => {
    const stores = await fresh();
    const policy = policyOf({
      people: ['ann', 'bob', 'cy'].map((id) => aPerson(id)),
      contract: { ask: [{ role: 'seller', order: 'fair-turn', window: { seconds: 300 } }] },
    });
    await stores.press.publish({ contracts: [policy.contract], roster: policy.roster, calendars: [] }, 'dana', at(0));
    const ids = Array.from({ length: 24 }, (_, n) => idOf(`turn-${n}`));
    for (const id of ids) await opened(stores, id);
    const deps = { store: stores.handoffs, policies: stores.policies, time: { now: () => at(1) } };
    for (let start = 0; start < ids.length; start += 3) await Promise.all(ids.slice(start, start + 3).map((id) => resolveCandidates(deps, id)));
    const turns = await stores.handoffs.loads(['ann', 'bob', 'cy'].map((id) => personId(id)));
    expect(Object.values(turns).map((load) => load.turns)).toEqual([8, 8, 8]);
    const first = await Promise.all(ids.map(async (id) => (await stores.handoffs.load(id))?.handoff.candidates[0]?.person));
    for (const person of ['ann', 'bob', 'cy']) expect(first.filter((one) => one === person)).toHaveLength(8);
  }, 60_000);
});

function say(handoffs: Stores['handoffs'], offered: Handoff, fact: Fact): Promise<Appended> {
  const { before, after, receipts } = step(offered, 'yes', 5, fact);
  return handoffs.append(before, after, receipts);
}

async function ownedBy(handoffs: Stores['handoffs'], offered: readonly Handoff[], person: PersonId): Promise<Handoff[]> {
  const rows = await Promise.all(offered.map(async (one) => (await handoffs.load(one.id))?.handoff));
  return rows.filter((row): row is Handoff => row !== undefined && heldCapacity(row) === person);
}

async function opened({ handoffs }: Stores, id: Handoff['id']): Promise<void> {
  const stamp = { at: at(0), commandId: commandId('open'), actor: { kind: 'system', component: 'test' } as const, packetVersion: 1, contractVersion: 'c1' };
  const { receipts, handoff } = apply(undefined, [opening(id)], stamp);
  await handoffs.append(undefined, handoff, receipts, { packet: aLead() });
}
