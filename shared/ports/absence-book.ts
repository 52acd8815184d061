import type { HandoffId, PersonId } from '../domain/ids.ts';

/** A person cannot answer between two instants. */
export type Absence = { person: PersonId; from: string; until: string };

/** Who is unavailable at short notice. Policy is read with it, so that nobody is asked meanwhile. */
export interface AbsenceBook {
  /** Repeating it changes nothing that matters: the same absence twice is one. */
  note(absence: Absence): Promise<void>;
}

/** What a person is asked, owns or answers for. */
export interface PersonIndex {
  /** Handoffs with an offer to them, owned by them, or in an exception that they answer for. May lag by moments. */
  heldBy(person: PersonId): Promise<HandoffId[]>;
}
