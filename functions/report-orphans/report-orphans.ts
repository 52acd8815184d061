import type { ReportPublishedEvent, ReportSummary } from '../../shared/contracts/report-event.ts';
import { activityBetween, countedOf } from '../../shared/domain/activity.ts';
import { balance, isReconciled } from '../../shared/domain/balance.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { localParts, plusDays } from '../../shared/domain/local-time.ts';
import type { Calendar, Policy } from '../../shared/domain/policy.ts';
import { classify, type ReportRow, type RowStyle, rowOf, SECTIONS, type Section, signalRow, standsStill, wall } from '../../shared/domain/report.ts';
import { bySection, headlineOf, type OrphanReport, reportText } from '../../shared/domain/report-text.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { Tally } from '../../shared/domain/tally.ts';
import { contractCalendar } from '../../shared/domain/window.ts';
import { REPAIRS, type WorkflowFault } from '../../shared/domain/workflow-fault.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { ReportShelf } from '../../shared/ports/report-shelf.ts';
import type { AttentionIndex, Totals, TotalsBook, Watched } from '../../shared/ports/report-sources.ts';
import type { TallyBook } from '../../shared/ports/tally-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';
import { reportCsv } from './report-csv.ts';
import { reportHtml } from './report-html.ts';
import { workflowFaults } from './workflow-faults.ts';

/** What a report is read from. */
export type ReportSources = {
  attention: AttentionIndex;
  totals: Pick<TotalsBook, 'counted'>;
  tallies: Pick<TallyBook, 'noted'>;
  time: TimeSource;
  zone: string;
  policies?: Pick<PolicyBook, 'at'>;
  workflow?: Pick<Workflow, 'latest'>;
};
export type ReportOrphansDeps = ReportSources & { shelf: ReportShelf; tallies: TallyBook; bus: EventBus };

/** The machinery repairs itself every five minutes; what it had no time for is not an orphan yet. */
const GRACE_SECONDS = 300;

/** Of each rendering in the table, and so in the mail; the files hold everything. */
const MOST_BYTES = 100_000;

/** Reads of the sheet before a difference is believed: signals keep arriving while it is read. */
const READS = 3;

/** How far back the reading of an earlier report is looked for. */
const LOOK_BACK_DAYS = 7;

/** What stands on the report at this moment. Writes and sends nothing. */
export async function compileReport({ attention, totals, tallies, time, zone, policies, workflow }: ReportSources, scheduledAt?: string): Promise<OrphanReport> {
  const now = time.now();
  const { watched } = await attention.attention(now);
  const policyOf = await policiesOf(watched, policies);
  const style: RowStyle = { now, zone, linkTo: (id: HandoffId) => `npx baton show ${id}`, calendarOf: (handoff) => calendarIn(policyOf(handoff)) };
  const { counts, tally, undecided } = await readSheet({ attention, totals, time });
  const forgotten = undecided.filter((signal) => Date.parse(signal.receivedAt) + GRACE_SECONDS * 1000 <= Date.parse(now));
  const since = new Date(Date.parse(now) - GRACE_SECONDS * 1000).toISOString();
  const faults = workflow === undefined ? new Map<HandoffId, WorkflowFault>() : await workflowFaults({ workflow, policyOf }, watched, now, since);
  const lookedAt = watched.map((one) => ({ one, policy: policyOf(one.handoff), fault: faults.get(one.handoff.id), since }));
  const rows = [...forgotten.map((signal) => signalRow(signal, style)), ...lookedAt.flatMap((one) => rowFor(one, style))];
  const due = scheduledAt ?? now;
  const { date: day } = localParts(due, zone);
  const earlier = await tallies.noted(plusDays(day, -LOOK_BACK_DAYS), scheduledAt === undefined ? day : plusDays(day, -1)); // a repeated run replaces its own reading
  const counted = countedOf(counts, tally);
  const activity = activityBetween(earlier.at(-1), { at: now, counts: counted });
  return { day, zone, scheduledAt: due, generatedAt: now, rows: oldestFirst(rows), balance: balance(counts, undecided.length), activity, counted };
}

/**
 * Publishes the report of the day that `scheduledAt` falls on, also when it is empty (M-01). Repeating it replaces that
 * day's report (SC-06). The files and the summary stand before the event says so; a run that broke in between repeats all of it.
 */
export async function reportOrphans(deps: ReportOrphansDeps, scheduledAt?: string): Promise<OrphanReport> {
  const report = await compileReport(deps, scheduledAt);
  const at = (name: string) => `reports/${report.day}/orphans.${name}`;
  const files = {
    json: await deps.shelf.put(at('json'), 'application/json', reportJson(report)),
    csv: await deps.shelf.put(at('csv'), 'text/csv; charset=utf-8', reportCsv(report.rows)),
    html: await deps.shelf.put(at('html'), 'text/html; charset=utf-8', reportHtml(report)),
  };
  await deps.shelf.publish(report.day, summaryOf(report, files), report.generatedAt);
  await deps.tallies.note({ day: report.day, at: report.generatedAt, counts: report.counted });
  await deps.bus.publish([{ source: 'baton.report', detailType: 'report.published', detail: eventOf(report), at: report.generatedAt }]);
  return report;
}

