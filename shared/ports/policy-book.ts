import type { Calendar, Contract, Policy, Roster } from '../domain/policy.ts';

/** What is in force: one version of each contract, one roster, one set of calendars. */
export type ActivePolicy = { contracts: readonly Contract[]; roster: Roster; calendars: readonly Calendar[] };

export interface PolicyBook {
  /** What is in force now. Throws `PolicyMissing` when nothing was ever published. */
  active(): Promise<ActivePolicy>;
  /** The contract on the version a handoff opened with, with the roster and calendars in force now. Immutable versions are cached. */
  at(contract: string, version: string): Promise<Policy>;
}
