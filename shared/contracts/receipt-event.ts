// What Baton announces: every receipt, once it is written. Source is `baton.handoff`, detail-type the receipt's kind.

import * as z from 'zod/mini';
import { handoffIdOf, Receipt } from './receipt.ts';

/** Detail of an event with source `baton.handoff`; the detail-type is `receipt.kind`. Free of personal data of customers. */
export const ReceiptEvent = z.object({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  handoffId: handoffIdOf('The handoff the receipt belongs to.'),
  receipt: Receipt.check(z.describe('The receipt; `seq` gives its place, since events arrive in any order.')),
});
export type ReceiptEvent = z.output<typeof ReceiptEvent>;