/** The report as JSON: every section by name, also the empty ones. */
export function reportJson(report: OrphanReport): string {
  const sections = SECTIONS.map((section) => ({ section, rows: report.rows.filter((row) => row.section === section) }));
  const { day, zone, scheduledAt, generatedAt } = report;
  return `${JSON.stringify({ schemaVersion: '1', day, zone, scheduledAt, generatedAt, headline: headlineOf(report), reconciled: isReconciled(report.balance), balance: report.balance, activity: report.activity, sections }, null, 2)}\n`;
}

type LookedAt = { one: Watched; policy: Policy | undefined; fault: WorkflowFault | undefined; since: string };

function rowFor({ one, policy, fault, since }: LookedAt, style: RowStyle): ReportRow[] {
  const { handoff } = one;
  const classified = classify(handoff, style.now, GRACE_SECONDS);
  const still = (policy !== undefined && standsStill(one, policy, since)) || (fault !== undefined && fault.kind !== 'unknown');
  const section = still && !FIRST_OF_ALL.has(classified) ? 'workflow-stands-still' : classified;
  if (section === undefined) return [];
  const row = rowOf(handoff, section, style);
  return [fault === undefined ? row : { ...row, why: `${row.why}; since ${wall(fault.since, style.zone)}: ${REPAIRS[fault.kind]}` }];
}

/** Sections that say by themselves that nothing went on, and the one that a customer waits for at a fixed time. */
const FIRST_OF_ALL: ReadonlySet<Section | undefined> = new Set(['nobody-asked', 'rejected-without-owner', 'offer-past-deadline', 'meeting-without-seller']);

const calendarIn = (policy: Policy | undefined): Calendar | undefined => (policy === undefined ? undefined : contractCalendar(policy));

const oldestFirst = (rows: ReportRow[]): ReportRow[] => SECTIONS.flatMap((section) => rows.filter((row) => row.section === section).sort((a, b) => b.ageSeconds - a.ageSeconds));

/** The policy of each handoff. One that cannot be read costs the business clock and the look at its workflow, never the report. */
async function policiesOf(watched: readonly Watched[], policies: ReportSources['policies']): Promise<(handoff: Handoff) => Policy | undefined> {
  const known = new Map<string, Policy | undefined>();
  if (policies === undefined) return () => undefined;
  for (const { contract, contractVersion } of watched.map((one) => one.handoff)) {
    if (known.has(contractVersion)) continue;
    known.set(contractVersion, await policies.at(contract, contractVersion).catch(() => undefined));
  }
  return ({ contractVersion }) => known.get(contractVersion);
}

/** The counters and the signals that explain a difference cannot be read in one instant, so a difference is read again. */
async function readSheet({ attention, totals, time }: Pick<ReportSources, 'attention' | 'totals' | 'time'>): Promise<{ counts: Totals; tally: Tally; undecided: Signal[] }> {
  const read = async () => {
    const { totals: counts, tally } = await totals.counted();
    return { counts, tally, undecided: await attention.undecidedSignals(justAfter(time.now())) };
  };
  let sheet = await read();
  for (let reads = 1; reads < READS && !isReconciled(balance(sheet.counts, sheet.undecided.length)); reads++) sheet = await read();
  return sheet;
}

/** The index leaves out what arrived in this very instant. */
const justAfter = (instant: string): string => new Date(Date.parse(instant) + 1000).toISOString();

function summaryOf(report: OrphanReport, files: ReportSummary['files']): ReportSummary {
  const { day, zone, scheduledAt, generatedAt } = report;
  return {
    ...{ schemaVersion: '1', day, zone, scheduledAt, generatedAt, files },
    headline: headlineOf(report),
    listed: report.rows.length,
    reconciled: isReconciled(report.balance),
    counts: Object.fromEntries(bySection(report.rows).map(({ section, rows }) => [section, rows.length])),
    balance: { ...report.balance },
    text: fitting(reportText, report),
    html: fitting(reportHtml, report),
  };
}

/** The rendering with as many rows as fit: every row, or some half of a half of them. */
function fitting(render: (report: OrphanReport, mostRows: number) => string, report: OrphanReport): string {
  let rows = Math.min(report.rows.length, 500);
  let text = render(report, rows);
  while (new TextEncoder().encode(text).length > MOST_BYTES && rows > 0) {
    rows = Math.floor(rows / 2);
    text = render(report, rows);
  }
  return text;
}

function eventOf(report: OrphanReport): ReportPublishedEvent {
  const { day, scheduledAt } = report;
  return { schemaVersion: '1', day, scheduledAt, headline: headlineOf(report), listed: report.rows.length, reconciled: isReconciled(report.balance) };
}
