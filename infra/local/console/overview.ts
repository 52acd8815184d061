import { spokenPath } from '../cloudformation/template.ts';
import type { FunctionStanding } from '../services/lambda.ts';
import type { Workflow } from '../services/stepfunctions/definition.ts';
import { drawMachine, type StateMark } from './machine-graph.ts';
import { type Cell, escaped, fromNow, instant, page, tableSection } from './page.ts';

/** What the console shows: the runtime at this moment. */
export type Overview = {
  now: string;
  stackName: string;
  database: string;
  urls: Record<string, string>;
  routes: string[];
  functions: FunctionStanding[];
  asyncWaiting: number;
  machines: { name: string; workflow: Workflow; statuses: Record<string, number>; states: Record<string, number> }[];
  executions: { name: string; status: string; startDate: string; state: string; dueAt: string | undefined }[];
  queues: { name: string; visible: number; inFlight: number; delayed: number; oldestSentAt: string | undefined }[];
  rules: { rule: string; bus: string; pattern: string; enabled: boolean; targets: string[]; matched: number; lastAt: string }[];
  schedules: { name: string; expression: string; nextAt: string | undefined }[];
  next: { id: string; dueAt: string } | undefined;
  waiting: number;
  underWay: string[];
};

/** The overview as a page. */
export function renderOverview(overview: Overview): string {
  return page(`${overview.stackName} on this machine`, [
    clockSection(overview),
    ...overview.machines.map(machineSection),
    executionsSection(overview),
    functionsSection(overview),
    `<div class="columns">${rulesSection(overview)}${queuesSection(overview)}${schedulesSection(overview)}${addressesSection(overview)}</div>`,
  ]);
}

/** An id without the letters the CDK appends to make it unique. */
const spokenId = (id: string): string => `<span title="${escaped(id)}">${escaped(id.replace(/(?<=[a-z])[0-9A-F]{8}$/, ''))}</span>`;

const STEPS: readonly [string, number][] = [
  ['5 min', 300],
  ['1 h', 3600],
  ['1 day', 86_400],
  ['1 week', 604_800],
];

function clockSection({ now, next, waiting, underWay }: Overview): string {
  const ahead = next ? `${waiting} ${waiting === 1 ? 'thing' : 'things'} waiting; next ${fromNow(next.dueAt, now)}: ${escaped(next.id)}.` : 'Nothing is waiting.';
  const working = underWay.length > 0 ? ` Under way: ${escaped([...new Set(underWay)].join(', '))}.` : '';
  const buttons = STEPS.map(([label, seconds]) => `<button name="advanceSeconds" value="${seconds}">+ ${label}</button>`).join('');
  return `<section><h2>Time</h2><p><strong class="t">${escaped(now.slice(0, 19).replace('T', ' '))} UTC</strong> <span class="soft">${ahead}${working}</span></p>
<div class="columns"><form method="post" action="/_baton/time">${buttons}</form>
<form method="post" action="/_baton/time"><label for="seconds">Seconds</label><input id="seconds" type="number" name="advanceSeconds" min="1" max="31622400" required inputmode="numeric"><button>Advance</button></form></div></section>`;
}

