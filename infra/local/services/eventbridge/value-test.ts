import { BlockList, isIP } from 'node:net';

/** A leaf of an event: what a pattern's list is compared with. */
export type Leaf = string | number | boolean | null;

/** One member of a pattern's list: satisfied by a leaf, or by the absence of every leaf at that path. */
export type ValueTest = { kind: 'absent' } | { kind: 'leaf'; matches: (leaf: Leaf) => boolean };

/** Why a pattern is refused; becomes AWS's `InvalidEventPatternException`. */
export class InvalidPattern extends Error {}

type Matches = (leaf: Leaf) => boolean;
const onText =
  (test: (text: string) => boolean): Matches =>
  (leaf) =>
    typeof leaf === 'string' && test(leaf);
const not =
  (test: Matches): Matches =>
  (leaf) =>
    !test(leaf);
const some =
  (tests: readonly Matches[]): Matches =>
  (leaf) =>
    tests.some((test) => test(leaf));
const fold = (text: string): string => text.toLowerCase();

const text = (value: unknown, operator: string): string => {
  if (typeof value !== 'string') throw new InvalidPattern(`${operator} match pattern must be a string`);
  return value;
};

/** The value of an operator, or of its `equals-ignore-case` form. */
const textOrFolded = (value: unknown, operator: string): { text: string; folded: boolean } => {
  if (typeof value === 'string') return { text: value, folded: false };
  const [key, inner, ...rest] = Object.entries(value ?? {}).flat();
  if (key !== 'equals-ignore-case' || rest.length > 0) throw new InvalidPattern(`${operator} match pattern must be a string or an equals-ignore-case object`);
  return { text: fold(text(inner, operator)), folded: true };
};

const prefixTest = (value: unknown): Matches => {
  const wanted = textOrFolded(value, 'prefix');
  return onText((leaf) => (wanted.folded ? fold(leaf) : leaf).startsWith(wanted.text));
};

const suffixTest = (value: unknown): Matches => {
  const wanted = textOrFolded(value, 'suffix');
  return onText((leaf) => (wanted.folded ? fold(leaf) : leaf).endsWith(wanted.text));
};

const foldedTest = (value: unknown): Matches => {
  const wanted = fold(text(value, 'equals-ignore-case'));
  return onText((leaf) => fold(leaf) === wanted);
};

/** The literal pieces between unescaped stars. */
const wildcardPieces = (pattern: string): string[] => {
  const pieces = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    if (char === '*') {
      if (next === '*') throw new InvalidPattern('Consecutive wildcard characters');
      pieces.push('');
      continue;
    }
    if (char === '\\' && next !== '*' && next !== '\\') throw new InvalidPattern('Invalid escape character');
    if (char === '\\') at += 1;
    pieces[pieces.length - 1] += pattern.charAt(at);
  }
  return pieces;
};

/** Each piece as early as possible after the one before: enough, because a star takes anything. */
const matchesPieces = (pieces: readonly string[], leaf: string): boolean => {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return leaf === first;
  if (!leaf.startsWith(first)) return false;
  let from = first.length;
  for (const piece of rest) {
    const found = leaf.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return leaf.length - last.length >= from && leaf.endsWith(last);
};

const wildcardTest = (value: unknown): Matches => {
  const pieces = wildcardPieces(text(value, 'wildcard'));
  return onText((leaf) => matchesPieces(pieces, leaf));
};

const NUMERIC_LIMIT = 5_000_000_000;
const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const numericTest = (value: unknown): Matches => {
  if (!Array.isArray(value) || (value.length !== 2 && value.length !== 4)) throw new InvalidPattern('Value of numeric must be an array of one or two comparisons');
  const pairs = value.length === 2 ? [value] : [value.slice(0, 2), value.slice(2)];
  for (const [operator, bound] of pairs) {
    if (!(String(operator) in COMPARE)) throw new InvalidPattern(`Unrecognized numeric range operator: ${operator}`);
    if (typeof bound !== 'number' || Math.abs(bound) > NUMERIC_LIMIT) throw new InvalidPattern(`Value of numeric must be a number between -${NUMERIC_LIMIT} and ${NUMERIC_LIMIT}`);
  }
  const [lower, upper] = pairs;
  if (upper !== undefined && !(String(lower?.[0]).startsWith('>') && String(upper[0]).startsWith('<'))) throw new InvalidPattern('A numeric range names its lower end first');
  if (upper !== undefined && lower?.[1] >= upper[1]) throw new InvalidPattern('Bottom must be less than top');
  return (leaf) => typeof leaf === 'number' && pairs.every(([operator, bound]) => COMPARE[operator]?.(leaf, bound));
};

const family = (address: string): 'ipv4' | 'ipv6' | undefined => ({ 4: 'ipv4' as const, 6: 'ipv6' as const })[isIP(address)];

const cidrTest = (value: unknown): Matches => {
  const [address = '', bits = '', ...rest] = text(value, 'cidr').split('/');
  const kind = family(address);
  if (kind === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (kind === 'ipv4' ? 32 : 128)) throw new InvalidPattern(`Malformed CIDR, one '/' required`);
  const block = new BlockList();
  block.addSubnet(address, Number(bits), kind);
  return onText((leaf) => family(leaf) === kind && block.check(leaf, kind));
};

const existsTest = (value: unknown): ValueTest => {
  if (typeof value !== 'boolean') throw new InvalidPattern('exists match pattern must be either true or false.');
  return value ? { kind: 'leaf', matches: () => true } : { kind: 'absent' };
};

const NEGATABLE: Record<string, (value: unknown) => Matches> = { prefix: prefixTest, suffix: suffixTest, 'equals-ignore-case': foldedTest, wildcard: wildcardTest };

const anythingBut = (value: unknown): Matches => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const [[operator, operand] = ['', undefined], ...more] = Object.entries(value);
    const make = NEGATABLE[operator];
    if (make === undefined || more.length > 0) throw new InvalidPattern(`Unsupported anything-but pattern: ${operator}`);
    const operands = Array.isArray(operand) ? operand : [operand];
    if (operands.length === 0 || operands.includes('')) throw new InvalidPattern(`Null ${operator} not allowed in anything-but`);
    return not(some(operands.map((one) => make(one))));
  }
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const types = new Set(values.map((one) => typeof one));
  if (types.size !== 1 || !(types.has('string') || types.has('number')))
    throw new InvalidPattern('Inside anything but list, either all values are number or string, mixed type is not supported');
  return (leaf) => !values.includes(leaf);
};

const OPERATORS: Record<string, (value: unknown) => Matches> = { ...NEGATABLE, numeric: numericTest, cidr: cidrTest, 'anything-but': anythingBut };

/** Reads one member of a pattern's list. Numbers compare by value, everything else exactly. */
export const valueTest = (member: unknown): ValueTest => {
  if (Array.isArray(member)) throw new InvalidPattern('Nested arrays are not allowed in match values');
  if (typeof member !== 'object' || member === null) return { kind: 'leaf', matches: (leaf) => leaf === member };
  const [[operator, operand] = ['', undefined], ...more] = Object.entries(member);
  if (more.length > 0) throw new InvalidPattern('Only one key allowed in match expression');
  if (operator === 'exists') return existsTest(operand);
  const make = OPERATORS[operator];
  if (make === undefined) throw new InvalidPattern(`Unrecognized match type ${operator}`);
  return { kind: 'leaf', matches: make(operand) };
};

/** True for an object that reads as a match expression such as `{"prefix": "a"}`. */
export const isMatchExpression = (value: object): boolean => Object.keys(value).some((key) => key === 'exists' || key in OPERATORS);
