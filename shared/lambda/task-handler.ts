// The frame around a step of the state machine: parse the payload, run the use case, log its fault once and let Step Functions see it.

import middy from '@middy/core';
import type * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { logger } from './logger.ts';

/**
 * Makes a Step Functions task of a use case. A payload that misses its contract fails the task as `ContractError`, which
 * no retrier of the machine matches; any other error is a fault and carries its name.
 */
export function taskHandler<Schema extends z.core.$ZodType<{ handoffId: string }>, Answer>(schema: Schema, run: (payload: z.output<Schema>) => Promise<Answer>) {
  return middy()
    .onError(({ event, error }) => {
      logger.error('task-failed', 'A step of the workflow failed', error, { handoffId: handoffIdOf(event) });
    })
    .handler(async (event: unknown): Promise<Answer> => run(parse(schema, event, 'the task payload')));
}

function handoffIdOf(event: unknown): string | undefined {
  const id = (event as { handoffId?: unknown } | null)?.handoffId;
  return typeof id === 'string' && /^h-[0-9a-f]{32}$/.test(id) ? id : undefined;
}
