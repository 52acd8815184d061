// The report as a page: readable on a phone and on paper, without script, every text escaped at the one place where it enters (WH-15).

import { type ActivityLine, activityLines, activityTitle } from '../../shared/domain/activity.ts';
import type { ReportRow } from '../../shared/domain/report.ts';
import { wall } from '../../shared/domain/report.ts';
import { agesText, bySection, headlineOf, type OrphanReport, sheetLines } from '../../shared/domain/report-text.ts';

const STYLE = `
body{font:16px/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff;margin:0 auto;padding:16px;max-width:46rem}
h1{font-size:1.3rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:1.5rem 0 .25rem}
.day,.last{color:#555}.alarm{border-left:6px solid #b3261e;padding-left:10px}.calm{border-left:6px solid #1b6e3c;padding-left:10px}
ul{list-style:none;margin:0;padding:0}li{border-top:1px solid #ccc;padding:.6rem 0;overflow-wrap:anywhere;break-inside:avoid}
code{font-size:.9em}table{border-collapse:collapse}td{padding:.15rem .75rem .15rem 0}td+td{text-align:right;font-variant-numeric:tabular-nums}
tr.total{font-weight:bold}tr.of td:first-child{padding-left:1.5rem}@media print{body{max-width:none;padding:0}}`;

/** Markup that is safe already; anything else that is put into a page is escaped. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The report as a page, at most `mostRows` rows of it; what is left out is counted. */
export function reportHtml(report: OrphanReport, mostRows = Number.POSITIVE_INFINITY): string {
  const shown = report.rows.slice(0, mostRows);
  const left = report.rows.length - shown.length;
  const headline = headlineOf(report);
  const calm = report.rows.length === 0 && report.balance.unexplained === 0;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${headline}</title><style>${new Markup(STYLE)}</style></head>
<body><main class="${calm ? 'calm' : 'alarm'}"><p class="day">Orphan report for ${report.day}</p><h1>${headline}</h1></main>
${bySection(shown).map(({ title, rows }) => html`<section><h2>${title} (${rows.length})</h2><ul>${rows.map((row) => item(row, report.zone))}</ul></section>`)}
${left > 0 ? html`<p>And ${left} more: see the files of this report.</p>` : ''}
<section><h2>The sheet</h2><table>${sheetLines(report).map(({ label, count, total }) => html`<tr class="${total === true ? 'total' : 'part'}"><td>${label}</td><td>${count}</td></tr>`)}</table></section>
<section><h2>${activityTitle(report.activity)}, each stage by itself</h2><table>${activityLines(report.activity).map(activityRow)}</table></section>
<p class="day">Read ${wall(report.generatedAt, report.zone)} (${report.zone}).</p></body></html>
`;
  return page.text;
}

const activityRow = ({ label, count, share, part }: ActivityLine): Markup =>
  html`<tr class="${part ? 'of' : 'part'}"><td>${label}</td><td>${count}</td><td>${share === undefined ? '' : `${Math.round(share * 100)} %`}</td></tr>`;

function item(row: ReportRow, zone: string): Markup {
  const name = row.handoff ?? `${row.signal?.source} ${row.signal?.eventId}`;
  const last = row.lastReceipt === undefined ? '' : html`<br><span class="last">last receipt ${row.lastReceipt.kind}, ${wall(row.lastReceipt.at, zone)}</span>`;
  return html`<li><strong>waiting ${agesText(row)}, custodian ${row.custodian ?? 'nobody'}</strong><br>${row.why}${last}<br>${look(row, name)}</li>`;
}

const look = ({ link }: ReportRow, name: string): Markup => (/^https?:\/\//.test(link) ? html`<a href="${link}">${name}</a>` : html`<code>${link}</code>`);

type Part = string | number | Markup | readonly Markup[];

function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(texts.reduce((page, text, index) => page + (index === 0 ? '' : markupOf(parts[index - 1] ?? '')) + text, ''));
}

function markupOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(markupOf).join('');
  return escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as markup; control characters of partners' ids become blanks. */
export const escaped = (text: string): string => text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
