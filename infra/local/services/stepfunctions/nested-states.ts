import { scopeOf } from './context-object.ts';
import type { MapState, ParallelState } from './definition.ts';
import type { Draft } from './draft.ts';
import { evaluate, evaluateInteger, evaluateTo } from './expression.ts';
import { failState, type Random, stopLine } from './fail-state.ts';
import { dataLimitCause, evaluationError, exceedsDataLimit, StateError } from './failure.ts';
import { leaveState } from './leave-state.ts';
import type { Thread } from './position.ts';

/** AWS runs at most this many iterations of an inline Map at once. */
const INLINE_CONCURRENCY = 40;

/** Begins the branches of a Parallel state, all at once. */
export async function startParallel(draft: Draft, thread: Thread, state: ParallelState): Promise<void> {
  const input = state.Arguments === undefined ? thread.input : await evaluate(state.Arguments, 'Arguments', scopeOf(draft, thread));
  const started = draft.emit(thread, 'ParallelStateStarted', {});
  thread.children = { length: state.Branches.length, started: state.Branches.length, maxConcurrency: state.Branches.length, lastLine: started };
  thread.phase = 'children';
  for (const [branch, workflow] of state.Branches.entries()) {
    const path = [...thread.path, { state: thread.state, branch }];
    draft.addThread({ parent: { thread: thread.id, index: branch }, path, state: workflow.StartAt, input, previous: started });
  }
}

/** Begins a Map state; its iterations are started by `moveNested`, as far as MaxConcurrency lets them. */
export async function startMap(draft: Draft, thread: Thread, state: MapState): Promise<void> {
  const scope = scopeOf(draft, thread);
  const items = state.Items === undefined ? thread.input : await evaluateTo('array', state.Items, 'Items', scope);
  if (!Array.isArray(items)) throw evaluationError(`Map state input must be an array but was: ${JSON.stringify(items)}`);
  const wanted = state.MaxConcurrency === undefined ? 0 : await evaluateInteger(state.MaxConcurrency, 'MaxConcurrency', scope, { from: 0, to: Number.MAX_SAFE_INTEGER });
  const started = draft.emit(thread, 'MapStateStarted', { mapStateStartedEventDetails: { length: items.length } });
  thread.children = { length: items.length, started: 0, maxConcurrency: wanted === 0 ? INLINE_CONCURRENCY : Math.min(wanted, INLINE_CONCURRENCY), items, lastLine: started };
  thread.phase = 'children';
}

function running(draft: Draft, thread: Thread): number {
  return draft.childrenOf(thread).filter(({ phase }) => phase !== 'done').length;
}

/** Whether a Parallel or Map state has something to do: a child failed, an iteration can start, or all are done. */
export function nestedMayMove(draft: Draft, thread: Thread): boolean {
  const { children } = thread;
  if (!children) return false;
  const lines = draft.childrenOf(thread);
  if (lines.some(({ phase }) => phase === 'failed')) return true;
  const unfinished = lines.filter(({ phase }) => phase !== 'done').length;
  return children.started < children.length ? unfinished < children.maxConcurrency : unfinished === 0;
}

export async function moveNested(draft: Draft, thread: Thread, state: MapState | ParallelState, random: Random): Promise<void> {
  const lines = draft.childrenOf(thread);
  const loser = lines.find(({ phase }) => phase === 'failed');
  if (loser) return failWithChild(draft, thread, { loser, lines, random });
  const { children } = thread;
  if (!children) return;
  if (state.Type === 'Map' && children.started < children.length) return startIterations(draft, thread, state);
  draft.record(`${state.Type}StateSucceeded`, {}, thread.previous);
  const results = lines.map(({ output }) => output);
  await leaveState(draft, thread, { exit: state, next: state.Next, fallback: results, visible: { result: results } });
}

async function startIterations(draft: Draft, thread: Thread, state: MapState): Promise<void> {
  const { children } = thread;
  if (!children) return;
  while (children.started < children.length && running(draft, thread) < children.maxConcurrency) {
    const index = children.started;
    const item = { index, value: children.items?.[index] };
    const input = state.ItemSelector === undefined ? item.value : await evaluate(state.ItemSelector, 'ItemSelector', scopeOf(draft, thread, { item }));
    if (exceedsDataLimit(JSON.stringify(input))) throw new StateError('States.DataLimitExceeded', dataLimitCause(thread.state));
    const previous = draft.record('MapIterationStarted', { mapIterationStartedEventDetails: { name: thread.state, index } }, children.lastLine);
    children.started += 1;
    const path = [...thread.path, { state: thread.state, branch: 0 }];
    draft.addThread({ parent: { thread: thread.id, index }, path, state: state.ItemProcessor.StartAt, input, previous, item });
  }
}

/** One branch failed, so the state fails with its error. The others stop; functions they called go on unheard. */
async function failWithChild(draft: Draft, thread: Thread, { loser, lines, random }: { loser: Thread; lines: Thread[]; random: Random }): Promise<void> {
  const isMap = draft.state(thread).Type === 'Map';
  const iteration = (type: string, index: number | undefined) => draft.record(type, { [`m${type.slice(1)}EventDetails`]: { name: thread.state, index } }, loser.previous);
  if (isMap) iteration('MapIterationFailed', loser.parent?.index);
  for (const line of lines.filter(({ phase }) => phase !== 'done' && phase !== 'failed')) {
    noteAborted(draft, line, loser.previous);
    stopLine(draft, line);
    if (isMap) iteration('MapIterationAborted', line.parent?.index);
  }
  thread.previous = loser.previous;
  await failState(draft, thread, loser.failure ?? {}, random);
}

const ABORTABLE = new Set(['Task', 'Wait', 'Map', 'Parallel']);

function noteAborted(draft: Draft, line: Thread, previous: number): void {
  for (const child of draft.childrenOf(line)) if (child.phase !== 'done') noteAborted(draft, child, previous);
  const { Type } = draft.state(line);
  if (ABORTABLE.has(Type) && line.phase !== 'start') draft.record(`${Type}StateAborted`, {}, previous);
}
