import { AwsError } from '../../kernel/types.ts';

/** An answer of the API that is no fault of ours. */
export function refuse(code: string, message: string): AwsError {
  return new AwsError(code, message);
}

function validation(message: string): AwsError {
  return refuse('ValidationException', `1 validation error detected: ${message}`);
}

const LONGEST_NAME = 80;
/** White space, brackets, wildcards, special characters and control characters (SF-14). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule is about
const NOT_IN_NAMES = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f\ufffe\uffff]/;

export function isName(name: string): boolean {
  return name.length >= 1 && name.length <= LONGEST_NAME && !NOT_IN_NAMES.test(name);
}

export function requireName(name: string): void {
  if (!isName(name)) throw refuse('InvalidName', `Invalid Name: '${name}'`);
}

/** JSON within the size limit, which is checked first, as on AWS. */
export function requireInput(input: string, limit: number): void {
  if (Buffer.byteLength(input) > limit) throw validation(`Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${limit}`);
  const fault = jsonFault(input);
  if (fault !== undefined) throw refuse('InvalidExecutionInput', `Invalid State Machine Execution Input: '${fault}'`);
}

export function requireOutput(output: string, limit: number): void {
  if (Buffer.byteLength(output) > limit) throw validation(`Value at 'output' failed to satisfy constraint: Member must have length less than or equal to ${limit}`);
  const fault = jsonFault(output);
  if (fault !== undefined) throw refuse('InvalidOutput', `Invalid Output: '${fault}'`);
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (fault) {
    return (fault as Error).message;
  }
}

/** The fields of one request. Reading a field that is missing or of the wrong type is a `ValidationException`. */
export class Fields {
  readonly #body: Record<string, unknown>;

  constructor(body: Buffer) {
    const fault = jsonFault(body.toString());
    const parsed: unknown = body.length === 0 ? {} : fault === undefined ? JSON.parse(body.toString()) : undefined;
    if (typeof parsed !== 'object' || parsed === null) throw refuse('SerializationException', 'The request body is not a JSON object.');
    this.#body = parsed as Record<string, unknown>;
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw validation(`Value null at '${name}' failed to satisfy constraint: Member must not be null`);
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = this.#body[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw refuse('SerializationException', `'${name}' must be a string.`);
  }

  flag(name: string, absent: boolean): boolean {
    const value = this.#body[name] ?? absent;
    if (typeof value === 'boolean') return value;
    throw refuse('SerializationException', `'${name}' must be a boolean.`);
  }

  oneOf(name: string, allowed: readonly string[]): string | undefined {
    const value = this.optionalText(name);
    if (value === undefined || allowed.includes(value)) return value;
    throw validation(`Value '${value}' at '${name}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`);
  }

  /** An ARN of one kind in this region. */
  arn(name: string, kind: 'stateMachine' | 'execution'): string {
    const value = this.text(name);
    const parts = value.split(':');
    const isArn = parts[0] === 'arn' && parts[2] === 'states' && parts.length >= (kind === 'execution' ? 8 : 7);
    if (!isArn) throw refuse('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${value}'`);
    if (parts[5] !== kind) throw refuse('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${parts[5]}'`);
    return value;
  }

  /** The page asked for; the token says where the last one ended. */
  page(absent: number): { offset: number; limit: number } {
    const size = this.#body.maxResults ?? absent;
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 0)
      throw validation(`Value '${size}' at 'maxResults' failed to satisfy constraint: Member must have value greater than or equal to 0`);
    if (size > 1000) throw validation(`Value '${size}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 1000`);
    return { offset: offsetOf(this.optionalText('nextToken')), limit: size === 0 ? absent : size };
  }
}

export function pageToken(offset: number): string {
  return Buffer.from(`from:${offset}`).toString('base64url');
}

function offsetOf(token: string | undefined): number {
  if (token === undefined) return 0;
  const offset = /^from:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (offset === undefined) throw refuse('InvalidToken', "Invalid Token: 'Invalid token'");
  return Number(offset);
}
