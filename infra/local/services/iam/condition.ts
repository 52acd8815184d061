import { matchesWildcard } from './wildcard.ts';

/** What is known about a request besides who, what and on which resource. */
export type Context = Readonly<Record<string, string | readonly string[]>>;

/** Why a condition could not be evaluated. It then counts against the caller. */
export class NotEvaluable extends Error {}

type Compare = (wanted: string, actual: string) => boolean;

const number =
  (test: (actual: number, wanted: number) => boolean): Compare =>
  (wanted, actual) =>
    test(Number(actual), Number(wanted));
const instant =
  (test: (actual: number, wanted: number) => boolean): Compare =>
  (wanted, actual) =>
    test(Date.parse(actual), Date.parse(wanted));

/** ARNs compare segment by segment, so that a star does not reach over a colon. */
const arn: Compare = (wanted, actual) => {
  const parts = (text: string): string[] => {
    const split = text.split(':');
    return [...split.slice(0, 5), split.slice(5).join(':')];
  };
  const given = parts(actual);
  return parts(wanted).every((part, index) => matchesWildcard(part, given[index] ?? ''));
};

const POSITIVE: Readonly<Record<string, Compare>> = {
  StringEquals: (wanted, actual) => wanted === actual,
  StringEqualsIgnoreCase: (wanted, actual) => wanted.toLowerCase() === actual.toLowerCase(),
  StringLike: matchesWildcard,
  ArnEquals: arn,
  ArnLike: arn,
  Bool: (wanted, actual) => wanted.toLowerCase() === actual.toLowerCase(),
  NumericEquals: number((a, b) => a === b),
  NumericLessThan: number((a, b) => a < b),
  NumericLessThanEquals: number((a, b) => a <= b),
  NumericGreaterThan: number((a, b) => a > b),
  NumericGreaterThanEquals: number((a, b) => a >= b),
  DateLessThan: instant((a, b) => a < b),
  DateGreaterThan: instant((a, b) => a > b),
};
const NEGATIVE: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
};

/** Keys that exist on every request; a service adds its own. */
export const GLOBAL_KEYS = [
  'aws:PrincipalArn',
  'aws:PrincipalAccount',
  'aws:PrincipalType',
  'aws:PrincipalIsAWSService',
  'aws:PrincipalServiceName',
  'aws:RequestedRegion',
  'aws:SecureTransport',
  'aws:SourceArn',
  'aws:SourceAccount',
  'aws:ViaAWSService',
  'aws:CurrentTime',
  'aws:EpochTime',
];

/** Keys that are only there when a service says so. Asking for any other key cannot be answered here. */
const SERVICE_KEYS = [
  'ses:FromAddress',
  'ses:Recipients',
  'ses:ConfigurationSetName',
  'lambda:FunctionArn',
  'dynamodb:LeadingKeys',
  'dynamodb:Attributes',
  'events:source',
  'events:detail-type',
  'events:eventBusInvocation',
];

const knownKeys = new Set([...GLOBAL_KEYS, ...SERVICE_KEYS].map((key) => key.toLowerCase()));

const asList = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

const lookUp = (context: Context, key: string): readonly string[] | undefined => {
  if (!knownKeys.has(key.toLowerCase())) throw new NotEvaluable(`condition key ${key} is not known here (known: ${[...GLOBAL_KEYS, ...SERVICE_KEYS].join(', ')})`);
  const found = Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
  if (found === undefined) return undefined;
  return typeof found === 'string' ? [found] : found;
};

type Operator = { name: string; quantifier: 'one' | 'all' | 'any'; ifExists: boolean };

const readOperator = (text: string): Operator => {
  const [head = '', tail] = text.split(':');
  const quantifier = tail === undefined ? 'one' : ({ ForAllValues: 'all', ForAnyValue: 'any' } as const)[head];
  if (quantifier === undefined) throw new NotEvaluable(`condition operator ${text} is not supported here`);
  const full = tail ?? head;
  const ifExists = full.endsWith('IfExists');
  return { name: ifExists ? full.slice(0, -'IfExists'.length) : full, quantifier, ifExists };
};

/** Whether one actual value satisfies the operator against a list of wanted ones; a negated operator must differ from all of them. */
const valueHolds = (name: string, wanted: readonly string[], actual: string): boolean => {
  const negated = NEGATIVE[name];
  const compare = POSITIVE[negated ?? name];
  if (compare === undefined)
    throw new NotEvaluable(`condition operator ${name} is not supported here (supported: ${[...Object.keys(POSITIVE), ...Object.keys(NEGATIVE), 'Null'].join(', ')})`);
  const anyMatch = wanted.some((one) => compare(one, actual));
  return negated === undefined ? anyMatch : !anyMatch;
};

const keyHolds = (operator: Operator, wanted: readonly string[], actual: readonly string[] | undefined): boolean => {
  if (operator.name === 'Null') return wanted.includes(String(actual === undefined));
  const values = actual ?? [];
  if (values.length === 0) {
    valueHolds(operator.name, wanted, '');
    return operator.ifExists || operator.quantifier === 'all' || (operator.quantifier === 'one' && operator.name in NEGATIVE);
  }
  return operator.quantifier === 'any' ? values.some((value) => valueHolds(operator.name, wanted, value)) : values.every((value) => valueHolds(operator.name, wanted, value));
};

/** True when every operator and every key of a `Condition` block holds. Throws `NotEvaluable` for an operator or key it does not know. */
export const conditionHolds = (condition: unknown, context: Context): boolean => {
  const blocks = Object.entries((condition ?? {}) as Record<string, Record<string, unknown>>);
  const verdicts = blocks.flatMap(([operator, keys]) => {
    const read = readOperator(operator);
    return Object.entries(keys).map(([key, wanted]) => {
      const values = asList(wanted);
      const variable = values.find((value) => value.includes('$' + '{'));
      if (variable !== undefined) throw new NotEvaluable(`policy variables are not supported here: ${variable}`);
      return keyHolds(read, values, lookUp(context, key));
    });
  });
  return verdicts.every(Boolean);
};
