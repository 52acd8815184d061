// Tells the bus, and so `baton source list`, what was turned away: at once the first time, then at most once a minute a source and
// outcome, so that a flood of bad signatures stays a handful of events. What a process still holds when it ends is never told.

import type { DeliveryOutcome } from '../../shared/domain/delivery-outcome.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

const SILENT_MILLISECONDS = 60_000;

/** Counts one delivery. Never throws and never delays by more than one put: a count that cannot be told waits for the next. */
export type CountDelivery = (source: string, outcome: DeliveryOutcome) => Promise<void>;

export function countDeliveries(bus: EventBus, time: TimeSource): CountDelivery {
  const open = new Map<string, { count: number; toldAt: number }>();
  return async (source, outcome) => {
    const key = `${source} ${outcome}`;
    const at = time.now();
    const known = open.get(key) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY };
    const held = { count: known.count + 1, toldAt: known.toldAt };
    open.set(key, held);
    if (Date.parse(at) - held.toldAt < SILENT_MILLISECONDS) return;
    open.set(key, { count: 0, toldAt: Date.parse(at) });
    const detail = { schemaVersion: '1', source, outcome, count: held.count, at };
    await bus.publish([{ source: 'baton.intake', detailType: 'deliveries.counted', detail, at }]).catch(() => {
      const since = open.get(key)?.count ?? 0;
      open.set(key, { count: held.count + since, toldAt: Date.parse(at) });
    });
  };
}
