// The frame around a function that is started with a payload of its own: a schedule, an operator, an event taken whole.

import middy from '@middy/core';
import type * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { logger } from './logger.ts';

/** Makes a function of a use case that answers nothing. A payload that misses its contract is a fault of this installation, so it is thrown and ends in the failure queue. */
export function requestHandler<Schema extends z.core.$ZodType>(schema: Schema, run: (request: z.output<Schema>) => Promise<void>) {
  return middy()
    .onError(({ error }) => logger.error('request-failed', 'A scheduled or requested run failed', error))
    .handler(async (payload: unknown): Promise<void> => run(parse(schema, payload, 'the payload')));
}
