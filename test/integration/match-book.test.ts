import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { aContract, aPolicy, later, NOW } from '../support/builders.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from '../support/memory-outside.ts';
import { aPacket, at, idOf, opening, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

const { roster, calendars } = aPolicy();
const policies = { active: async () => ({ contracts: [aContract()], roster, calendars }), at: async () => aPolicy() };
const ROUNDS = 100;

const form = (round: number, channel: string): Signal => ({
  source: 'website',
  eventId: `${channel}-${round}`,
  kind: 'form.submitted',
  occurredAt: later(NOW, round),
  receivedAt: later(NOW, round),
  contact: { email: `ada-${round}@example.com` },
  request: { words: channel },
  location: {},
  consent: {},
  more: {},
});

describe.each(storeKinds('match-book'))('a book of matches $name', ({ start }) => {
  let stores: Stores;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await start();
    stop = started.stop;
    stores = await started.fresh();
  });
  afterAll(() => stop());

  it('a key that nobody wrote has no entries, and rows come in the order asked', async () => {
    const keys = [
      { kind: 'email', hash: 'c-none' },
      { kind: 'phone', hash: 'c-none' },
    ] as const;
    expect(await stores.matches.rows(keys)).toEqual(keys.map((key) => ({ key, version: 0, entries: [] })));
    expect(await stores.matches.rows([])).toEqual([]);
  });

  it('ID-11: a key that moved since it was read lets nothing of the transaction through', async () => {
    const key = { kind: 'email', hash: 'c-moved' } as const;
    const write = (name: string) => {
      const { after, receipts } = step(undefined, name, 0, opening(idOf(name)));
      const entries = [{ handoffId: after.id, contract: 'roof-inspection', occurredAt: at(0), keys: { email: 'c-moved' } }];
      return stores.handoffs.append(undefined, after, receipts, { packet: aPacket(), matches: [{ key, version: 0, entries }] });
    };
    expect(await write('match-first')).toEqual({ kind: 'written' });
    expect(await write('match-second')).toEqual({ kind: 'stale' });
    expect(await stores.handoffs.load(idOf('match-second'))).toBeUndefined();
    expect(await stores.matches.rows([key])).toMatchObject([{ version: 1, entries: [{ handoffId: idOf('match-first') }] }]);
  });

  it(`ID-11: two channels at once, ${ROUNDS} times over: one handoff each time, the other joins it, and the sheet adds up`, async () => {
    const before = await stores.totals.totals();
    const deps = { ...stores, policies, workflow: memoryWorkflow(), seal: memoryContactSeal, digest: signalDigest, time: memoryTime(later(NOW, 1000)) };
    for (let round = 0; round < ROUNDS; round++) {
      const both = [form(round, 'form'), form(round, 'automation')];
      const outcomes = await Promise.all(both.map((signal) => openHandoff(deps, { schemaVersion: '1', signal })));
      expect(outcomes.map(({ kind }) => kind).sort(), `round ${round}`).toEqual(['linked', 'opened']);
      const [id] = outcomes.flatMap((one) => (one.kind === 'linked' ? [one.handoffId] : []));
      const loaded = id === undefined ? undefined : await stores.handoffs.load(id);
      expect(loaded?.packet.sources.map((one) => one.eventId).sort()).toEqual([`automation-${round}`, `form-${round}`]);
    }
    const after = await stores.totals.totals();
    expect({ received: after.received - before.received, linked: after.linked - before.linked, waiting: after.waiting - before.waiting }).toEqual({
      received: 2 * ROUNDS,
      linked: ROUNDS,
      waiting: ROUNDS,
    });
  }, 60_000);
});
