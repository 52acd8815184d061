// The outbox: what the table's stream says was written is announced, and nothing else is (decision 2 of the architecture).

import type { ReceiptEvent } from '../../shared/contracts/receipt-event.ts';
import { handoffOf, type ReceiptImage, type StreamImage } from '../../shared/contracts/stream-image.ts';
import type { BusEvent, EventBus } from '../../shared/ports/event-bus.ts';

/** Publishes the receipts among these items in their order and says how many there were. Throws when one could not be published; repeating it announces them again, with the same content. */
export async function publishReceipts({ bus }: { bus: EventBus }, images: readonly StreamImage[]): Promise<{ published: number; skipped: number }> {
  const events = images.flatMap((image) => ('receipt' in image ? [eventOf(image)] : []));
  if (events.length > 0) await bus.publish(events);
  return { published: events.length, skipped: images.length - events.length };
}

function eventOf(image: ReceiptImage): BusEvent {
  const { receipt } = image;
  const detail: ReceiptEvent = { schemaVersion: '1', handoffId: handoffOf(image), receipt };
  return { source: 'baton.handoff', detailType: receipt.kind, detail, at: receipt.at };
}
