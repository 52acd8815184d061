// Bad input has one error. It is thrown by the parse step, never retried, and never repeats what was received (PI-02).

import * as z from 'zod/mini';

/** Input that does not meet its contract: the sender's fault, so asking again cannot help. The message names paths, never values. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly paths: readonly string[];
  constructor(what: string, paths: readonly string[]) {
    super(`${what} does not meet its contract${paths.length > 0 ? ` at ${paths.join(', ')}` : ''}`);
    this.paths = paths;
  }
}

/** Reads a value through its contract, or throws `ContractError` naming `what` and the paths that are wrong. */
export function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const paths = result.error.issues.map((issue) => issue.path.join('.') || '(whole)');
  throw new ContractError(what, [...new Set(paths)].slice(0, 10));
}
