import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aPacket, aSignal, at, commit, idOf, opening, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

describe.each(storeKinds('signal-log'))('a signal log $name', ({ start }) => {
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

  it('L-01: the same event is stored and counted once, however many deliveries arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => stores.signals.record(aSignal('e-1'), 'hash', at(index))));
    expect(answers.filter((answer) => answer.kind === 'recorded')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'known')).toHaveLength(9);
    expect((await stores.totals.totals()).received).toBe(1);
  });

  it('WH-07: another content under the same id leaves the first alone, whatever became of it', async () => {
    await stores.signals.record(aSignal('e-1'), 'hash-a', at(0));
    const other = { ...aSignal('e-1'), contact: { email: 'else@example.org' } };
    expect(await stores.signals.record(other, 'hash-b', at(1))).toEqual({ kind: 'conflict' });
    expect(await stores.signals.record(other, 'hash-b', at(2))).toEqual({ kind: 'conflict' });
    expect(await stores.signals.record(aSignal('e-1'), 'hash-a', at(3))).toEqual({ kind: 'known', standing: { kind: 'received' } });
    expect(await stores.attention.undecidedSignals(at(10))).toEqual([aSignal('e-1')]);
    expect((await stores.totals.totals()).received).toBe(1);
  });

  it('L-01: a signal is ignored once, with the first reason', async () => {
    await stores.signals.record(aSignal('e-1'), 'hash', at(0));
    await Promise.all([1, 2, 3].map((minute) => stores.signals.ignore(aSignal('e-1'), 'no contract', at(minute))));
    await stores.signals.ignore(aSignal('e-1'), 'another reason', at(4));
    expect(await stores.signals.record(aSignal('e-1'), 'hash', at(5))).toEqual({ kind: 'known', standing: { kind: 'ignored', because: 'no contract' } });
    expect(await stores.totals.totals()).toMatchObject({ received: 1, ignored: 1 });
  });

  it('L-01: what opened a handoff is not ignored afterwards, and what was never recorded cannot be', async () => {
    await stores.signals.record(aSignal('e-1'), 'hash', at(0));
    await commit(stores.handoffs, step(undefined, 'open', 1, opening(idOf('e-1'))), { packet: aPacket(), signal: aSignal('e-1') });
    await stores.signals.ignore(aSignal('e-1'), 'too late', at(2));
    expect(await stores.signals.record(aSignal('e-1'), 'hash', at(3))).toEqual({ kind: 'known', standing: { kind: 'opened', handoffId: idOf('e-1') } });
    expect(await stores.totals.totals()).toMatchObject({ received: 1, ignored: 0, waiting: 1 });
    await expect(stores.signals.ignore(aSignal('e-2'), 'never', at(4))).rejects.toThrow(/never recorded/);
  });

  it('WH-07: sources do not share event ids, nor do ids that look alike', async () => {
    const ids = ['1', '01', '1#SIGNAL', ' 1', 'É', 'é'];
    for (const eventId of ids) expect(await stores.signals.record(aSignal(eventId), 'hash', at(0))).toEqual({ kind: 'recorded' });
    expect(await stores.signals.record({ ...aSignal('1'), source: 'typeform' }, 'hash', at(0))).toEqual({ kind: 'recorded' });
    expect(await stores.attention.undecidedSignals(at(1))).toHaveLength(ids.length + 1);
  });

  it('M-02: a signal wants a look from its arrival until it is opened or ignored', async () => {
    for (const minute of [1, 2, 3, 4]) await stores.signals.record(aSignal(`e-${minute}`, minute), 'hash', at(minute));
    await stores.signals.ignore(aSignal('e-1'), 'test delivery', at(5));
    await commit(stores.handoffs, step(undefined, 'open', 5, opening(idOf('e-2'))), { packet: aPacket(), signal: aSignal('e-2') });
    expect((await stores.attention.undecidedSignals(at(4))).map((signal) => signal.eventId)).toEqual(['e-3']);
    expect((await stores.attention.undecidedSignals(at(60))).map((signal) => signal.eventId)).toEqual(['e-3', 'e-4']);
  });

  it('LR-02: a signal with long and unusual content is kept as it came', async () => {
    const signal = { ...aSignal('x'.repeat(900)), contact: { name: '', phone: '   ' }, occurredAt: '2026-03-02T09:00:00+01:00', notALead: 'opt-out' };
    const more = { 'a.b': '🪵'.repeat(100), status: 'reserved' };
    await stores.signals.record({ ...signal, more: { ...more, '': 'a field without a name' } }, 'hash', at(0));
    const [kept] = await stores.attention.undecidedSignals(at(1));
    expect(kept).toMatchObject({ ...signal, more });
    expect(Object.values(kept?.more ?? {})).toContain('a field without a name');
  });
});
