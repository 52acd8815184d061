import * as z from 'zod/mini';
import { OfferUndeliverableEvent } from './announcement-event.ts';
import { GeneratorEvent } from './generator-event.ts';
import { OrderEvent } from './order-event.ts';

/** Everything that `carry-out-order` hears of: an order, a message that did not arrive, or a generator. */
export const OutsideEvent = z.union([OrderEvent, OfferUndeliverableEvent, GeneratorEvent]);
