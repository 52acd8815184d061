/** What the console shows: the runtime at this moment. */
export type Overview = {
  now: string;
  stackName: string;
  database: string;
  urls: Record<string, string>;
  routes: string[];
  functions: { name: string; path: string; invocations: number; errors: number; lastError?: { errorType: string; errorMessage: string; at: string } }[];
  executions: { name: string; status: string; startDate: string; state: string }[];
  queues: { name: string; visible: number; inFlight: number; delayed: number }[];
  rules: { rule: string; matched: number; lastAt: string }[];
  next: { id: string; dueAt: string } | undefined;
  waiting: number;
  underWay: string[];
};

const STYLE = `
:root { color-scheme: light dark; --line: #d7dbe0; --soft: #5b6470; --bad: #b42318; }
@media (prefers-color-scheme: dark) { :root { --line: #363d46; --soft: #a2acb8; --bad: #ff9b8f; } }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th, .soft { color: var(--soft); font-weight: 500; }
.bad { color: var(--bad); }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0; }
`;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (value: unknown): string => String(value).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** The overview as a page that needs no script. */
export function renderOverview(overview: Overview): string {
  const { functions, executions, queues, rules, urls } = overview;
  const next = overview.next ? `${overview.waiting} waiting, next ${overview.next.dueAt} (${overview.next.id})` : 'nothing is waiting';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(overview.stackName)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(overview.stackName)} on this machine</h1>
<p>Now <strong>${escaped(overview.now)}</strong> · ${escaped(next)}${overview.underWay.length > 0 ? ` · under way: ${escaped(overview.underWay.join(', '))}` : ''}</p>
<p><a href="/_baton/mailbox">Mailbox</a> · <a href="/_baton/logs">Log</a> (add <code>?handoff=…</code>) · move the clock: <code>curl -d '{"advanceSeconds":300}' ${escaped(urls.console)}time</code></p>
<p class="soft">AWS clients: ${escaped(urls.aws)} · webhooks: ${escaped(urls.webhooks)} · database: ${escaped(overview.database)} · routes: ${escaped(overview.routes.join(', '))}</p>
${table(
  'Functions',
  ['function', 'runs', 'errors', 'last error'],
  functions.map((each) => [
    escaped(each.path),
    each.invocations,
    each.errors,
    each.lastError ? `<span class="bad">${escaped(`${each.lastError.at} ${each.lastError.errorType}: ${each.lastError.errorMessage}`)}</span>` : '',
  ]),
)}
${table(
  'Executions, newest first',
  ['name', 'status', 'state', 'started'],
  executions.map((each) => [escaped(each.name), escaped(each.status), escaped(each.state), escaped(each.startDate)]),
)}
${table(
  'Queues',
  ['queue', 'visible', 'in flight', 'delayed'],
  queues.map((each) => [escaped(each.name), each.visible, each.inFlight, each.delayed]),
)}
${table(
  'Rules',
  ['rule', 'matched', 'last'],
  rules.map((each) => [escaped(each.rule), each.matched, escaped(each.lastAt)]),
)}
</body></html>
`;
}

/** Cells are HTML already. */
function table(title: string, heads: string[], rows: (string | number)[][]): string {
  if (rows.length === 0) return `<h2>${title}</h2><p class="soft">None.</p>`;
  const row = (cells: (string | number)[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<h2>${title}</h2><table><thead>${row(heads, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}
