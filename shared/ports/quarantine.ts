export interface Quarantine {
  /** Keeps an event that misses its contract, once by event id, for 90 days, so that a person can look at it. Nothing downstream reads it (LA-04, PI-04). */
  keep(event: { eventId: string; source: string; body: string; because: string }): Promise<void>;
}
