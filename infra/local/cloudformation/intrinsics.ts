/** What an expression may refer to while it is resolved. Each function throws when it does not know the name. */
export type Scope = {
  ref(name: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
  condition(name: string): boolean;
  mapping(map: string, first: string, second: string): unknown;
};

/** Stands for `AWS::NoValue`: the property or list entry that holds it disappears. */
export const NO_VALUE = Symbol('AWS::NoValue');

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const text = (value: unknown, of: string): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${of} needs text but got ${JSON.stringify(value)}`);
};
const list = (value: unknown, of: string): unknown[] => {
  if (Array.isArray(value)) return value;
  throw new Error(`${of} needs a list but got ${JSON.stringify(value)}`);
};

function getAtt(argument: unknown, scope: Scope): unknown {
  const [logicalId = '', ...attribute] = typeof argument === 'string' ? argument.split('.') : list(argument, 'Fn::GetAtt').map((part) => text(resolve(part, scope), 'Fn::GetAtt'));
  return scope.attribute(logicalId, attribute.join('.'));
}

function substitute(argument: unknown, scope: Scope): string {
  const [pattern, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, 'Fn::Sub');
  const own = (variables ?? {}) as Record<string, unknown>;
  return text(pattern, 'Fn::Sub').replace(/\$\{(!?)([^}]*)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(own, name)) return text(resolve(own[name], scope), `Fn::Sub \${${name}}`);
    return text(name.includes('.') ? getAtt(name, scope) : scope.ref(name), `Fn::Sub \${${name}}`);
  });
}

function choose(argument: unknown, scope: Scope): unknown {
  const [name, whenTrue, whenFalse] = list(argument, 'Fn::If');
  return resolve(scope.condition(text(name, 'Fn::If')) ? whenTrue : whenFalse, scope);
}

function select(argument: unknown, scope: Scope): unknown {
  const [index, values] = list(resolve(argument, scope), 'Fn::Select');
  const chosen = list(values, 'Fn::Select')[Number(index)];
  if (chosen === undefined) throw new Error(`Fn::Select: there is no entry ${String(index)}`);
  return chosen;
}

/** Every intrinsic function the local runtime resolves. */
export const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref')),
  Condition: (argument, scope) => scope.condition(text(argument, 'Condition')),
  'Fn::GetAtt': getAtt,
  'Fn::Sub': substitute,
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(resolve(argument, scope), 'Fn::Join');
    return list(parts, 'Fn::Join')
      .map((part) => text(part, 'Fn::Join'))
      .join(text(separator, 'Fn::Join'));
  },
  'Fn::Split': (argument, scope) => {
    const [separator, value] = list(resolve(argument, scope), 'Fn::Split');
    return text(value, 'Fn::Split').split(text(separator, 'Fn::Split'));
  },
  'Fn::Select': select,
  'Fn::If': choose,
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(resolve(argument, scope), 'Fn::Equals');
    return text(left, 'Fn::Equals') === text(right, 'Fn::Equals');
  },
  'Fn::And': (argument, scope) => list(argument, 'Fn::And').every((part) => resolve(part, scope) === true),
  'Fn::Or': (argument, scope) => list(argument, 'Fn::Or').some((part) => resolve(part, scope) === true),
  'Fn::Not': (argument, scope) => resolve(list(argument, 'Fn::Not')[0], scope) !== true,
  'Fn::FindInMap': (argument, scope) => {
    const [map, first, second] = list(resolve(argument, scope), 'Fn::FindInMap').map((part) => text(part, 'Fn::FindInMap'));
    return scope.mapping(map ?? '', first ?? '', second ?? '');
  },
  'Fn::Base64': (argument, scope) => Buffer.from(text(resolve(argument, scope), 'Fn::Base64')).toString('base64'),
};

/** The intrinsic an object stands for, known or not; undefined for plain data. */
export function intrinsicName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [key, another] = Object.keys(value);
  if (key === undefined || another !== undefined) return undefined;
  // `Condition` is also an ordinary property, of IAM statements for one; there its value is an object.
  if (key === 'Condition') return typeof (value as Record<string, unknown>)[key] === 'string' ? key : undefined;
  return key === 'Ref' || key.startsWith('Fn::') ? key : undefined;
}

/** Replaces every intrinsic inside `value` by what it stands for. */
export function resolve(value: unknown, scope: Scope): unknown {
  const name = intrinsicName(value);
  if (name !== undefined) {
    const intrinsic = INTRINSICS[name];
    if (!intrinsic) throw new Error(`${name} is not supported (supported: ${Object.keys(INTRINSICS).join(', ')})`);
    return intrinsic((value as Record<string, unknown>)[name], scope);
  }
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, scope)).filter((entry) => entry !== NO_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]): [string, unknown] => [key, resolve(entry, scope)]);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== NO_VALUE));
}
