// Figures of sources, for a person who asks whether one works. They never hold up a lead: what cannot be counted is not counted.

import type { DeliveriesCountedEvent } from '../../shared/contracts/deliveries-counted-event.ts';
import type { SourceBook } from '../../shared/ports/source-book.ts';

export const figuresOf = (book: SourceBook) => ({
  received: (source: string, at: string): Promise<void> => book.received(source, at).catch(() => undefined),
  counted: ({ source, outcome, count, at }: DeliveriesCountedEvent): Promise<void> => book.counted(source, outcome, count, at),
});
