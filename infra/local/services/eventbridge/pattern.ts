import { AwsError } from '../../kernel/types.ts';
import { InvalidPattern, isMatchExpression, type Leaf, type ValueTest, valueTest } from './value-test.ts';

/** A leaf with its path and, for every array above it, which element it lies in. */
type Field = { leaf: Leaf; within: ReadonlyMap<unknown, number> };

/** An event taken apart once, to be compared with any number of patterns. */
export type FlatEvent = ReadonlyMap<string, readonly Field[]>;

type Clause = { path: string; tests: readonly ValueTest[] };
type Conjunction = readonly Clause[];

/** A pattern that AWS would accept. */
export type EventPattern = { matches(event: FlatEvent): boolean };

const MOST_ALTERNATIVES = 1000;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

type Place = { path: string; within: ReadonlyMap<unknown, number> };

const visitArray = (fields: Map<string, Field[]>, elements: readonly unknown[], place: Place): void => {
  for (const [index, element] of elements.entries()) {
    const nested = typeof element === 'object' && element !== null;
    visit(fields, element, nested ? { path: place.path, within: new Map(place.within).set(elements, index) } : place);
  }
};

const visit = (fields: Map<string, Field[]>, value: unknown, place: Place): void => {
  if (Array.isArray(value)) {
    visitArray(fields, value, place);
    return;
  }
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) visit(fields, inner, { ...place, path: below(place.path, key) });
    return;
  }
  const field = { leaf: value as Leaf, within: place.within };
  const list = fields.get(place.path);
  if (list) list.push(field);
  else fields.set(place.path, [field]);
};

/** Takes an event apart. Fields of one array element stay together: a pattern cannot pick them from different elements. */
export const flattenEvent = (event: unknown): FlatEvent => {
  const fields = new Map<string, Field[]>();
  visit(fields, event, { path: '', within: new Map() });
  return fields;
};

const clauseOf = (path: string, value: unknown): Clause => {
  if (!Array.isArray(value)) throw new InvalidPattern(`"${path}" must be an object or an array`);
  if (value.length === 0) throw new InvalidPattern(`Empty arrays are not allowed: "${path}"`);
  return { path, tests: value.map(valueTest) };
};

/** `$or` is an operator when it lists at least two field objects; otherwise it is a field of that name, as on AWS. */
const isOr = (key: string, value: unknown): value is Record<string, unknown>[] =>
  key === '$or' && Array.isArray(value) && value.length > 1 && value.every((branch) => isObject(branch) && Object.keys(branch).length > 0 && !isMatchExpression(branch));

const alternativesOf = (key: string, value: unknown, path: string): Conjunction[] => {
  if (isOr(key, value)) return value.flatMap((branch) => expand(branch, path));
  return isObject(value) ? expand(value, below(path, key)) : [[clauseOf(below(path, key), value)]];
};

/** Every way to satisfy this object: a list of clauses that must hold together. */
const expand = (pattern: Record<string, unknown>, path: string): Conjunction[] => {
  const entries = Object.entries(pattern);
  if (entries.length === 0) throw new InvalidPattern('Empty objects are not allowed');
  return entries.reduce<Conjunction[]>(
    (soFar, [key, value]) => {
      const alternatives = alternativesOf(key, value, path);
      if (soFar.length * alternatives.length > MOST_ALTERNATIVES) throw new InvalidPattern(`More than ${MOST_ALTERNATIVES} combinations of $or`);
      return soFar.flatMap((one) => alternatives.map((other) => [...one, ...other]));
    },
    [[]],
  );
};

const joined = (a: ReadonlyMap<unknown, number>, b: ReadonlyMap<unknown, number>): ReadonlyMap<unknown, number> | undefined => {
  for (const [array, index] of b) if ((a.get(array) ?? index) !== index) return undefined;
  return b.size === 0 ? a : new Map([...a, ...b]);
};

const holds = (clauses: Conjunction, event: FlatEvent, at: number, within: ReadonlyMap<unknown, number>): boolean => {
  const clause = clauses[at];
  if (clause === undefined) return true;
  const fields = event.get(clause.path);
  if (fields === undefined) return clause.tests.some((test) => test.kind === 'absent') && holds(clauses, event, at + 1, within);
  return fields.some((field) => {
    const narrowed = joined(within, field.within);
    return narrowed !== undefined && clause.tests.some((test) => test.kind === 'leaf' && test.matches(field.leaf)) && holds(clauses, event, at + 1, narrowed);
  });
};

const parsed = (pattern: unknown): unknown => {
  if (typeof pattern !== 'string') return pattern;
  try {
    return JSON.parse(pattern);
  } catch (cause) {
    throw new InvalidPattern(`not JSON: ${(cause as Error).message}`);
  }
};

/**
 * Reads an event pattern (an object, or its JSON text) with the semantics of AWS's own rule engine.
 * Throws `InvalidEventPatternException` for a pattern AWS refuses.
 */
export const compilePattern = (pattern: unknown): EventPattern => {
  try {
    const read = parsed(pattern);
    if (!isObject(read)) throw new InvalidPattern('Filter is not an object');
    const alternatives = expand(read, '');
    return { matches: (event) => alternatives.some((clauses) => holds(clauses, event, 0, new Map())) };
  } catch (error) {
    if (error instanceof InvalidPattern) throw new AwsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${error.message}`);
    throw error;
  }
};
