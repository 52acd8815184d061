import type { HandoffId } from '../domain/ids.ts';
import type { Policy } from '../domain/policy.ts';
import type { LoadedHandoff } from './handoff-store.ts';

/** A handoff with all that a person's answer is decided on. */
export type Case = LoadedHandoff & { policy: Policy };

export interface CaseBook {
  /**
   * The row and its packet as they are now, and its policy: the contract on the version the handoff opened with, the roster
   * and calendars in force now. One request once the versions are known, so that a seller waits for no second one.
   */
  open(id: HandoffId): Promise<Case | undefined>;
}
