// The outbox: what the table's stream says was written is announced, and nothing else is (decision 2).

import * as z from 'zod/mini';
import { handoffIdOf, Receipt } from '../../shared/contracts/receipt.ts';
import type { ReceiptEvent } from '../../shared/contracts/receipt-event.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';

const receiptImage = z.object({ pk: z.string().check(z.startsWith('HANDOFF#h-')), sk: z.string().check(z.startsWith('RECEIPT#')), receipt: Receipt });
/** Any other item: the stream's filter should have kept it away, and it announces nothing. */
const otherImage = z.object({ sk: z.string().check(z.refine((sk) => !sk.startsWith('RECEIPT#'))) });

/** A new item of the table, as the stream shows it. A receipt that misses its contract is neither. */
export const StreamImage = z.union([receiptImage, otherImage]);
export type StreamImage = z.output<typeof StreamImage>;

/** Publishes the receipts among these items in their order and says how many there were. Throws when one could not be published; repeating it announces them again, with the same content. */
export async function publishReceipts({ bus }: { bus: EventBus }, images: readonly StreamImage[]): Promise<{ published: number; skipped: number }> {
  const events = images.flatMap((image) => ('receipt' in image ? [eventOf(image)] : []));
  if (events.length > 0) await bus.publish(events);
  return { published: events.length, skipped: images.length - events.length };
}

function eventOf({ pk, receipt }: z.output<typeof receiptImage>) {
  const detail: ReceiptEvent = { schemaVersion: '1', handoffId: z.parse(handoffIdOf('The handoff.'), pk.slice('HANDOFF#'.length)), receipt };
  return { source: 'baton.handoff', detailType: receipt.kind, detail, at: receipt.at };
}
