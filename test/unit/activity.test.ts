// What is counted as it happens, and how two readings make the figures of a period (M-06, M-08).

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activityBetween, activityLines, activityText, activityTitle, type Counted } from '../../shared/domain/activity.ts';
import { TALLY, type Tally, tallyOf } from '../../shared/domain/tally.ts';
import { anAccept, aPolicy, INA, later, NOW, ROSA, SAM, says } from '../support/builders.ts';
import { aLife, backup, offered, silent } from '../support/lives.ts';

const none = { received: 0, ignored: 0, linked: 0 };
const since = (counts: Counted, before: Counted = none) => activityBetween({ day: '2026-03-01', at: NOW, counts: before }, { at: later(NOW, 86_400), counts });

describe('what is counted as it happens', () => {
  test('M-06: each stage counts by its own receipt: an asked backup is no first request, a taken exception is no backup', () => {
    const late = backup();
    late.tell(anAccept(SAM, 2, later(NOW, 400)), later(NOW, 400));
    expect(tallyOf(late.receipts)).toEqual({ opened: 1, ready: 1, asked: 1, timedOut: 1, askedBackup: 1, yes: 1, yesBackup: 1 });
    const taken = silent();
    const { owner } = taken.handoff.exceptions[0] ?? { owner: INA };
    taken.tell(says('accept-exception', { by: owner, exception: 1 }), later(NOW, 800));
    const before = taken.receipts.length;
    taken.tell(says('resolve-exception', { by: owner, exception: 1, how: { resolution: 'take', nextAction: 'call', dueAt: later(NOW, 3600) } }), later(NOW, 900));
    expect(tallyOf(taken.receipts.slice(before))).toEqual({ yes: 1, yesTaken: 1 });
  });

  test('M-06 P-04: opened with something missing is opened, and not ready', () => {
    expect(tallyOf(aLife(aPolicy(), { missing: ['request.words'] }).receipts.slice(0, 1))).toEqual({ opened: 1 });
  });

  test('M-08: a move counts once, by its reason: what staff ordered, a person who is not there, a promise not kept, safety', () => {
    const moved = offered();
    moved.tell(says('reassign', { by: INA, to: SAM }), later(NOW, 10));
    expect(tallyOf(moved.receipts.slice(3))).toEqual({ 'moved:reassigned': 1 });
    const gone = offered();
    gone.tell({ kind: 'release', commandId: says('withdraw', { by: INA }).commandId, person: ROSA }, later(NOW, 10));
    expect(tallyOf(gone.receipts.slice(3))).toEqual({ 'moved:unavailable': 1 });
    const back = offered();
    back.tell(says('withdraw', { by: INA }), later(NOW, 10));
    expect(tallyOf(back.receipts.slice(3))).toEqual({ 'closed:withdrawn': 1 }); // nobody else is asked
  });

  test('M-08: every counter has a short name of its own, and fits beside the others in one row of a kilobyte', () => {
    expect(new Set(TALLY).size).toBe(TALLY.length);
    expect(TALLY.join('').length + TALLY.length * 4).toBeLessThan(900);
  });
});

describe('two readings', () => {
  test('M-06 M-08: differ by what happened between them; a counter that is younger began at zero', () => {
    const { counts, rates } = since(
      { received: 12, ignored: 4, linked: 1, opened: 7, asked: 6, askedBackup: 2, yes: 3, 'moved:safety': 2, recorded: 3, unmatched: 1, unknownSource: 3 },
      { received: 2, ignored: 1, linked: 1, opened: 1 },
    );
    expect(counts).toMatchObject({ received: 10, ignored: 3, linked: 0, opened: 6, asked: 6 });
    expect(rates).toEqual({ unknownSource: 0.3, unmatchedOutcomes: 0.25, moved: 0.25, acceptanceReceipts: 0.5 });
  });

  test('M-08: shares of nothing are absent, not zero, and nothing is worked out of no reading', () => {
    expect(since(none).rates).toEqual({});
    expect(activityTitle(activityBetween(undefined, { at: NOW, counts: none }))).toBe('Since the beginning');
    expect(activityTitle(since(none))).toBe('Since the report of 2026-03-01');
  });

  test('M-06: the figures of one period and of the next add up to those of both', () => {
    const grow = fc.dictionary(fc.constantFrom(...TALLY), fc.nat(50)) as fc.Arbitrary<Tally>;
    const plus = (one: Counted, more: Tally): Counted => ({
      ...one,
      ...Object.fromEntries(Object.entries(more).map(([name, count]) => [name, (one[name as keyof Counted] ?? 0) + count])),
    });
    fc.assert(
      fc.property(grow, grow, grow, (start, first, second) => {
        const [a, b] = [plus(none, start), plus(plus(none, start), first)];
        const c = plus(b, second);
        for (const name of TALLY) expect((since(b, a).counts[name] ?? 0) + (since(c, b).counts[name] ?? 0)).toBe(since(c, a).counts[name] ?? 0);
      }),
    );
  });

  test('M-06: the sheet names each stage, its reasons that occurred, and the unmatched also when there are none', () => {
    const text = activityText(since({ received: 4, ignored: 1, linked: 0, unknownSource: 1, 'no:no-capacity': 2, 'moved:overdue': 1, asked: 2, 'done:visit': 1 })).join('\n');
    expect(text).toMatch(/signals received +4/);
    expect(text).toMatch(/ {4}from a source that no contract names +1 {2}25 %/);
    expect(text).toMatch(/turned down +2\n {4}no-capacity +2/);
    expect(text).toMatch(/moved to another person +1 {2}50 %\n {4}the promise was not kept +1/);
    expect(text).toMatch(/next steps with evidence +1\n {4}visit +1/);
    expect(text).toMatch(/outcomes that match no request +0/);
    expect(text).not.toContain('wrong-territory');
    expect(activityLines(since(none)).map(({ label }) => label)).toEqual([
      'signals received',
      'requests opened',
      'accepted by a person',
      'moved to another person',
      'outcomes that match no request',
    ]);
  });
});
