import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSignal, at } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

describe.each(storeKinds('tally-book'))('what is counted for good $name', ({ start }) => {
  let fresh: () => Promise<Stores>;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ fresh, stop } = await start());
  });
  afterAll(() => stop());

  const reading = (day: string, received: number) => ({ day, at: `${day}T16:00:00.000Z`, counts: { received, ignored: 0, linked: 0, 'moved:safety': 2 } });

  it('M-06: readings are found by their days, oldest first, across the end of a year, and a repeated run replaces its own', async () => {
    const { tallies } = await fresh();
    for (const one of [reading('2026-01-02', 9), reading('2025-12-30', 4), reading('2025-12-31', 5), reading('2025-12-31', 6)]) await tallies.note(one);
    expect(await tallies.noted('2025-12-31', '2026-01-02')).toEqual([reading('2025-12-31', 6), reading('2026-01-02', 9)]);
    expect(await tallies.noted('2026-01-03', '2026-01-09')).toEqual([]);
    expect(await tallies.noted('2026-01-03', '2026-01-01')).toEqual([]);
  });

  it('X-05 M-06: an outcome that matches nothing counts once by its order, also when it comes five times at once', async () => {
    const { outcomes, totals } = await fresh();
    const outcome = { orderId: 'crm-1', handoffId: `h-${'0'.repeat(32)}`, system: 'crm', result: 'won', at: at(1) };
    await Promise.all(Array.from({ length: 5 }, () => outcomes.unmatched(outcome)));
    await outcomes.unmatched({ ...outcome, orderId: 'crm-2' });
    expect((await totals.counted()).tally).toEqual({ unmatched: 2 });
  });

  it('M-06: a signal of a source that no contract names counts with the reason why it is kept, once', async () => {
    const { signals, totals } = await fresh();
    const signal = aSignal('unknown');
    await signals.record(signal, 'hash', at(0));
    for (let time = 0; time < 3; time++) await signals.ignore(signal, 'no contract starts on it', at(1), { unknownSource: 1 });
    expect(await totals.counted()).toMatchObject({ totals: { received: 1, ignored: 1 }, tally: { unknownSource: 1 } });
  });
});
