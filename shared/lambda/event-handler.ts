// The frame around a consumer of the bus or of a schedule.

import middy from '@middy/core';
import type { EventBridgeEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import { ContractError, parse } from '../contracts/contract-error.ts';
import { logger } from './logger.ts';
import { count } from './metrics.ts';

/** What the bus says about an event, besides its detail. */
export type Envelope = { eventId: string; source: string; detailType: string; at: string; replay: boolean };

type Options = {
  /** Keeps an event that misses its contract for a person to look at. Without it the event is only counted and logged: right for events that Baton itself makes. */
  quarantine?: (event: { eventId: string; source: string; body: string; because: string }) => Promise<void>;
};

type BusEnvelope = EventBridgeEvent<string, unknown> & { 'replay-name'?: string };

/**
 * Makes a bus consumer of a use case. An event that misses its contract succeeds after it was quarantined, logged and
 * counted, since trying again cannot help (LA-04); a fault is thrown, so that Lambda tries twice more and then hands
 * the event to the function's failure queue (EB-10).
 */
export function eventHandler<Schema extends z.core.$ZodType>(schema: Schema, run: (detail: z.output<Schema>, envelope: Envelope) => Promise<void>, options: Options = {}) {
  return middy<BusEnvelope, void>()
    .onError(({ event, error }) => {
      const { eventId, source, detailType } = envelopeOf(event);
      logger.error('event-failed', 'An event could not be handled', error, { eventId, source, detailType });
    })
    .handler(async (event: BusEnvelope): Promise<void> => {
      const envelope = envelopeOf(event);
      const detail = await read(schema, event, options);
      if (detail !== REFUSED) await run(detail as z.output<Schema>, envelope);
    });
}

const REFUSED = Symbol('refused');

async function read(schema: z.core.$ZodType, event: BusEnvelope, { quarantine }: Options): Promise<unknown> {
  try {
    return parse(schema, event.detail, 'the event');
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { eventId, source, detailType } = envelopeOf(event);
    await quarantine?.({ eventId, source, body: JSON.stringify(event), because: error.message });
    logger.warn('event-refused', 'An event misses its contract', { eventId, source, detailType, paths: error.paths });
    count('ContractErrors');
    return REFUSED;
  }
}

const envelopeOf = (event: BusEnvelope): Envelope => ({
  eventId: String(event?.id ?? ''),
  source: String(event?.source ?? ''),
  detailType: String(event?.['detail-type'] ?? ''),
  at: String(event?.time ?? ''),
  replay: event?.['replay-name'] !== undefined,
});
