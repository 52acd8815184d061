// The report as a table for a spreadsheet (RFC 4180): every cell quoted, none of them a formula (WH-14).

import type { ReportRow } from '../../shared/domain/report.ts';

const COLUMNS = ['section', 'handoff', 'signal', 'age_seconds', 'custodian', 'last_receipt', 'last_receipt_at', 'why', 'link', 'business_age_seconds'] as const;

/** The rows, after a header; a report without rows is the header alone. */
export function reportCsv(rows: readonly ReportRow[]): string {
  const lines = [COLUMNS as readonly string[], ...rows.map(cells)];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

const cells = (row: ReportRow): string[] => [
  row.section,
  row.handoff ?? '',
  row.signal === undefined ? '' : `${row.signal.source} ${row.signal.eventId}`,
  String(row.ageSeconds),
  row.custodian ?? '',
  row.lastReceipt?.kind ?? '',
  row.lastReceipt?.at ?? '',
  row.why,
  row.link,
  row.businessAgeSeconds === undefined ? '' : String(row.businessAgeSeconds),
];

/**
 * What a spreadsheet would calculate: a start of = + - @ (also their wide forms), tab, CR, LF or NUL, blanks before it or not.
 * It gets an apostrophe, which spreadsheets take as "this is text"; without it the original is back.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL at the start of a cell is one of the starts that are evaluated
const EVALUATED = /^(\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n\u0000])/u;

const cell = (text: string): string => `"${(EVALUATED.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
