import * as z from 'zod/mini';
import { DeliveriesCountedEvent } from './deliveries-counted-event.ts';
import { SignalEvent } from './signal-event.ts';

/** Everything that `open-handoff` hears of: a signal, or figures of deliveries that are none. */
export const IntakeEvent = z.union([SignalEvent, DeliveriesCountedEvent]);
export type IntakeEvent = z.output<typeof IntakeEvent>;

export const isCount = (event: IntakeEvent): event is DeliveriesCountedEvent => !('signal' in event);
