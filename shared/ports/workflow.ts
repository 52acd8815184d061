import type { HandoffId } from '../domain/ids.ts';

export interface Workflow {
  /** Starts the waiting machine of a handoff. Idempotent by handoff id, also when it already ended (SF-11). `attempt` above 0 starts a replacement for a broken one. */
  start(id: HandoffId, attempt?: number): Promise<'started' | 'already-started'>;
  /** Whether a machine is waiting for this handoff now. */
  standing(id: HandoffId, attempt?: number): Promise<'running' | 'ended' | 'missing'>;
  /** Ends a wait. `nobody-waits` when the token is spent, expired or unknown: terminal, never retried (SF-01). */
  wake(token: string, id: HandoffId): Promise<'woken' | 'nobody-waits'>;
}
