// Who said what: an order of staff, a message that did not arrive, or a generator. The bus says which; the form of the detail follows from it.

import type { OfferUndeliverableEvent } from '../../shared/contracts/announcement-event.ts';
import type { GeneratorEvent } from '../../shared/contracts/generator-event.ts';
import type { OrderEvent } from '../../shared/contracts/order-event.ts';
import { type Carried, type CarryOutOrderDeps, carryOutOrder, noteUndelivered } from './carry-out-order.ts';
import { notePrepared } from './note-prepared.ts';

type Heard = OrderEvent | OfferUndeliverableEvent | GeneratorEvent;

/** Carries out whatever was said, and answers what became of it at each handoff. */
export async function hear(deps: CarryOutOrderDeps, detail: Heard, { source, detailType }: { source: string; detailType: string }): Promise<Carried[]> {
  if (source === 'baton.ai') return [await notePrepared(deps, detailType, detail as GeneratorEvent)]; // whatever a generator says is read as that
  return 'order' in detail ? carryOutOrder(deps, detail as OrderEvent) : noteUndelivered(deps, detail as OfferUndeliverableEvent);
}
