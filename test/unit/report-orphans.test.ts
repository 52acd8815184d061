import { describe, expect, test } from 'vitest';
import { compileReport, reportOrphans } from '../../functions/report-orphans/report-orphans.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { ReportPublishedEvent, ReportRequest, ReportSummary } from '../../shared/contracts/report-event.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { fromLocal } from '../../shared/domain/local-time.ts';
import { attentionAt, type Wait } from '../../shared/domain/next-step.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { Tally } from '../../shared/domain/tally.ts';
import type { BusEvent } from '../../shared/ports/event-bus.ts';
import type { Totals, Watched } from '../../shared/ports/report-sources.ts';
import { aHandoff, anException, anOffer, aPolicy, aSignal, later, NOW, OMAR } from '../support/builders.ts';
import { memoryTallyBook } from '../support/memory-report-sources.ts';
import { memoryTable } from '../support/memory-table.ts';

/** The world of one report: what stands in the table, and what the report does to the outside. */
function aWorld(more: { handoffs?: readonly Handoff[]; signals?: readonly Signal[]; totals?: Partial<Totals>; tally?: Tally; now?: string; zone?: string } = {}) {
  const files = new Map<string, string>();
  const published = new Map<string, Record<string, unknown>>();
  const table = memoryTable();
  const events: BusEvent[] = [];
  const done: string[] = [];
  const world = { now: more.now ?? later(NOW, 600), totals: { received: 0, ignored: 0, linked: 0, waiting: 0, offered: 0, accepted: 0, exception: 0, closed: 0, ...more.totals } };
  const deps: Parameters<typeof reportOrphans>[0] = {
    zone: more.zone ?? 'America/Los_Angeles',
    time: { now: () => world.now },
    attention: {
      attention: async (until) => ({
        watched: (more.handoffs ?? []).filter((handoff) => (attentionAt(handoff) ?? 'never') <= until).map((handoff) => ({ handoff })),
        signals: [],
        claims: [],
      }),
      undecidedSignals: async (until) => (more.signals ?? []).filter((signal) => signal.receivedAt < until),
    },
    totals: { counted: async () => ({ totals: world.totals, tally: more.tally ?? {} }) },
    tallies: memoryTallyBook(table),
    shelf: {
      put: async (name, contentType, body) => {
        done.push(`put ${name} ${contentType}`);
        files.set(name, body);
        return `s3://reports/${name}`;
      },
      publish: async (day, summary) => {
        done.push(`publish ${day}`);
        published.set(day, summary);
      },
      find: async (day) => published.get(day),
    },
    bus: {
      publish: async (batch) => {
        done.push('event');
        events.push(...batch);
      },
    },
  };
  return { deps, world, files, published, events, done };
}

const excepted = (id: string, more: Partial<Handoff> = {}) => aHandoff({ id: handoffId(id), state: 'exception', exceptions: [anException()], ...more });
const portland = (text: string) => fromLocal(text, 'America/Los_Angeles').instant;

describe('a workflow that was lost', () => {
  test('M-02: its handoff is listed once, as left alone, and a policy that cannot be read hides nothing', async () => {
    const { deps } = aWorld({ handoffs: [excepted('h-1')], totals: { received: 1, exception: 1 }, now: later(NOW, 900) });
    const lost = await compileReport({ ...deps, policies: { at: async () => aPolicy() } });
    expect(lost.rows.map(({ section, handoff }) => [section, handoff])).toEqual([['workflow-stands-still', 'h-1']]);
    const unread = await compileReport({ ...deps, policies: { at: () => Promise.reject(new Error('gone')) } });
    expect(unread.rows.map(({ section }) => section)).toEqual(['exception-not-taken']);
  });
});

