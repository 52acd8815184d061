// What the state machine hands to its functions. Handlers must read every version younger than the longest wait (SF-22): fields are only added, and unknown ones ignored.

import * as z from 'zod/mini';
import { handoffIdOf } from './receipt.ts';

const handoffId = handoffIdOf('The handoff this step is about.');

/** Payload of a step that only needs to know which handoff. */
export const HandoffTask = z.object({ handoffId });
export type HandoffTask = z.output<typeof HandoffTask>;

/** Payload of a step that waits for a person. */
export const WaitTask = z.object({ handoffId, taskToken: z.string().check(z.minLength(1), z.maxLength(2048), z.describe('Ends this wait, once. A secret.')) });
export type WaitTask = z.output<typeof WaitTask>;

/** Payload of the step after a wait. */
export const AdvanceTask = z.object({
  handoffId,
  fault: z.exactOptional(z.string().check(z.describe('Name of the error that ended the wait, when one did.'))),
  faults: z.exactOptional(z.int().check(z.positive(), z.describe('How many errors ended waits in a row.'))),
});
export type AdvanceTask = z.output<typeof AdvanceTask>;
