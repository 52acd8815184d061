import { compile, expressionText, isExpression } from './expression.ts';
import { integrationOf, SUPPORTED_ARGUMENTS, SUPPORTED_RESOURCES } from './integrations.ts';
import { instantOf } from './plain-states.ts';

export type Findings = (path: string, message: string) => void;

type Json = Record<string, unknown>;
type Place = { path: string; names: ReadonlySet<string>; add: Findings };

const COMMON = ['Type', 'Comment', 'QueryLanguage'];
const EXIT = ['Next', 'End', 'Assign', 'Output'];
const RECOVERY = ['Retry', 'Catch'];

/** Fields each type of state may have here. Whatever is not listed stops the boot. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Task: [...COMMON, ...EXIT, ...RECOVERY, 'Resource', 'Arguments', 'TimeoutSeconds', 'HeartbeatSeconds'],
  Choice: [...COMMON, 'Choices', 'Default', 'Assign', 'Output'],
  Wait: [...COMMON, ...EXIT, 'Seconds', 'Timestamp'],
  Pass: [...COMMON, ...EXIT],
  Succeed: [...COMMON, 'Output'],
  Fail: [...COMMON, 'Error', 'Cause'],
  Parallel: [...COMMON, ...EXIT, ...RECOVERY, 'Branches', 'Arguments'],
  Map: [...COMMON, ...EXIT, ...RECOVERY, 'Items', 'ItemSelector', 'ItemProcessor', 'MaxConcurrency'],
};
const RULE_FIELDS = ['Condition', 'Next', 'Assign', 'Output', 'Comment'];
const CATCH_FIELDS = ['ErrorEquals', 'Next', 'Assign', 'Output', 'Comment'];
const RETRY_FIELDS = ['ErrorEquals', 'IntervalSeconds', 'MaxAttempts', 'BackoffRate', 'MaxDelaySeconds', 'JitterStrategy', 'Comment'];

export function checkState(state: Json, place: Place): void {
  const { path, add } = place;
  const fields = FIELDS[String(state.Type)];
  if (!fields) {
    add(`${path}/Type`, `'${state.Type}' is not supported. Supported: ${Object.keys(FIELDS).join(', ')}`);
    return;
  }
  onlyFields(state, fields, path, add);
  if ((state.QueryLanguage ?? 'JSONata') !== 'JSONata') add(`${path}/QueryLanguage`, 'must be "JSONata"');
  checkExit(state, place);
  checkAssign(state.Assign, `${path}/Assign`, add);
  checkExpressions(state, path, add);
  checkRecovery(state, place);
  CHECKS[String(state.Type)]?.(state, place);
}

function onlyFields(value: Json, fields: readonly string[], path: string, add: Findings): void {
  for (const field of Object.keys(value)) if (!fields.includes(field)) add(`${path}/${field}`, `is not supported. Supported: ${fields.join(', ')}`);
}

function checkTarget(target: unknown, path: string, { names, add }: Place): void {
  if (typeof target !== 'string' || !names.has(target)) add(path, `MISSING_TRANSITION_TARGET: no state is called '${target}'`);
}

function checkExit(state: Json, place: Place): void {
  if (['Choice', 'Succeed', 'Fail'].includes(String(state.Type))) return;
  if (state.Next === undefined && state.End !== true) place.add(place.path, 'needs either Next or End');
  if (state.Next !== undefined && state.End !== undefined) place.add(place.path, 'has both Next and End');
  if (state.Next !== undefined) checkTarget(state.Next, `${place.path}/Next`, place);
}

function checkAssign(assign: unknown, path: string, add: Findings): void {
  if (assign === undefined) return;
  if (typeof assign !== 'object' || assign === null || Array.isArray(assign)) {
    add(path, 'must be an object');
    return;
  }
  for (const name of Object.keys(assign)) if (name === 'states' || !/^[\p{L}_][\p{L}\p{N}_]{0,79}$/u.test(name)) add(`${path}/${name}`, 'is not a name a variable can have');
}

/** Compiles every expression, so that a syntax error is found before it is needed. Nested workflows are visited as states of their own. */
function checkExpressions(value: unknown, path: string, add: Findings): void {
  if (isExpression(value)) {
    try {
      compile(expressionText(value));
    } catch (fault) {
      add(path, `is not a JSONata expression: ${(fault as { message?: string }).message}`);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) if (key !== 'Branches' && key !== 'ItemProcessor') checkExpressions(part, `${path}/${key}`, add);
  }
}

function listOf(value: unknown, path: string, add: Findings): Json[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)) return value as Json[];
  add(path, 'must be an array of objects');
  return [];
}

