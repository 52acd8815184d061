// Errors of a connection that never stood: nothing of the request can have arrived.

const CODES: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Why a request cannot have reached anybody, or undefined when it may have. `fetch` wraps the error it got. */
export function neverLeft(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return CODES.has(code) ? String(code) : neverLeft(error.cause);
}
