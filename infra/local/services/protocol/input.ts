import { AwsError } from '../../kernel/types.ts';

/** The members of a request or of a template property. */
export type Input = Record<string, unknown>;

export const isRecord = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

const missing = (name: string): AwsError =>
  new AwsError('ValidationException', `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must not be null`);
const wrongType = (name: string, expected: string): AwsError => new AwsError('SerializationException', `${name} must be ${expected}`);

/** A text that must be there. */
export const requiredText = (input: Input, name: string): string => {
  const value = optionalText(input, name);
  if (value === undefined) throw missing(name);
  return value;
};

/** A text that may be left out. */
export const optionalText = (input: Input, name: string): string | undefined => {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(name, 'a string');
  return value;
};

/** A number, also where CloudFormation writes it as text. */
export const numberOr = (input: Input, name: string, otherwise: number): number => {
  const value = input[name];
  if (value === undefined || value === null) return otherwise;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrongType(name, 'a number');
  return number;
};

/** A number within AWS's limits. */
export const boundedOr = (input: Input, name: string, otherwise: number, [least, most]: readonly [number, number]): number => {
  const value = numberOr(input, name, otherwise);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new AwsError('ValidationException', `${name} must be a whole number between ${least} and ${most}, not ${value}`);
  return value;
};

/** A truth value, also where CloudFormation writes it as text. */
export const flagOr = (input: Input, name: string, otherwise: boolean): boolean => {
  const value = input[name] ?? otherwise;
  if (value === 'true' || value === 'false') return value === 'true';
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean');
  return value;
};

/** A structure; empty when left out. */
export const recordOf = (input: Input, name: string): Input => {
  const value = input[name] ?? {};
  if (!isRecord(value)) throw wrongType(name, 'a structure');
  return value;
};

/** A list; empty when left out. */
export const listOf = (input: Input, name: string): unknown[] => {
  const value = input[name] ?? [];
  if (!Array.isArray(value)) throw wrongType(name, 'a list');
  return value;
};

/** A list of structures; empty when left out. */
export const recordsOf = (input: Input, name: string): Input[] =>
  listOf(input, name).map((value) => {
    if (!isRecord(value)) throw wrongType(name, 'a list of structures');
    return value;
  });

/** A list of texts; empty when left out. */
export const textsOf = (input: Input, name: string): string[] =>
  listOf(input, name).map((value) => {
    if (typeof value !== 'string') throw wrongType(name, 'a list of strings');
    return value;
  });