describe('OP-08: records that disagree, though each part reported success', () => {
  const RESPOND: Wait = `exception:1:${OMAR}:respond`;
  const watching = (wait: { wait: Wait; wokenAt?: string }) => ({ wait: { storedAt: NOW, ...wait } });
  const compiled = (handoff: Handoff, { wait, attempt = 0, ended = false }: { wait?: Watched['wait']; attempt?: number | undefined; ended?: boolean }) => {
    const { deps } = aWorld({ now: later(NOW, 900), totals: { received: 1, exception: 1 } });
    const latest = async () => (attempt < 0 ? undefined : { attempt, standing: ended ? ('ended' as const) : ('running' as const) });
    const attention = { ...deps.attention, attention: async () => ({ watched: [{ handoff, ...(wait && { wait }) }], signals: [], claims: [] }) };
    return compileReport({ ...deps, attention, policies: { at: async () => aPolicy() }, workflow: { latest } });
  };
  const rejected = aHandoff({ version: 4, state: 'candidates-resolved', lastReceipt: 'offer.rejected', offers: [anOffer({ status: 'rejected', reason: 'no-capacity' })] });

  test.each([
    [
      'an answer without its wake-up',
      rejected,
      watching({ wait: 'offer:1' }),
      'rejected-without-owner',
      /nobody was asked since; since .*: its workflow waits for something that is over/,
    ],
    ['a wake-up without an answer', excepted('h-1'), watching({ wait: RESPOND, wokenAt: later(NOW, 60) }), 'workflow-stands-still', /no workflow waits for it/],
    ['a row without an execution', excepted('h-1'), { attempt: -1 }, 'workflow-stands-still', /no workflow was ever started/],
    ['a row whose execution is over', excepted('h-1'), { ended: true }, 'workflow-stands-still', /its workflow has ended/],
  ])('%s is a line of the report', async (_, handoff, state, section, why) => {
    const { rows } = await compiled(handoff, state);
    expect(rows.map((row) => [row.section, row.why])).toEqual([[section, expect.stringMatching(why)]]);
  });

  test('and what agrees is none', async () => {
    const { rows } = await compiled(excepted('h-1', { exceptions: [anException({ respondBy: later(NOW, 3600) })] }), watching({ wait: RESPOND }));
    expect(rows.map(({ section }) => section)).toEqual(['exception-not-taken']);
  });

  test('counters that do not add up are said at the foot, not hidden', async () => {
    const { deps } = aWorld({ totals: { received: 3, exception: 1 } });
    expect((await compileReport(deps)).balance.unexplained).toBe(2);
  });
});

