import * as z from 'zod/mini';
import { handoffIdOf } from './receipt.ts';

/** Detail of an event with source `baton.workflow` and detail-type `wait.over`: somebody should see whether the workflow of this handoff waits for something that is over. */
export const WaitOverEvent = z.object({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  handoffId: handoffIdOf('The handoff.'),
});
export type WaitOverEvent = z.output<typeof WaitOverEvent>;
