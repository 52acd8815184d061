import type { SeenExecution } from './executions.ts';
import { drawMachine, type StateMark } from './machine-graph.ts';
import { statusOf } from './overview.ts';
import { type Cell, escaped, fromNow, instant, page, tableSection } from './page.ts';

/** One execution: where it stands on the graph of its machine, and how it came there. */
export function renderExecution(execution: SeenExecution, now: string): string {
  return page(execution.name, [summarySection(execution, now), graphSection(execution, now), historySection(execution)]);
}

function summarySection({ name, status, places, startedAt, stoppedAt, fault }: SeenExecution, now: string): string {
  const where = places.map(({ state, dueAt }) => `in <strong>${escaped(state)}</strong>${dueAt ? `, until ${instant(dueAt)} (${fromNow(dueAt, now)})` : ''}`);
  const ended = stoppedAt ? `, ended ${instant(stoppedAt)}` : '';
  return `<section><p>${statusOf(status)}${where.length > 0 ? ` ${where.join('; ')}` : ''}. <span class="soft">Started ${instant(startedAt)}${ended}; now ${instant(now)} UTC.</span></p>
${fault === '' ? '' : `<pre class="bad">${escaped(fault)}</pre>`}<p><a href="/_baton/logs?handoff=${encodeURIComponent(name)}">What the functions logged about it</a></p></section>`;
}

function graphSection(execution: SeenExecution, now: string): string {
  return `<section><h2>Where it stands</h2>${drawMachine(execution.workflow, marksOf(execution, now), execution.name)}</section>`;
}

function marksOf({ events, places, status }: SeenExecution, now: string): Map<string, StateMark> {
  const marks = new Map(events.filter(({ type }) => type.endsWith('StateEntered')).map(({ state }): [string, StateMark] => [state, { standing: 'been' }]));
  const last = events.findLast(({ type }) => type.endsWith('StateEntered'));
  if (last && status !== 'RUNNING') marks.set(last.state, { standing: status === 'SUCCEEDED' ? 'here' : 'failed' });
  for (const { state, dueAt } of places)
    marks.set(state, { standing: 'here', ...(dueAt && { note: `until ${dueAt.slice(11, 16)}, ${fromNow(dueAt, now).replace(/^(in \d+ [a-z]+) .*/, '$1')}` }) });
  return marks;
}

function historySection({ events, left }: SeenExecution): string {
  const rows = events.map(({ id, at, type, state, says }): Cell[] => [
    id,
    instant(at),
    escaped(type),
    escaped(state),
    `<span class="${/Failed|TimedOut|Aborted/.test(type) ? 'bad' : 'soft'}">${escaped(says)}</span>`,
  ]);
  const title = left > 0 ? `History, without its first ${left} events` : 'History';
  return tableSection(title, [{ head: '#', number: true }, { head: 'time (UTC)' }, { head: 'event' }, { head: 'state' }, { head: '' }], rows);
}
