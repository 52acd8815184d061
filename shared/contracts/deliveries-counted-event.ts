// `deliveries.counted` on the bus: what the intake turned away or had no use for, so that `baton source list` can say so.

import * as z from 'zod/mini';
import { DELIVERY_OUTCOMES } from '../domain/delivery-outcome.ts';

/** Detail of the event with source `baton.intake` and detail-type `deliveries.counted`. */
export const DeliveriesCountedEvent = z.looseObject({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  source: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/), z.describe('Name of the source.')),
  outcome: z.enum(DELIVERY_OUTCOMES).check(z.describe('What became of the deliveries.')),
  count: z.int().check(z.positive(), z.describe('How many since the last such event of the same process.')),
  at: z.iso.datetime({ offset: true }).check(z.describe('When the last of them arrived.')),
});
export type DeliveriesCountedEvent = z.output<typeof DeliveriesCountedEvent>;
