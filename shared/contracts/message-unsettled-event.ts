import * as z from 'zod/mini';
import { handoffIdOf } from './receipt.ts';

/** Detail of an event with source `baton.workflow` and detail-type `message.unsettled`: nobody knows what became of this message, so `notify` should find out. */
export const MessageUnsettledEvent = z.object({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  handoffId: handoffIdOf('The handoff the message was about.'),
  effect: z.string().check(z.minLength(1), z.describe('Name of the claimed effect, such as `offer:2:email`.')),
});
export type MessageUnsettledEvent = z.output<typeof MessageUnsettledEvent>;
