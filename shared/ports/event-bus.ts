/** One event for the bus. `detail` is JSON without personal data, except a signal's own packet on its way in. */
export type BusEvent = { source: string; detailType: string; detail: unknown; at?: string };

export interface EventBus {
  /** Publishes every event and confirms each one; failed entries alone are sent again (EB-04). Throws `EventsNotPublished` when some remain. At most 10 a call is handled inside. */
  publish(events: readonly BusEvent[]): Promise<void>;
}