function checkRecovery(state: Json, place: Place): void {
  const { path, add } = place;
  const retriers = listOf(state.Retry, `${path}/Retry`, add);
  for (const [index, retrier] of retriers.entries()) {
    const at = `${path}/Retry[${index}]`;
    onlyFields(retrier, RETRY_FIELDS, at, add);
    checkErrorNames(retrier.ErrorEquals, { at, last: index === retriers.length - 1, add });
    checkNumber(retrier.IntervalSeconds, { at: `${at}/IntervalSeconds`, from: 1, whole: true, add });
    checkNumber(retrier.MaxAttempts, { at: `${at}/MaxAttempts`, from: 0, whole: true, add });
    checkNumber(retrier.BackoffRate, { at: `${at}/BackoffRate`, from: 1, whole: false, add });
    checkNumber(retrier.MaxDelaySeconds, { at: `${at}/MaxDelaySeconds`, from: 1, whole: true, add });
    if (retrier.JitterStrategy !== undefined && !['FULL', 'NONE'].includes(String(retrier.JitterStrategy))) add(`${at}/JitterStrategy`, 'must be FULL or NONE');
  }
  const catchers = listOf(state.Catch, `${path}/Catch`, add);
  for (const [index, catcher] of catchers.entries()) {
    const at = `${path}/Catch[${index}]`;
    onlyFields(catcher, CATCH_FIELDS, at, add);
    checkErrorNames(catcher.ErrorEquals, { at, last: index === catchers.length - 1, add });
    checkAssign(catcher.Assign, `${at}/Assign`, add);
    checkTarget(catcher.Next, `${at}/Next`, place);
  }
}

function checkErrorNames(names: unknown, { at, last, add }: { at: string; last: boolean; add: Findings }): void {
  if (!Array.isArray(names) || names.length === 0 || names.some((name) => typeof name !== 'string')) {
    add(`${at}/ErrorEquals`, 'must be a non-empty array of error names');
    return;
  }
  if (names.includes('States.ALL') && (names.length > 1 || !last)) add(`${at}/ErrorEquals`, 'States.ALL must stand alone and in the last entry');
}

function checkNumber(value: unknown, { at, from, whole, add }: { at: string; from: number; whole: boolean; add: Findings }): void {
  if (value === undefined) return;
  if (typeof value !== 'number' || value < from || (whole && !Number.isInteger(value))) add(at, `must be ${whole ? 'an integer' : 'a number'} of at least ${from}`);
}

const CHECKS: Readonly<Record<string, (state: Json, place: Place) => void>> = {
  Task(state, { path, add }) {
    const resource = String(state.Resource);
    if (!SUPPORTED_RESOURCES.some((supported) => supported === resource))
      return add(`${path}/Resource`, `'${resource}' is not supported. Supported: ${SUPPORTED_RESOURCES.join(', ')}`);
    for (const field of ['TimeoutSeconds', 'HeartbeatSeconds']) if (!isExpression(state[field])) checkNumber(state[field], { at: `${path}/${field}`, from: 1, whole: true, add });
    if (typeof state.Arguments !== 'object' || state.Arguments === null) return;
    onlyFields(state.Arguments as Json, SUPPORTED_ARGUMENTS[integrationOf(resource).action] ?? [], `${path}/Arguments`, add);
  },
  Choice(state, place) {
    const rules = listOf(state.Choices, `${place.path}/Choices`, place.add);
    if (rules.length === 0) place.add(`${place.path}/Choices`, 'must not be empty');
    if (state.Default !== undefined) checkTarget(state.Default, `${place.path}/Default`, place);
    for (const [index, rule] of rules.entries()) {
      const at = `${place.path}/Choices[${index}]`;
      onlyFields(rule, RULE_FIELDS, at, place.add);
      if (rule.Condition === undefined) place.add(`${at}/Condition`, 'is required');
      checkAssign(rule.Assign, `${at}/Assign`, place.add);
      checkTarget(rule.Next, `${at}/Next`, place);
    }
  },
  Wait(state, { path, add }) {
    if ((state.Seconds === undefined) === (state.Timestamp === undefined)) add(path, 'needs exactly one of Seconds and Timestamp');
    if (!isExpression(state.Seconds)) checkNumber(state.Seconds, { at: `${path}/Seconds`, from: 0, whole: true, add });
    if (state.Timestamp !== undefined && !isExpression(state.Timestamp) && instantOf(String(state.Timestamp)) === undefined)
      add(`${path}/Timestamp`, 'String does not match RFC3339 timestamp');
  },
  Parallel(state, { path, add }) {
    if (listOf(state.Branches, `${path}/Branches`, add).length === 0) add(`${path}/Branches`, 'must not be empty');
  },
  Map(state, { path, add }) {
    const processor = state.ItemProcessor;
    if (typeof processor !== 'object' || processor === null) {
      add(`${path}/ItemProcessor`, 'is required');
      return;
    }
    const { ProcessorConfig: config } = processor as { ProcessorConfig?: { Mode?: string } };
    if (config !== undefined && config.Mode !== 'INLINE') add(`${path}/ItemProcessor/ProcessorConfig`, 'only the mode INLINE is supported');
  },
};
