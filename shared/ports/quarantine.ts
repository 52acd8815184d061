/** Something that was set aside for a person: an event that misses its contract, other content under an id that was used, or an outcome of no handoff we know. */
export type Quarantined = {
  kind: 'event' | 'conflict' | 'outcome';
  /** Names it in `show`: the event's id, `<source>#<event id>` of a conflict, the order's id of an outcome. */
  id: string;
  source: string;
  because: string;
  /** When it was set aside first. */
  at: string;
};

export interface Quarantine {
  /** Keeps an event that misses its contract, once by event id, for 90 days, so that a person can look at it. Nothing downstream reads it (LA-04, PI-04). */
  keep(event: { eventId: string; source: string; body: string; because: string }): Promise<void>;
}

/** What a person reads of it. */
export interface QuarantineShelf {
  /** Everything set aside in the last 90 days, the newest first, without contents. */
  list(): Promise<Quarantined[]>;
  /** The contents under this id, personal data included; empty when there is nothing. For a conflict: what was taken first, then what was not taken. */
  contents(id: string): Promise<{ what: 'event' | 'taken' | 'not taken' | 'outcome'; content: unknown }[]>;
}
