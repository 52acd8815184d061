const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it stands in HTML. */
export const escaped = (value: unknown): string => String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const STYLE = `
:root { color-scheme: light dark; --page: #f3f5f7; --card: #fff; --ink: #14181d; --soft: #5b6470; --line: #d7dbe0; --link: #0b57c4; --here: #0b57c4; --here-ink: #fff; --been: #dbe8fb; --bad: #b42318; --bad-soft: #fde3e0; --good: #17663a; }
@media (prefers-color-scheme: dark) { :root { --page: #12161b; --card: #1b2027; --ink: #edf0f3; --soft: #a2acb8; --line: #363d46; --link: #8ab8ff; --here: #8ab8ff; --here-ink: #0c1420; --been: #24364f; --bad: #ff9b8f; --bad-soft: #4a211d; --good: #7fd6a3; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: .75rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
header h1 { font-size: 1.25rem; margin: 0 auto 0 0; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
a { color: var(--link); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; margin-bottom: 1rem; }
h2 { font-size: 1rem; margin: 0 0 .4rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
.soft, th, figcaption { color: var(--soft); font-weight: 400; }
.bad { color: var(--bad); } .good { color: var(--good); }
.columns { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); align-items: start; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
tr:last-child > * { border-bottom: 0; }
th { font-size: .85rem; white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
time, .t { font-variant-numeric: tabular-nums; white-space: nowrap; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0 0; }
button, input, select { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .7rem; min-height: 2.5rem; }
button { cursor: pointer; }
input[type=number] { width: 7rem; } input[type=search] { flex: 1 1 14rem; min-width: 0; }
pre, code { font: .82rem/1.45 ui-monospace, monospace; }
pre { margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
details summary { cursor: pointer; color: var(--soft); }
.graph { overflow-x: auto; } .graph svg { display: block; margin: 0 auto; }
figure { margin: .75rem 0 0; }
svg text { font: 600 12.5px system-ui, sans-serif; text-anchor: middle; fill: var(--ink); }
svg text.note { font-weight: 400; font-size: 11.5px; fill: var(--soft); }
.state rect { fill: var(--card); stroke: var(--line); stroke-width: 1.25; }
.state.been rect { fill: var(--been); stroke: var(--link); }
.state.here rect { fill: var(--here); stroke: var(--here); } .state.here text, .state.here text.note { fill: var(--here-ink); }
.state.failed rect { fill: var(--bad-soft); stroke: var(--bad); }
.arrow { fill: none; stroke: var(--soft); stroke-width: 1.25; } .arrow.catch { stroke: var(--bad); stroke-dasharray: 4 3; opacity: .75; }
marker path { fill: context-stroke; }
.log { display: grid; grid-template-columns: auto auto minmax(0, 1fr); gap: 0 .75rem; font: .82rem/1.5 ui-monospace, monospace; }
.log > * { border-bottom: 1px solid var(--line); padding: .15rem 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { font-size: 16px; }
  .wide thead { display: none; } .wide, .wide tbody, .wide tr { display: block; } .wide tr { border-bottom: 1px solid var(--line); padding: .4rem 0; } .wide tr:last-child { border: 0; }
  .wide td { display: flex; gap: .75rem; justify-content: space-between; border: 0; padding: .05rem 0; text-align: right; } .wide td::before { content: attr(data-head); color: var(--soft); text-align: left; flex: none; } .wide td:first-child { font-weight: 600; text-align: left; } .wide td:first-child::before, .wide td:empty { display: none; }
  .tight thead { display: none; } .tight, .tight tbody { display: block; } .tight tr { display: flex; flex-wrap: wrap; gap: 0 .75rem; border-bottom: 1px solid var(--line); padding: .3rem 0; } .tight td { border: 0; padding: 0; } .tight td:first-child { font-weight: 600; } .tight td.n:not(:first-child)::before { content: attr(data-head) ' '; color: var(--soft); } .tight td:empty { display: none; }
  .graph svg { width: max(100%, calc(var(--width) * .66px)); height: auto; }
  .log { grid-template-columns: auto minmax(0, 1fr); } .log > :nth-child(3n) { grid-column: 1 / -1; } .log > :not(:nth-child(3n)) { border: 0; color: var(--soft); }
}
`;

const NAVIGATION = '<nav><a href="/_baton/">Console</a> <a href="/_baton/mailbox">Mailbox</a> <a href="/_baton/logs">Log</a></nav>';

/** A page of the console. It needs no script and loads nothing. */
export function page(title: string, sections: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><header><h1>${escaped(title)}</h1>${NAVIGATION}</header><main>${sections.join('\n')}</main></body></html>
`;
}

export type Column = { head: string; number?: boolean };
export type Cell = string | number;

/** A section with a table, of cells that are HTML already (as is what comes `after` it). On a phone each row becomes a sentence, or, when it is not `tight`, a list with the heads beside it. */
export function tableSection(title: string, columns: readonly Column[], rows: readonly Cell[][], { none = 'None yet.', after = '', tight = true } = {}): string {
  const attributes = (at: number): string => `${columns[at]?.number ? ' class="n"' : ''} data-head="${escaped(columns[at]?.head)}"`;
  const head = columns.map((column) => `<th${column.number ? ' class="n"' : ''}>${escaped(column.head)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell, at) => `<td${attributes(at)}>${cell === '' ? '' : `<span>${cell}</span>`}</td>`).join('')}</tr>`).join('');
  const table =
    rows.length === 0 ? `<p class="soft">${escaped(none)}</p>` : `<table class="${tight ? 'tight' : 'wide'}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return `<section><h2>${escaped(title)}</h2>${table}${after === '' ? '' : `<p class="soft">${after}</p>`}</section>`;
}

/** An instant as people read it, to the second, with the exact one behind it. */
export function instant(iso: string): string {
  return `<time datetime="${escaped(iso)}" title="${escaped(iso)}">${escaped(iso.slice(0, 19).replace('T', ' '))}</time>`;
}

const UNITS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** A length of time in its two largest units: `2 h 5 min`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  if (first < 0) return '0 s';
  let rest = seconds;
  const parts = UNITS.slice(first, first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.join(' ');
}

/** When something will be or was, seen from now. */
export function fromNow(iso: string, now: string): string {
  const difference = Date.parse(iso) - Date.parse(now);
  return difference >= 0 ? `in ${span(difference)}` : `${span(-difference)} ago`;
}
