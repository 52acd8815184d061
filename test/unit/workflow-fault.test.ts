import { describe, expect, test } from 'vitest';
import { reportCsv } from '../../functions/report-orphans/report-csv.ts';
import { reportHtml } from '../../functions/report-orphans/report-html.ts';
import { compileReport, reportJson } from '../../functions/report-orphans/report-orphans.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { reportText } from '../../shared/domain/report-text.ts';
import { type Machine, REPAIRS, REPLACEMENTS, workflowFault } from '../../shared/domain/workflow-fault.ts';
import type { Watched } from '../../shared/ports/report-sources.ts';
import { aHandoff, anException, aPolicy, later, NOW, OMAR } from '../support/builders.ts';

const RUNNING: Machine = { attempt: 0, standing: 'running' };
const raised = (more: Partial<Handoff> = {}): Handoff => aHandoff({ state: 'exception', exceptions: [anException()], changedAt: NOW, ...more });
const rightly = { wait: `exception:1:${OMAR}:respond`, storedAt: NOW } as const;
const fault = (one: Watched, machine: Machine | 'unknown' | undefined) => workflowFault(one, aPolicy(), later(NOW, 900), machine);

describe('M-02: workflows that should be waiting and are not', () => {
  test('M-02: one that runs and waits for what the row waits for is well', () => {
    expect(fault({ handoff: raised(), wait: rightly }, RUNNING)).toBeUndefined();
    expect(fault({ handoff: aHandoff({ state: 'closed' }) }, { attempt: 0, standing: 'ended' })).toBeUndefined();
  });

  test.each([
    ['none', undefined, NOW],
    ['ended', { attempt: 2, standing: 'ended', endedAt: later(NOW, 60) }, later(NOW, 60)],
    ['ended', { attempt: 2, standing: 'ended' }, NOW],
    ['beyond-repair', { attempt: REPLACEMENTS, standing: 'ended' }, NOW],
    ['unknown', 'unknown', NOW],
  ] as const)('M-02: %s, though a token stands, and since when', (kind, machine, since) => {
    expect(fault({ handoff: raised(), wait: rightly }, machine)).toEqual({ kind, since });
  });

  test('M-02: one that waits for something that is over, or has no token, is listed; reconcile wakes the first', () => {
    expect(fault({ handoff: raised(), wait: { wait: 'offer:1', storedAt: NOW, wokenAt: later(NOW, 5) } }, RUNNING)).toEqual({
      kind: 'waits-for-what-is-over',
      since: later(NOW, 5),
    });
    expect(fault({ handoff: raised() }, RUNNING)).toEqual({ kind: 'without-token', since: NOW });
    expect(REPAIRS['waits-for-what-is-over']).toContain('reconcile wakes it');
  });
});

describe('M-02: on the report', () => {
  const read = (machine: () => Promise<Machine | undefined>, watched: Watched[] = [{ handoff: raised(), wait: rightly }], seconds = 900) =>
    compileReport({
      attention: { attention: async () => ({ watched, signals: [], claims: [] }), undecidedSignals: async () => [] },
      totals: { counted: async () => ({ totals: { received: 1, ignored: 0, linked: 0, waiting: 0, offered: 0, accepted: 0, exception: 1, closed: 0 }, tally: {} }) },
      tallies: { noted: async () => [] },
      time: { now: () => later(NOW, seconds) },
      zone: 'America/Los_Angeles',
      policies: { at: async () => aPolicy() },
      workflow: { latest: machine },
    });

  test('M-02: a workflow that ended while its token stands has a row of its own section in every form, with since when and what becomes of it', async () => {
    const report = await read(async () => ({ attempt: 0, standing: 'ended', endedAt: later(NOW, 120) }));
    expect(report.rows).toMatchObject([{ section: 'workflow-stands-still', why: expect.stringContaining('reconcile starts a replacement') }]);
    expect(report.balance.unexplained).toBe(0);
    for (const form of [reportJson(report), reportCsv(report.rows), reportHtml(report), reportText(report)]) {
      expect(form).toContain('since 2026-03-02 08:02');
      expect(form).toContain('reconcile starts a replacement');
    }
    const sections = (JSON.parse(reportJson(report)) as { sections: { section: string; rows: unknown[] }[] }).sections;
    expect(sections.find(({ section }) => section === 'workflow-stands-still')?.rows).toHaveLength(1);
  });

  test('M-02: what the sweep had no time for is not listed yet', async () => {
    const report = await read(async () => ({ attempt: 0, standing: 'ended', endedAt: later(NOW, 700) }));
    expect(report.rows.map(({ section }) => section)).toEqual(['exception-not-taken']);
  });

  test('M-02 L-06: a look-up that fails is said on the row, and hides neither it nor the report', async () => {
    const report = await read(() => Promise.reject(new Error('Rate exceeded')));
    expect(report.rows).toMatchObject([{ section: 'exception-not-taken', why: expect.stringContaining('could not be found out') }]);
  });

  test('M-05: one look-up for each handoff that is due, and none for what changed a moment ago', async () => {
    let looks = 0;
    const count = async () => {
      looks += 1;
      return RUNNING;
    };
    await read(count, [
      { handoff: raised(), wait: rightly },
      { handoff: raised({ changedAt: later(NOW, 800) }), wait: rightly },
    ]);
    expect(looks).toBe(1);
  });
});
