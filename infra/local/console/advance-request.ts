/** A year at once is enough to see anything that a person waits for. */
const LONGEST_ADVANCE = 366 * 24 * 3600;

export type AdvanceRequest = { kind: 'advance'; seconds: number; fromPage: boolean } | { kind: 'refused'; message: string };

/** Reads how far the clock shall move: `{"advanceSeconds": n}`, or the form of the console. */
export function readAdvance(body: Buffer | undefined, contentType: string): AdvanceRequest {
  const fromPage = contentType.startsWith('application/x-www-form-urlencoded') && !(body?.toString('utf8') ?? '').trimStart().startsWith('{');
  const seconds = fromPage ? formNumber(body) : jsonNumber(body);
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= LONGEST_ADVANCE) return { kind: 'advance', seconds, fromPage };
  return { kind: 'refused', message: `Send {"advanceSeconds": n} with n between 0 and ${LONGEST_ADVANCE}.` };
}

function formNumber(body: Buffer | undefined): number | undefined {
  const value = new URLSearchParams(body?.toString('utf8')).get('advanceSeconds') ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

function jsonNumber(body: Buffer | undefined): unknown {
  try {
    return (JSON.parse(body?.toString('utf8') ?? '') as { advanceSeconds?: unknown } | null)?.advanceSeconds;
  } catch {
    return undefined;
  }
}
