import type { HandoffId } from '../domain/ids.ts';
import type { ActivePolicy } from './policy-book.ts';

/** A receipt that a change rests on, such as a rejection (C-04). */
export type Evidence = { handoffId: HandoffId; seq: number };

/** Which versions were put in force together. */
export type PolicyVersions = { contracts: Readonly<Record<string, string>>; roster: string; calendars: string };

/** The receipt of one change of policy: who put what in force, when, why and on what evidence. Never changed afterwards. */
export type Publication = PolicyVersions & {
  /** 1, 2, 3 … without gaps. */
  number: number;
  at: string;
  by: string;
  why: string;
  evidence: readonly Evidence[];
  /** The publication that this one goes back to. */
  backTo?: number;
};

/** What a change says about itself. `seen` is the publication that its author looked at: another one in force by now refuses the change. */
export type Change = { why?: string; evidence?: readonly Evidence[]; seen?: number; backTo?: number };

export type Pressed =
  | { kind: 'published'; publication: Publication }
  /** Exactly this is in force already; nothing was written. */
  | { kind: 'unchanged'; publication: Publication }
  /** Somebody else published since; `publication` is theirs. Nothing is in force that was not before. */
  | { kind: 'overtaken'; publication: Publication };

/** Puts policy in force. */
export interface PolicyPress {
  /**
   * Stores each version once by its hash, then moves the pointer and writes the receipt of the change in one transaction,
   * on condition that the pointer still names what was seen. Interrupted, it changes nothing that is in force; repeated, nothing at all.
   */
  publish(policy: ActivePolicy, by: string, at: string, change?: Change): Promise<Pressed>;
  /** Every publication, newest first; the first is the one in force. */
  history(): Promise<Publication[]>;
  /** What these versions say. Throws when one was never published. */
  contents(versions: PolicyVersions): Promise<ActivePolicy>;
}
