import * as z from 'zod/mini';
import { DELIVERY_OUTCOMES } from '../domain/delivery-outcome.ts';

const text = (description: string) => z.exactOptional(z.string().check(z.describe(description)));

/** `SOURCE#<name>` / `STATS`: figures of a source; one more number for each outcome, under its name. */
export const SourceStatsItem = z.looseObject({
  source: z.string().check(z.describe('Name of the source.')),
  received: z.exactOptional(z.number().check(z.describe('Signals recorded.'))),
  lastReceivedAt: text('When the last of them arrived.'),
  lastRefusedAt: text('When a delivery was last turned away.'),
  lastRefusedBecause: z.exactOptional(z.enum(DELIVERY_OUTCOMES).check(z.describe('Why.'))),
});
