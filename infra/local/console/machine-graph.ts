import type { State, Workflow } from '../services/stepfunctions/definition.ts';
import { type Link, layOut, type Point } from './graph-layout.ts';
import { escaped } from './page.ts';

/** What is known of a state in one execution, or in all of them: how it is drawn, and a line of text under its name. */
export type StateMark = { standing: 'here' | 'been' | 'failed'; note?: string };

type Arrow = Link & { kind: 'next' | 'catch'; says: string };

const SIZES = { boxWidth: 198, boxHeight: 52, gap: 14, layerGap: 34 };
const MARGIN = 8;
const LINE_LETTERS = 26;

/** Draws a machine: its states as boxes, the ways between them as arrows, where executions stand in colour. Nested workflows follow below. */
export function drawMachine(workflow: Workflow, marks: ReadonlyMap<string, StateMark>, title: string): string {
  const nested = Object.entries(workflow.States).flatMap(([name, state]) =>
    innerWorkflows(state).map(
      (inner, at) => `<figure><figcaption>inside ${escaped(name)}${at > 0 ? `, branch ${at + 1}` : ''}</figcaption>${drawMachine(inner, marks, name)}</figure>`,
    ),
  );
  return `<div class="graph">${drawOne(workflow, marks, title)}</div>${nested.join('')}`;
}

const innerWorkflows = (state: State): Workflow[] => (state.Type === 'Parallel' ? state.Branches : state.Type === 'Map' ? [state.ItemProcessor] : []);

function drawOne(workflow: Workflow, marks: ReadonlyMap<string, StateMark>, title: string): string {
  const names = Object.keys(workflow.States);
  const arrows = names.flatMap((name) => arrowsOf(name, workflow.States[name] as State)).filter((arrow) => Object.hasOwn(workflow.States, arrow.to));
  const { boxes, ways, width, height } = layOut(names, arrows, workflow.StartAt, SIZES);
  const drawn = arrows.map((arrow, at) => drawArrow(arrow, ways[at] ?? []));
  const states = names.map((name) => drawState(name, workflow.States[name] as State, boxes.get(name) ?? { x: 0, y: 0 }, marks.get(name)));
  const [w, h] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height + 2 * MARGIN)];
  return `<svg viewBox="${-MARGIN} ${-MARGIN} ${w} ${h}" width="${w}" height="${h}" style="--width: ${w}" role="img" aria-label="${escaped(`States of ${title}`)}"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>${drawn.join('')}${states.join('')}</svg>`;
}

/** One arrow for each pair of states: of several ways between two, the ordinary one is drawn. */
function arrowsOf(name: string, state: State): Arrow[] {
  const arrows = new Map<string, Arrow>();
  const add = (to: string | undefined, kind: Arrow['kind'], says: string): void => {
    if (to === undefined) return;
    const known = arrows.get(to);
    arrows.set(to, known ? { ...known, says: `${known.says}; ${says}` } : { from: name, to, kind, says });
  };
  if (state.Type === 'Choice') {
    for (const rule of state.Choices) add(rule.Next, 'next', String(rule.Condition));
    add(state.Default, 'next', 'otherwise');
  } else if (state.Type !== 'Fail') {
    add(state.Next, 'next', 'next');
    for (const catcher of 'Catch' in state ? (state.Catch ?? []) : []) add(catcher.Next, 'catch', `on ${catcher.ErrorEquals.join(', ')}`);
  }
  return [...arrows.values()];
}

const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

function drawArrow({ from, to, kind, says }: Arrow, way: readonly Point[]): string {
  const [start, ...rest] = way;
  if (!start) return '';
  let before = start;
  const path = rest.map((point) => {
    const half = (before.y + point.y) / 2;
    const curve = before.x === point.x ? `L${at(point)}` : `C${at({ x: before.x, y: half })} ${at({ x: point.x, y: half })} ${at(point)}`;
    before = point;
    return curve;
  });
  return `<path class="arrow ${kind}" marker-end="url(#tip)" d="M${at(start)}${path.join('')}"><title>${escaped(`${from} → ${to}: ${says}`)}</title></path>`;
}

function drawState(name: string, state: State, { x, y }: Point, mark: StateMark | undefined): string {
  const { boxWidth, boxHeight } = SIZES;
  const middle = x + boxWidth / 2;
  const label = name.length > LINE_LETTERS ? `${name.slice(0, LINE_LETTERS - 1)}…` : name;
  const below = mark?.note ?? kindOf(state);
  return `<g class="state ${mark?.standing ?? ''}"><title>${escaped(`${name} (${kindOf(state)})${state.Comment ? `: ${state.Comment}` : ''}`)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="${state.Type === 'Choice' ? boxHeight / 2 : 7}"/><text x="${middle.toFixed(1)}" y="${y + 22}">${escaped(label)}</text><text class="note" x="${middle.toFixed(1)}" y="${y + 39}">${escaped(below)}</text></g>`;
}

function kindOf(state: State): string {
  if (state.Type !== 'Task') return state.Type;
  return state.Resource.endsWith('.waitForTaskToken') ? 'Task, waits for an answer' : 'Task';
}
