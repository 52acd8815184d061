// From what a delivery states to what goes onto the bus.

import type { Announcement } from '../../shared/domain/announcement.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { BusEvent } from '../../shared/ports/event-bus.ts';
import type { Delivery } from '../../shared/ports/signal-source.ts';

/** A header that `baton source test` sends with a genuine delivery: everything happens but the opening. Only who has the secret can use it. */
const TRIAL_HEADER = 'baton-trial';

/** What a delivery states: requests, and what else it says. */
export type Stated = { signals: readonly Signal[]; announcements?: readonly Announcement[] };

/** Requests first, so that an announcement about one finds it. A trial announces nothing. */
export function eventsOf({ signals, announcements = [] }: Stated, { headers }: Delivery, now: string): BusEvent[] {
  const trial = headers[TRIAL_HEADER];
  if (trial !== undefined && /^[a-z0-9]{8,32}$/.test(trial))
    return signals.map((signal) => received({ ...signal, eventId: `trial-${trial}-${signal.eventId}`.slice(0, 256), test: true }));
  return [...signals.map(received), ...announcements.map((announcement) => announced(announcement, now))];
}

const received = (signal: Signal): BusEvent => ({ source: 'baton.intake', detailType: 'signal.received', detail: { schemaVersion: '1', signal }, at: signal.receivedAt });

const announced = (announcement: Announcement, now: string): BusEvent => ({
  source: 'baton.intake',
  detailType: announcement.kind,
  detail: { schemaVersion: '1', announcement },
  at: now,
});