describe('publishing', () => {
  test('M-01: files first, then the summary, then the event that says so', async () => {
    const { deps, done, events, published } = aWorld({ handoffs: [excepted('h-1')], totals: { received: 1, exception: 1 } });
    await reportOrphans(deps, NOW);
    expect(done).toEqual([
      'put reports/2026-03-02/orphans.json application/json',
      'put reports/2026-03-02/orphans.csv text/csv; charset=utf-8',
      'put reports/2026-03-02/orphans.html text/html; charset=utf-8',
      'publish 2026-03-02',
      'event',
    ]);
    expect(events).toMatchObject([{ source: 'baton.report', detailType: 'report.published' }]);
    expect(parse(ReportPublishedEvent, events[0]?.detail, 'the event')).toMatchObject({
      day: '2026-03-02',
      scheduledAt: NOW,
      listed: 1,
      reconciled: true,
      headline: '1 thing needs a person. The sheet balances.',
    });
    const summary = parse(ReportSummary, published.get('2026-03-02'), 'the summary');
    expect(summary).toMatchObject({
      counts: { 'exception-not-taken': 1 },
      balance: { received: 1, unexplained: 0 },
      files: { csv: 's3://reports/reports/2026-03-02/orphans.csv' },
    });
    expect(summary.text).toContain('1 thing needs a person');
    expect(summary.html).toContain('<!doctype html>');
  });

  test('M-06 M-08: what was counted since the report before stands in the mail, the page and the file, and a repeated run counts from the same', async () => {
    const { deps, world, files, published } = aWorld({
      totals: { received: 10, ignored: 3, closed: 7 },
      tally: { opened: 7, 'moved:overdue': 2, asked: 4, unmatched: 1, recorded: 3 },
    });
    await deps.tallies.note({ day: '2026-02-27', at: later(NOW, -259_200), counts: { received: 4, ignored: 3, linked: 0, opened: 1, 'moved:overdue': 1 } });
    await reportOrphans(deps, NOW);
    const summary = parse(ReportSummary, published.get('2026-03-02'), 'the summary');
    expect(summary.text).toMatch(/Since the report of 2026-02-27, each stage by itself\n {2}signals received +6\n/);
    expect(summary.text).toMatch(/moved to another person +1 {2}25 %\n {4}the promise was not kept +1\n/);
    expect(summary.html).toMatch(/<td>outcomes that match no request<\/td><td>1<\/td><td>25 %<\/td>/);
    const file = () => (JSON.parse(files.get('reports/2026-03-02/orphans.json') ?? '') as { activity: object }).activity;
    expect(file()).toMatchObject({ since: { day: '2026-02-27' }, counts: { received: 6, ignored: 0, opened: 6, 'moved:overdue': 1 }, rates: { unmatchedOutcomes: 0.25 } });
    const first = file();
    await reportOrphans(deps, NOW);
    expect(file()).toEqual(first);
    expect((await compileReport(deps)).activity).toMatchObject({ since: { day: '2026-03-02' }, counts: { received: 0 } });
    world.now = portland('2026-03-03T08:00');
    await reportOrphans(deps, world.now);
    expect(published.get('2026-03-03')).toMatchObject({ text: expect.stringMatching(/Since the report of 2026-03-02, each stage by itself\n {2}signals received +0\n/) });
  });

  test('M-01: an empty report is published like any other', async () => {
    const { deps, events, files } = aWorld({ totals: { received: 3, closed: 3 } });
    await reportOrphans(deps, NOW);
    expect(events[0]?.detail).toMatchObject({ listed: 0, reconciled: true, headline: expect.stringMatching(/^Empty and reconciled/) });
    expect(JSON.parse(files.get('reports/2026-03-02/orphans.json') ?? '')).toMatchObject({
      schemaVersion: '1',
      sections: expect.arrayContaining([{ section: 'nobody-asked', rows: [] }]),
    });
  });

  test('SC-06: the same due time twice is one report, replaced', async () => {
    const { deps, files, published, events } = aWorld({ totals: { received: 1, closed: 1 } });
    await reportOrphans(deps, NOW);
    const names = [...files.keys()];
    await reportOrphans(deps, NOW);
    expect([...files.keys()]).toEqual(names);
    expect(published.size).toBe(1);
    expect(new Set(events.map((event) => JSON.stringify(event.detail))).size).toBe(1);
  });

  test('SC-06: a run that came late belongs to the day it was due', async () => {
    const { deps, published } = aWorld({ now: portland('2026-03-03T07:00') });
    await reportOrphans(deps, portland('2026-03-02T23:59'));
    expect([...published.keys()]).toEqual(['2026-03-02']);
  });

  test.each([
    ['America/New_York', '2026-03-06', '2026-03-07,2026-03-08,2026-03-09,2026-03-10'],
    ['America/New_York', '2026-10-30', '2026-10-31,2026-11-01,2026-11-02,2026-11-03'],
    ['Europe/London', '2026-03-27', '2026-03-28,2026-03-29,2026-03-30,2026-03-31'],
    ['Europe/London', '2026-10-23', '2026-10-24,2026-10-25,2026-10-26,2026-10-27'],
    ['Pacific/Chatham', '2026-09-25', '2026-09-26,2026-09-27,2026-09-28,2026-09-29'],
  ])('SC-02: in %s after %s there is one report a date across the change of clocks', async (zone, _, dates) => {
    const { deps, world, published } = aWorld({ zone });
    for (const date of dates.split(',')) {
      world.now = fromLocal(`${date}T06:00`, zone).instant;
      await reportOrphans(deps, world.now);
    }
    expect([...published.keys()].join()).toBe(dates);
  });

  test('M-01: a failed event leaves a report that the next run sends again', async () => {
    const { deps, published, events } = aWorld();
    const broken = { ...deps, bus: { publish: async () => Promise.reject(new Error('no bus')) } };
    await expect(reportOrphans(broken, NOW)).rejects.toThrow('no bus');
    expect(published.size).toBe(1);
    await reportOrphans(deps, NOW);
    expect(events).toHaveLength(1);
  });

  test('a mail and an item hold a report of any size; the files hold all of it', async () => {
    const handoffs = Array.from({ length: 2000 }, (_, n) => excepted(`h-${n}`, { exceptions: [anException({ because: 'x'.repeat(900) })] }));
    const { deps, published, files } = aWorld({ handoffs, totals: { received: 2000, exception: 2000 } });
    await reportOrphans(deps, NOW);
    const summary = parse(ReportSummary, published.get('2026-03-02'), 'the summary');
    expect(Buffer.byteLength(summary.text)).toBeLessThanOrEqual(100_000);
    expect(Buffer.byteLength(summary.html)).toBeLessThanOrEqual(100_000);
    expect(summary.text).toMatch(/And \d+ more/);
    expect(summary).toMatchObject({ listed: 2000, counts: { 'exception-not-taken': 2000 } });
    expect(files.get('reports/2026-03-02/orphans.csv')?.split('\r\n')).toHaveLength(2002);
  });
});

