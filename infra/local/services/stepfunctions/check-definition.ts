import { checkState, type Findings } from './check-state.ts';

const TOP_FIELDS = ['Comment', 'QueryLanguage', 'StartAt', 'States', 'TimeoutSeconds', 'Version'];
const NESTED_FIELDS = ['Comment', 'QueryLanguage', 'StartAt', 'States', 'ProcessorConfig'];
const LONGEST_TIMEOUT = 99_999_999;

type Json = Record<string, unknown>;

/** What keeps a definition from running here, each with its path; empty when all of it runs. */
export function checkDefinition(text: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (fault) {
    return [`/: not JSON (${(fault as Error).message})`];
  }
  if (typeof parsed !== 'object' || parsed === null) return ['/: not an object'];
  const definition = parsed as Json;
  const findings: string[] = [];
  const add: Findings = (path, message) => findings.push(`${path}: ${message}`);
  if (definition.QueryLanguage !== 'JSONata')
    add(
      '/QueryLanguage',
      `must be "JSONata" for the whole machine; JSONPath machines do not run here (found ${JSON.stringify(definition.QueryLanguage ?? 'JSONPath, the default')})`,
    );
  const timeout = definition.TimeoutSeconds;
  if (timeout !== undefined && !(Number.isInteger(timeout) && Number(timeout) > 0 && Number(timeout) <= LONGEST_TIMEOUT))
    add('/TimeoutSeconds', `must be an integer from 1 to ${LONGEST_TIMEOUT}`);
  checkWorkflow(definition, { path: '', fields: TOP_FIELDS, outer: new Set(), add });
  return findings;
}

type Place = { path: string; fields: readonly string[]; outer: ReadonlySet<string>; add: Findings };

function checkWorkflow(workflow: Json, { path, fields, outer, add }: Place): void {
  for (const field of Object.keys(workflow)) if (!fields.includes(field)) add(`${path}/${field}`, `is not supported. Supported: ${fields.join(', ')}`);
  const states = workflow.States;
  if (typeof states !== 'object' || states === null || Object.keys(states).length === 0) {
    add(`${path}/States`, 'is required');
    return;
  }
  const named = states as Record<string, Json>;
  if (typeof workflow.StartAt !== 'string' || !(workflow.StartAt in named)) add(`${path}/StartAt`, `MISSING_TRANSITION_TARGET: Missing 'StartAt' target: ${workflow.StartAt}`);
  const assigned = assignedNames(named);
  for (const name of assigned) if (outer.has(name)) add(`${path}/States`, `the variable '${name}' is assigned in a workflow around this one; inner scopes may read it only`);
  const inReach = new Set([...outer, ...assigned]);
  for (const [name, state] of Object.entries(named)) {
    const at = `${path}/States/${name}`;
    if ([...name].length > 80) add(at, 'the name of a state has at most 80 characters');
    checkState(state, { path: at, names: new Set(Object.keys(named)), add });
    for (const [place, nested] of nestedOf(state)) checkWorkflow(nested, { path: `${at}/${place}`, fields: NESTED_FIELDS, outer: inReach, add });
  }
  checkReachable(workflow.StartAt, named, (name) => add(`${path}/States/${name}`, 'is not reachable'));
}

function nestedOf(state: Json): [string, Json][] {
  if (state.Type === 'Parallel' && Array.isArray(state.Branches)) return state.Branches.map((branch, index) => [`Branches[${index}]`, branch as Json]);
  if (state.Type === 'Map' && typeof state.ItemProcessor === 'object' && state.ItemProcessor !== null) return [['ItemProcessor', state.ItemProcessor as Json]];
  return [];
}

function parts(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function assignedNames(states: Record<string, Json>): Set<string> {
  const exits = Object.values(states).flatMap((state) => [state, ...parts(state.Catch), ...parts(state.Choices)]);
  return new Set(exits.flatMap(({ Assign }) => (typeof Assign === 'object' && Assign !== null ? Object.keys(Assign) : [])));
}

function targetsOf(state: Json): unknown[] {
  return [state.Next, state.Default, ...parts(state.Catch).map(({ Next }) => Next), ...parts(state.Choices).map(({ Next }) => Next)];
}

function checkReachable(start: unknown, states: Record<string, Json>, add: (name: string) => void): void {
  const reached = new Set<unknown>([start]);
  for (const name of reached) {
    const state = states[String(name)];
    if (state) for (const target of targetsOf(state)) if (target !== undefined) reached.add(target);
  }
  for (const name of Object.keys(states)) if (!reached.has(name)) add(name);
}
