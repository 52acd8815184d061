import type { HandoffId } from '../domain/ids.ts';
import type { Machine } from '../domain/workflow-fault.ts';

export interface Workflow {
  /** Starts the waiting machine of a handoff. Idempotent by handoff id, also when it already ended (SF-11). `attempt` above 0 starts a replacement for a broken one. */
  start(id: HandoffId, attempt?: number): Promise<'started' | 'already-started'>;
  /** The machine of a handoff that was started last, or undefined when none ever was, or only so long ago that it is forgotten (SF-15). */
  latest(id: HandoffId): Promise<Machine | undefined>;
  /**
   * Lets a machine that ended badly go on from the step it failed at, with the same input (SF-10). `not-possible` when it runs, ended
   * well, or is too old: then only a replacement helps.
   */
  redrive(id: HandoffId, attempt: number): Promise<'redriven' | 'not-possible'>;
  /** Ends a wait. `nobody-waits` when the token is spent, expired or unknown: terminal, never retried (SF-01). */
  wake(token: string, id: HandoffId): Promise<'woken' | 'nobody-waits'>;
}