function machineSection({ name, workflow, statuses, states }: Overview['machines'][number]): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} ${status.toLowerCase().replace('_', ' ')}`);
  const marks = new Map(Object.entries(states).map(([state, count]): [string, StateMark] => [state, { standing: 'here', note: `${count} here` }]));
  return `<section><h2>State machine ${spokenId(name)}</h2><p class="soft">${counts.length > 0 ? escaped(counts.join(', ')) : 'No execution yet.'}</p>${drawMachine(workflow, marks, name)}</section>`;
}

function executionsSection({ executions, now }: Overview): string {
  const columns = [{ head: 'execution' }, { head: 'state' }, { head: 'waits until' }, { head: 'status' }, { head: 'started' }];
  return tableSection(
    'Executions, newest first',
    columns,
    executions.map((each): Cell[] => [
      `<a href="/_baton/executions/${encodeURIComponent(each.name)}">${escaped(each.name)}</a>`,
      escaped(each.state),
      each.dueAt === undefined ? '' : `${instant(each.dueAt)} <span class="soft">${fromNow(each.dueAt, now)}</span>`,
      statusOf(each.status),
      instant(each.startDate),
    ]),
    { tight: false },
  );
}

/** A status in the colour of its meaning. */
export function statusOf(status: string): string {
  const tone = status === 'RUNNING' ? '' : status === 'SUCCEEDED' ? 'good' : 'bad';
  return `<span class="${tone}">${escaped(status.toLowerCase().replace('_', ' '))}</span>`;
}

function functionsSection({ functions, asyncWaiting }: Overview): string {
  const columns = [{ head: 'function' }, { head: 'runs', number: true }, { head: 'errors', number: true }, { head: 'last error' }];
  const rows = functions
    .filter(({ invocations }) => invocations > 0)
    .map(({ name, path, invocations, errors, lastError }): Cell[] => [
      `<a href="/_baton/logs?text=${encodeURIComponent(name)}" title="its log">${escaped(spokenPath(path))}</a>`,
      invocations,
      errors > 0 ? `<span class="bad">${errors}</span>` : errors,
      lastError ? `${instant(lastError.at)} <span class="bad">${escaped(`${lastError.errorType}: ${lastError.errorMessage}`)}</span>` : '',
    ]);
  const idle = functions.filter(({ invocations }) => invocations === 0).map(({ path }) => escaped(spokenPath(path)));
  const title = asyncWaiting > 0 ? `Functions, ${asyncWaiting} asynchronous invocations waiting` : 'Functions';
  return tableSection(title, columns, rows, { after: idle.length > 0 ? `Not invoked since the start: ${idle.join(', ')}` : '' });
}

function rulesSection({ rules, now }: Overview): string {
  const columns = [{ head: 'rule' }, { head: 'to' }, { head: 'hits', number: true }, { head: 'last' }];
  const rows = rules.map(({ rule, pattern, targets, enabled, matched, lastAt }): Cell[] => [
    `<details><summary>${spokenId(rule)}${enabled ? '' : ' (disabled)'}</summary><pre>${escaped(JSON.stringify(JSON.parse(pattern), null, 1))}</pre></details>`,
    targets.map(spokenId).join(', '),
    matched,
    lastAt === '' ? '<span class="soft">never</span>' : `<span title="${escaped(lastAt)}">${fromNow(lastAt, now)}</span>`,
  ]);
  return tableSection('Rules', columns, rows, { none: 'The template has none.' });
}

function queuesSection({ queues, now }: Overview): string {
  const columns = [{ head: 'queue' }, { head: 'visible', number: true }, { head: 'in flight', number: true }, { head: 'delayed', number: true }, { head: 'oldest' }];
  const isEmpty = ({ visible, inFlight, delayed }: Overview['queues'][number]): boolean => visible + inFlight + delayed === 0;
  const linkTo = (name: string): string => `<a href="/_baton/queues/${encodeURIComponent(name)}">${spokenId(name)}</a>`;
  const rows = queues
    .filter((each) => !isEmpty(each))
    .map(({ name, visible, inFlight, delayed, oldestSentAt }): Cell[] => [
      linkTo(name),
      visible > 0 ? `<strong>${visible}</strong>` : visible,
      inFlight,
      delayed,
      oldestSentAt === undefined ? '' : `<span title="${escaped(oldestSentAt)}">${fromNow(oldestSentAt, now)}</span>`,
    ]);
  const empty = queues.filter(isEmpty).map(({ name }) => linkTo(name));
  return tableSection('Queues', columns, rows, { none: '', after: empty.length > 0 ? `Empty: ${empty.join(', ')}` : '' });
}

function schedulesSection({ schedules, now }: Overview): string {
  const rows = schedules.map(({ name, expression, nextAt }): Cell[] => [
    spokenId(name),
    escaped(expression),
    nextAt === undefined ? '<span class="soft">never</span>' : `${instant(nextAt)} <span class="soft">${fromNow(nextAt, now)}</span>`,
  ]);
  return tableSection('Schedules', [{ head: 'schedule' }, { head: 'expression' }, { head: 'next' }], rows, { none: 'The template has none.' });
}

function addressesSection({ urls, database, routes }: Overview): string {
  const list = [
    ['AWS clients', `<code>${escaped(urls.aws)}</code> (as <code>--endpoint-url</code>)`],
    ['HTTP API', `<code>${escaped(urls.webhooks)}</code>`],
    ['Routes', routes.map((route) => `<code>${escaped(route)}</code>`).join(', ')],
    ['Database', escaped(database)],
    ['As JSON', '<a href="/_baton/overview">/_baton/overview</a>'],
  ];
  return `<section><h2>Addresses</h2><table>${list.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</table></section>`;
}