describe('reading', () => {
  test('compiling a report writes and sends nothing', async () => {
    const { deps, done } = aWorld({ handoffs: [excepted('h-1')] });
    const report = await compileReport(deps);
    expect(report).toMatchObject({ day: '2026-03-02', scheduledAt: later(NOW, 600), rows: [{ handoff: 'h-1', link: 'npx baton show h-1' }] });
    expect(done).toEqual([]);
  });

  test('M-02: a signal in its first five minutes is on its way, after that it is listed first', async () => {
    const fresh = aWorld({ signals: [aSignal()], totals: { received: 1 }, now: later(NOW, 299) });
    expect(await compileReport(fresh.deps)).toMatchObject({ rows: [], balance: { undecided: 1, unexplained: 0 } });
    const old = aWorld({ signals: [aSignal()], handoffs: [excepted('h-1')], totals: { received: 2, exception: 1 } });
    expect((await compileReport(old.deps)).rows.map((row) => row.section)).toEqual(['undecided-signal', 'exception-not-taken']);
  });

  test('within a section, whoever waits longest comes first', async () => {
    const { deps } = aWorld({ handoffs: [excepted('h-young'), excepted('h-old', { occurredAt: later(NOW, -999) })] });
    expect((await compileReport(deps)).rows.map((row) => row.handoff)).toEqual(['h-old', 'h-young']);
  });

  test('M-03: a difference that was only a signal arriving meanwhile is read again and gone', async () => {
    const { deps, world } = aWorld({ totals: { received: 2, closed: 1 } });
    let reads = 0;
    const settling = { ...deps, totals: { counted: async () => ({ totals: { ...world.totals, closed: reads++ === 0 ? 1 : 2 }, tally: {} }) } };
    expect((await compileReport(settling)).balance.unexplained).toBe(0);
    expect((await compileReport(deps)).balance.unexplained).toBe(1);
  });

  test('SC-01: the schedule’s due time is taken as AWS writes it, and anything else is refused', () => {
    expect(parse(ReportRequest, { schemaVersion: '1', scheduledAt: '2026-03-02T14:00:00Z' }, 'the payload')).toEqual({ scheduledAt: '2026-03-02T14:00:00.000Z' });
    expect(parse(ReportRequest, {}, 'the payload')).toEqual({});
    for (const scheduledAt of ['<aws.scheduler.scheduled-time>', '', 5, null, '2026-03-02', '2026-03-02T14:00:00'])
      expect(() => parse(ReportRequest, { scheduledAt }, 'the payload'), String(scheduledAt)).toThrow('scheduledAt');
  });
});
