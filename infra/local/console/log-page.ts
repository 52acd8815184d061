import { type LogLine, spoken, spokenValue } from '../kernel/spoken-line.ts';
import { escaped, page } from './page.ts';

const SHOWN_LINES = 500;

const linkTo = (text: string): string => `/_baton/logs?text=${encodeURIComponent(text)}`;

/** The log as a page, newest line first; `text` is what every invocation in it has to mention. */
export function renderLog(lines: readonly LogLine[], text: string): string {
  const shown = lines.slice(-SHOWN_LINES).reverse();
  const meaning = text === '' ? 'Newest first.' : 'All lines of every invocation that mentions this, newest first.';
  const left = lines.length > shown.length ? ` These are ${SHOWN_LINES} of ${lines.length}.` : '';
  const search = `<section><form method="get" action="/_baton/logs"><input type="search" name="text" value="${escaped(text)}" aria-label="Show only" placeholder="handoff, function, error, request id"><button>Show</button></form>
<p class="soft">${meaning}${left} <a href="${linkTo(text)}&amp;as=text">As text</a>${text === '' ? '' : ' · <a href="/_baton/logs">everything</a>'}</p></section>`;
  const list = shown.length === 0 ? '<p class="soft">No line.</p>' : `<div class="log">${shown.map(row).join('')}</div>`;
  return page('Log', [search, `<section>${list}</section>`]);
}

/** The time of a line leads to everything its invocation said. */
function row(line: LogLine): string {
  const { at, speaker, message, fields, requestId, bad } = spoken(line);
  const time = escaped(at.slice(11, 23));
  const rest = Object.entries(fields).map(([name, value]) => `<span class="soft">${escaped(name)}=</span>${escaped(spokenValue(value))}`);
  return `<span class="t" title="${escaped(at)}">${requestId === '' ? time : `<a href="${linkTo(requestId)}">${time}</a>`}</span><span>${escaped(speaker)}</span><span><span${bad ? ' class="bad"' : ''}>${escaped(message)}</span> ${rest.join(' ')}</span>`;
}
