// Which answers of DynamoDB mean "ask again", and how (DB-03, DB-04).

/** How to wait between attempts, and where its jitter comes from. */
export type Waiting = { pause: (milliseconds: number) => Promise<void>; chance: () => number };

export type Attempt<T> = { kind: 'done'; value: T } | { kind: 'again'; cause: unknown };

/** After the first attempt. */
const RETRIES = 5;
const FIRST_PAUSE_MILLISECONDS = 25;
const LONGEST_PAUSE_MILLISECONDS = 800;

/** The table did not come to rest within the attempts we grant it. A fault: the caller's caller retries. */
export class TableBusy extends Error {
  override readonly name = 'TableBusy';
}

/** Repeats an attempt while it asks for it, at most five times, with full jitter. */
export async function persist<T>(waiting: Waiting, attempt: () => Promise<Attempt<T>>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    const outcome = await attempt();
    if (outcome.kind === 'done') return outcome.value;
    if (retry === RETRIES) throw new TableBusy(`the table was still busy after ${RETRIES} retries`, { cause: outcome.cause });
    await waiting.pause(waiting.chance() * Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** retry));
  }
}

/** A single write that met a transaction. Throttled requests and those of a transaction in progress are repeated by the SDK itself, within its own attempts. */
const BUSY_ERROR = 'TransactionConflictException';

/** What in a cancelled transaction, which the SDK never repeats, says nothing about business. */
const BUSY_REASONS = new Set(['TransactionConflict', 'ProvisionedThroughputExceeded', 'ThrottlingError']);

export const isBusy = (error: unknown): boolean => error instanceof Error && error.name === BUSY_ERROR;

/** Why each item of a cancelled transaction was refused, in the order of the items; `None` where it was not. */
export function cancellationReasons(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const { CancellationReasons: reasons } = error as Error & { CancellationReasons?: { Code?: string }[] };
  return reasons?.map((reason) => reason.Code ?? 'None') ?? [];
}

/**
 * What a cancelled transaction means as a whole. A failed condition outweighs a conflict beside it: only reading the rows
 * again can tell what happened. Anything unknown is a fault.
 */
export function judge(reasons: readonly string[]): 'refused' | 'busy' | 'fault' {
  const given = reasons.filter((reason) => reason !== 'None');
  if (given.includes('ConditionalCheckFailed')) return 'refused';
  return given.length > 0 && given.every((reason) => BUSY_REASONS.has(reason)) ? 'busy' : 'fault';
}
