import { describe, expect, test } from 'vitest';
import { reviewWeek } from '../../functions/report-orphans/review-week.ts';
import type { Handoff, Offer } from '../../shared/domain/handoff.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { openedSince, reviewHeadline, reviewText, weekBefore, weeklyReview } from '../../shared/domain/weekly-review.ts';
import { aHandoff, anOffer, later, NOW, ROSA, SAM } from '../support/builders.ts';
import { memoryReportShelf } from '../support/memory-books.ts';
import { memoryEventBus, memoryTime } from '../support/memory-outside.ts';
import { memoryTable } from '../support/memory-table.ts';

const PORTLAND = 'America/Los_Angeles';
const week = weekBefore('2026-03-02', PORTLAND); // NOW is that Monday, eight in the morning
const inWeek = later(NOW, -3 * 86_400);

let count = 0;
const turnedDown = (reason: NonNullable<Offer['reason']>, rule: string, more: Partial<Offer> = {}): Handoff => {
  count += 1;
  const asked = { requestedAt: later(inWeek, -60), deadlineAt: later(inWeek, 240), endedAt: inWeek };
  const offer = anOffer({ to: count % 2 === 0 ? ROSA : SAM, status: 'rejected', reason, rule, ...asked, ...more });
  return aHandoff({ id: handoffId(`h-${String(count).padStart(32, '0')}`), openedAt: later(inWeek, -120), offers: [offer] });
};

describe('the week', () => {
  test('M-09 TM-03: goes from Monday to Monday, midnight to midnight, also over both changes of clocks and in the other hemisphere', () => {
    expect(weekBefore('2026-03-05', PORTLAND)).toMatchObject({ day: '2026-03-02', from: '2026-02-23T08:00:00.000Z', until: '2026-03-02T08:00:00.000Z' });
    const hours = (day: string, zone: string) => {
      const { from, until } = weekBefore(day, zone);
      return (Date.parse(until) - Date.parse(from)) / 3_600_000;
    };
    expect([hours('2026-03-09', PORTLAND), hours('2026-11-02', PORTLAND)]).toEqual([167, 169]);
    expect([hours('2026-10-05', 'Australia/Sydney'), hours('2026-04-06', 'Australia/Sydney')]).toEqual([167, 169]);
  });

  test('M-09: a Sunday belongs to the week that has not ended', () => {
    expect(['2026-03-01', '2026-03-02', '2026-03-08'].map((date) => weekBefore(date, PORTLAND).day)).toEqual(['2026-02-23', '2026-03-02', '2026-03-02']);
  });
});

describe('the review', () => {
  test('M-09: noes for the same reason under the same rule are one line with the place in the contract, whoever said them', () => {
    const review = weeklyReview([turnedDown('wrong-territory', 'serves 972xx'), turnedDown('wrong-territory', 'serves 972xx'), turnedDown('no-capacity', 'serves 972xx')], week);
    expect(review).toMatchObject({ rejections: 3, answers: 3, clusters: [{ contract: 'roof-inspection', step: 0, rule: 'serves 972xx', reason: 'wrong-territory', count: 2 }] });
    expect(reviewText(review)).toContain('2 × wrong-territory\n    look at policy/contracts/roof-inspection.yaml, ask, step 1 (serves 972xx)');
    expect(reviewText(review)).not.toMatch(/\b(?:rosa|sam)\b/);
  });

  test('M-09: only answers of the week count, from its first instant up to its last', () => {
    const at = (endedAt: string) => turnedDown('wrong-product', 'r', { endedAt });
    expect(weeklyReview([at(week.from), at(week.until), at(later(week.from, -1)), at(later(week.until, -1))], week).rejections).toBe(2);
    expect(openedSince(week) < week.from).toBe(true);
  });

  test.each([
    [[], 'Nobody said no: no rule to look at.'],
    [[turnedDown('other', 'r')], '1 no: no rule stands out.'],
    [[turnedDown('other', 'r'), turnedDown('other', 'r')], '1 rule to look at.'],
  ])('M-09: says plainly what there is', (handoffs, headline) => {
    expect(reviewHeadline(weeklyReview(handoffs, week))).toBe(headline);
  });
});

describe('published', () => {
  const aDesk = (handoffs: readonly Handoff[], failing = false) => {
    const table = memoryTable();
    const bus = memoryEventBus();
    const days = {
      openedBetween: async () => {
        if (failing) throw new Error('the table is away');
        return [...handoffs];
      },
    };
    const deps = { days, shelf: memoryReportShelf(table), bus, time: memoryTime(NOW), zone: PORTLAND };
    return { table, bus, deps, run: (day: string) => reviewWeek(deps, day, NOW) };
  };

  test('M-09: on Monday, also when it is empty, as JSON and as a page, and announced for the mail', async () => {
    const { run, table, bus } = aDesk([]);
    await run('2026-03-02');
    expect([...table.files.keys()]).toEqual(['reports/2026-03-02/weekly-review.json', 'reports/2026-03-02/weekly-review.html']);
    expect(table.reports.get('week-2026-03-02')).toMatchObject({ headline: 'Nobody said no: no rule to look at.' });
    expect(bus.published).toMatchObject([{ source: 'baton.report', detailType: 'report.published', detail: { day: '2026-03-02', review: 'week', listed: 0 } }]);
  });

  test('M-09 SC-06: once a week, however often the day asks; a Monday that failed is made up for on Tuesday', async () => {
    const { run, bus } = aDesk([]);
    await run('2026-03-03');
    await run('2026-03-03');
    await run('2026-03-08');
    expect(bus.published).toHaveLength(1);
    await run('2026-03-09');
    expect(bus.published).toHaveLength(2);
  });

  test('M-09: a review that cannot be made fails the run, so that the alarm of the daily report rings', async () => {
    const { run, table } = aDesk([], true);
    await expect(run('2026-03-02')).rejects.toThrow('the table is away');
    expect(table.reports.size).toBe(0);
  });

  test('M-09: one that was not announced is announced by the next run', async () => {
    const { deps, bus, run } = aDesk([]);
    const broken = { ...deps, bus: { publish: () => Promise.reject(new Error('the bus is away')) } };
    await expect(reviewWeek(broken, '2026-03-02', NOW)).rejects.toThrow('the bus is away');
    await run('2026-03-02');
    expect(bus.published).toHaveLength(1);
  });

  test('WH-15: names of rules enter the page as text', async () => {
    const { run, table } = aDesk([turnedDown('other', '<script>'), turnedDown('other', '<script>')]);
    await run('2026-03-02');
    const page = table.files.get('reports/2026-03-02/weekly-review.html')?.body ?? '';
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script>');
  });
});
