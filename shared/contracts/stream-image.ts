import * as z from 'zod/mini';
import { handoffIdOf, Receipt } from './receipt.ts';

const ReceiptImage = z.object({
  pk: z.templateLiteral(['HANDOFF#', z.string().check(z.regex(/^h-[0-9a-f]{32}$/))]).check(z.describe('Key of the handoff.')),
  sk: z.string().check(z.startsWith('RECEIPT#'), z.describe('Key of the receipt.')),
  receipt: Receipt,
});
/** Any other item: the stream's filter should have kept it away, and it announces nothing. */
const OtherImage = z.object({
  sk: z.string().check(
    z.refine((sk) => !sk.startsWith('RECEIPT#')),
    z.describe('Key of the item.'),
  ),
});

/** A new item of the table, as its stream shows it. A receipt that misses its contract is neither. */
export const StreamImage = z.union([ReceiptImage, OtherImage]);
export type StreamImage = z.output<typeof StreamImage>;
export type ReceiptImage = z.output<typeof ReceiptImage>;

/** The handoff that an item belongs to. */
export const handoffOf = ({ pk }: ReceiptImage) => z.parse(handoffIdOf('The handoff.'), pk.slice('HANDOFF#'.length));
