// The report as plain text: what a tired person reads in a mail at eight in the morning, or in a terminal.

import { type Activity, activityText, activityTitle, type Counted } from './activity.ts';
import { type Balance, headline, isReconciled } from './balance.ts';
import { type ReportRow, SECTION_TITLES, SECTIONS, type Section, wall } from './report.ts';

/** A whole report. `day` is the local date it was due on; `counted` is the reading of the counters, from which the next report counts. */
export type OrphanReport = {
  day: string;
  zone: string;
  scheduledAt: string;
  generatedAt: string;
  rows: readonly ReportRow[];
  balance: Balance;
  activity: Activity;
  counted: Counted;
};

/** Rows by section, in the order of the report; sections without rows are left out. */
export function bySection(rows: readonly ReportRow[]): { section: Section; title: string; rows: ReportRow[] }[] {
  return SECTIONS.map((section) => ({ section, title: SECTION_TITLES[section], rows: rows.filter((row) => row.section === section) })).filter(({ rows: some }) => some.length > 0);
}

export const headlineOf = (report: OrphanReport): string => headline(report.balance, report.rows.length);

/** The lines of the balance sheet, as label and number. */
export function sheetLines({ balance }: OrphanReport): { label: string; count: number; total?: boolean }[] {
  return [
    { label: 'received', count: balance.received, total: true },
    { label: 'ignored, with the reason', count: balance.ignored },
    { label: 'linked as duplicates', count: balance.linked },
    { label: 'open, nobody owns them yet', count: balance.open },
    { label: 'accepted by a person', count: balance.accepted },
    { label: 'exceptions', count: balance.exception },
    { label: 'closed', count: balance.closed },
    { label: 'not decided yet', count: balance.undecided },
    { label: isReconciled(balance) ? 'difference' : 'DIFFERENCE', count: balance.unexplained, total: true },
  ];
}

/** The report as text, at most `mostRows` rows of it; what is left out is counted. */
export function reportText(report: OrphanReport, mostRows = Number.POSITIVE_INFINITY): string {
  const shown = report.rows.slice(0, mostRows);
  const left = report.rows.length - shown.length;
  return [
    `Orphan report for ${report.day}`,
    '',
    headlineOf(report),
    ...bySection(shown).flatMap(({ title, rows }) => ['', `${title} (${rows.length})`, ...rows.flatMap((row) => rowText(row, report.zone))]),
    ...(left > 0 ? ['', `And ${left} more: see the files of this report.`] : []),
    '',
    'The sheet',
    ...sheetLines(report).map(({ label, count, total }) => `  ${total === true ? ' ' : '='} ${label.padEnd(28)}${String(count).padStart(8)}`),
    '',
    `${activityTitle(report.activity)}, each stage by itself`,
    ...activityText(report.activity),
    '',
    `Read ${wall(report.generatedAt, report.zone)} (${report.zone}).`,
    '',
  ].join('\n');
}

/** A length of time in the two largest units that say something: `3 d 4 h`, `12 min`. */
export function ageText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const;
  const largest = units.findIndex(([, size]) => seconds >= size);
  if (largest < 0) return `${seconds} s`;
  const [name, size] = units[largest] ?? ['s', 1];
  const [next, smaller] = units[largest + 1] ?? ['', 0];
  const rest = smaller === 0 ? 0 : Math.floor((seconds % size) / smaller);
  return `${Math.floor(seconds / size)} ${name}${rest > 0 ? ` ${rest} ${next}` : ''}`;
}

/** How long a customer has waited, by both clocks where there are two. */
export const agesText = ({ ageSeconds, businessAgeSeconds }: Pick<ReportRow, 'ageSeconds' | 'businessAgeSeconds'>): string =>
  businessAgeSeconds === undefined ? ageText(ageSeconds) : `${ageText(ageSeconds)} (${ageText(businessAgeSeconds)} of business time)`;

function rowText(row: ReportRow, zone: string): string[] {
  const name = plain(row.handoff ?? `${row.signal?.source} ${row.signal?.eventId}`);
  const last = row.lastReceipt === undefined ? [] : [`    last receipt ${row.lastReceipt.kind}, ${wall(row.lastReceipt.at, zone)}`];
  const look = row.handoff === undefined ? [] : [`    ${plain(row.link)}`];
  return [`  ${name}, waiting ${agesText(row)}, custodian ${row.custodian ?? 'nobody'}`, `    ${plain(row.why)}`, ...last, ...look];
}

/** Ids of partners' events are theirs to choose: one line, no control characters, at most 200 long. */
const plain = (text: string): string => text.replace(/\p{C}/gu, ' ').slice(0, 200);
