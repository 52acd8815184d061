// What became of a message is noted beside the handoff, never in it (CC-04). A definite failure is announced, so that others may move on.

import type { OfferUndeliverableEvent } from '../../shared/contracts/announcement-event.ts';
import type { Announcement, ContactChoice, MessageReported } from '../../shared/domain/announcement.ts';
import { namedBy } from '../../shared/domain/message-reference.ts';
import type { ClaimBook } from '../../shared/ports/claim-book.ts';
import type { DeliveryBook } from '../../shared/ports/delivery-book.ts';
import type { BusEvent, EventBus } from '../../shared/ports/event-bus.ts';

export type NoteDeliveryDeps = { deliveries: DeliveryBook; claims: Pick<ClaimBook, 'confirm'>; bus: EventBus };

const SOURCE = 'baton.delivery';

/** Notes reports and says what follows. Repeating it notes nothing twice; consumers of what it says decide on the row, so they may hear it twice. */
export async function noteDelivery({ deliveries, claims, bus }: NoteDeliveryDeps, announcements: readonly Announcement[]): Promise<void> {
  const reports = announcements.filter((one): one is MessageReported => one.kind === 'message.reported');
  const choices = announcements.filter((one): one is ContactChoice => one.kind === 'contact.opted-out' || one.kind === 'contact.opted-in');
  for (const report of reports) {
    await deliveries.note(report);
    await confirmSent(claims, report);
  }
  const events = [...choices.map(chosen), ...reports.flatMap(undeliverable)];
  if (events.length > 0) await bus.publish(events);
}

const chosen = (choice: ContactChoice): BusEvent => ({ source: SOURCE, detailType: choice.kind, detail: { schemaVersion: '1', announcement: choice }, at: choice.occurredAt });

/** Whatever a provider says of a message of ours, it has it: whoever did not hear the answer of the send need not send it again (E-05, MS-05). */
async function confirmSent(claims: NoteDeliveryDeps['claims'], { reference, messageId, occurredAt }: MessageReported): Promise<void> {
  const named = namedBy(reference ?? '');
  if (named !== undefined) await claims.confirm(named.id, named.effect, messageId, occurredAt);
}

const ASKS = /^(?:acceptance|backup)\.requested:\d+:(?:email|sms)$/;

/** Only a message about an offer concerns a handoff, and only "no" is an answer: "delivered" proves nothing. */
function undeliverable({ state, reference, channel, occurredAt }: MessageReported): BusEvent[] {
  const named = namedBy(reference ?? '');
  if (named === undefined || !ASKS.test(named.effect) || (state !== 'failed' && state !== 'bounced')) return [];
  const detail: OfferUndeliverableEvent = { schemaVersion: '1', handoffId: named.id, effect: named.effect, channel, state, occurredAt };
  return [{ source: SOURCE, detailType: 'offer.undeliverable', detail, at: occurredAt }];
}
