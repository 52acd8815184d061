/** Largest state input, state output, task result and variable assignment, in bytes of UTF-8. */
export const DATA_LIMIT = 262_144;

/** Why a state, a branch or an execution failed. `heartbeat` tells the two reasons of `States.Timeout` apart. */
export type Failure = { error?: string; cause?: string; heartbeat?: boolean };

/** A state could not do its work. Caught and retried by name like a task's error. */
export class StateError extends Error {
  readonly failure: Failure;
  /** Field whose expression failed, with the path inside it; present for evaluation errors only. */
  readonly location: string | undefined;
  readonly evaluation: boolean;

  constructor(error: string, cause: string, evaluation?: { location: string | undefined }) {
    super(`${error}: ${cause}`);
    this.name = 'StateError';
    this.failure = { error, cause };
    this.evaluation = evaluation !== undefined;
    this.location = evaluation?.location;
  }
}

export function evaluationError(cause: string, location?: string): StateError {
  return new StateError('States.QueryEvaluationError', cause, { location });
}

/**
 * Whether a retrier or catcher with these names applies.
 * `States.Runtime` ends the execution whatever was written; `States.ALL` also leaves `States.DataLimitExceeded` alone; `States.TaskFailed` matches all but time-outs.
 */
export function matchesError(names: readonly string[], failure: Failure): boolean {
  if (failure.error === 'States.Runtime') return false;
  return names.some((name) => {
    if (name === 'States.ALL') return failure.error !== 'States.DataLimitExceeded';
    if (name === 'States.TaskFailed') return failure.error !== 'States.Timeout';
    if (name === 'States.HeartbeatTimeout') return failure.heartbeat === true;
    return name === failure.error;
  });
}

export function exceedsDataLimit(text: string): boolean {
  return text.length > DATA_LIMIT || (text.length * 3 > DATA_LIMIT && Buffer.byteLength(text) > DATA_LIMIT);
}

export function dataLimitCause(what: string): string {
  return `The state/task '${what}' returned a result with a size exceeding the maximum number of bytes service limit.`;
}
