// Rules of our own for state machines, over the definition as parsed JSON. AWS accepts all of what they refuse.

export type AslRule = 'SF-04' | 'SF-07' | 'SF-09' | 'SF-10' | 'SF-16' | 'comment';
export type AslFinding = { rule: AslRule; state: string; message: string };

type Exit = { Next?: string };
type Handler = Exit & { ErrorEquals?: string[]; MaxAttempts?: number };
type AslState = Exit & {
  Type?: string;
  Comment?: string;
  Resource?: string;
  Default?: string;
  Choices?: Exit[];
  Catch?: Handler[];
  Retry?: Handler[];
  TimeoutSeconds?: unknown;
  HeartbeatSeconds?: unknown;
  Branches?: AslWorkflow[];
  ItemProcessor?: AslWorkflow;
};
type AslWorkflow = { Comment?: string; TimeoutSeconds?: unknown; States?: Record<string, AslState> };

const MACHINE = '(machine)';
/** More attempts than this hide an outage instead of bridging it. */
const MOST_ATTEMPTS = 10;

const isCallback = (state: AslState) => state.Type === 'Task' && (state.Resource ?? '').includes('.waitForTaskToken');

/** Everything about a definition that would let a handoff hang, hide or spin. Empty when it may be deployed. */
export function checkAsl(definition: AslWorkflow): AslFinding[] {
  const machine: AslFinding[] = [];
  if (definition.TimeoutSeconds === undefined) machine.push({ rule: 'SF-07', state: MACHINE, message: 'has no TimeoutSeconds: what hangs would hang for a year' });
  if (!definition.Comment) machine.push({ rule: 'comment', state: MACHINE, message: 'has no Comment' });
  return [...machine, ...checkWorkflow(definition)];
}

function checkWorkflow(workflow: AslWorkflow): AslFinding[] {
  const states = Object.entries(workflow.States ?? {});
  const own = states.flatMap(([name, state]) => RULES.flatMap(({ rule, check }) => check(state).map((message) => ({ rule, state: name, message }))));
  const nested = states.flatMap(([, state]) => [...(state.Branches ?? []), ...(state.ItemProcessor ? [state.ItemProcessor] : [])].flatMap(checkWorkflow));
  return [...own, ...busyLoops(workflow.States ?? {}), ...nested];
}

type Rule = { rule: AslRule; check: (state: AslState) => string[] };

const when = (condition: boolean, message: string) => (condition ? [message] : []);
const exactly = (handler: Handler | undefined, name: string) => handler?.ErrorEquals?.length === 1 && handler.ErrorEquals[0] === name;

const RULES: readonly Rule[] = [
  { rule: 'comment', check: (state) => when(!state.Comment, 'has no Comment') },
  {
    rule: 'SF-07',
    check: (state) => when(isCallback(state) && state.TimeoutSeconds === undefined, 'waits for a token without TimeoutSeconds: a lost answer would never be noticed'),
  },
  {
    rule: 'SF-09',
    check: (state) =>
      when(isCallback(state) && Object.keys(state).some((field) => field.startsWith('HeartbeatSeconds')), 'has a heartbeat, but waits for a person, who sends none'),
  },
  {
    rule: 'SF-04',
    check: (state) => when(isCallback(state) && (state.Retry ?? []).length > 0, 'is retried: a new attempt has a new token, and whatever holds the old one is dead'),
  },
  { rule: 'SF-10', check: catcherOrder },
  {
    rule: 'SF-16',
    check: (state) =>
      when(
        (state.Retry ?? []).some(({ MaxAttempts }) => MaxAttempts === undefined || MaxAttempts > MOST_ATTEMPTS),
        `has a retrier without MaxAttempts of at most ${MOST_ATTEMPTS}`,
      ),
  },
];

/** `States.TaskFailed` misses time-outs, and a time-out is the ordinary end of a wait: it is caught first and alone, then everything else. */
function catcherOrder(state: AslState): string[] {
  const [first, second, ...more] = state.Catch ?? [];
  if (!first && !isCallback(state)) return [];
  const ordered = exactly(first, 'States.Timeout') && exactly(second, 'States.ALL') && more.length === 0;
  return when(!ordered, 'must catch exactly [States.Timeout] first and [States.ALL] next');
}

/**
 * Loops of Choice and Pass alone: they would fill the history in seconds. A loop with a Wait or a token in it is bounded by time,
 * one with a call by what the function answers, which no rule over the definition can see.
 */
function busyLoops(states: Record<string, AslState>): AslFinding[] {
  const busy = Object.fromEntries(Object.entries(states).filter(([, state]) => state.Type !== 'Wait' && state.Type !== 'Task'));
  const reaches = (from: string, target: string, seen: Set<string>): boolean =>
    targetsOf(busy[from]).some((next) => next === target || (next in busy && !seen.has(next) && reaches(next, target, seen.add(next))));
  return Object.keys(busy)
    .filter((name) => reaches(name, name, new Set()))
    .map((state) => ({ rule: 'SF-16', state, message: 'is part of a loop in which nothing waits and nothing is called' }));
}

function targetsOf(state: AslState | undefined): string[] {
  const exits = [state, ...(state?.Choices ?? []), ...(state?.Catch ?? [])];
  return [...exits.map((exit) => exit?.Next), state?.Default].filter((target) => target !== undefined);
}
