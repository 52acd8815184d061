// What an acceptance receipt says (O-05): enough to settle later who owned what, since when and on which terms. No personal data of the customer.

import type { Handoff } from './handoff.ts';
import type { HandoffId, PersonId } from './ids.ts';
import type { Channel, ClockReading, Receipt, ReceiptOf } from './receipt.ts';

/** The content that is signed. Field order is fixed: the same acceptance is always the same text. */
export type AcceptanceReceipt = {
  schemaVersion: '1';
  handoffId: HandoffId;
  /** Number of the receipt in the handoff's log. */
  seq: number;
  /** What started the ownership clock. */
  source: { system: string; eventId: string; occurredAt: string };
  /** Pseudonym of the contact. */
  contactRef: string;
  proposedOwner: PersonId;
  acceptedOwner: PersonId;
  acceptedAt: string;
  nextAction: string;
  dueAt: string;
  /** After the offer's deadline, while nobody else had said yes. */
  late: boolean;
  channel: Channel;
  packetVersion: number;
  contract: string;
  contractVersion: string;
  /** How long the customer had waited, in real time and in business time of the calendar named. */
  clock?: ClockReading;
};

/** The content of the acceptance receipt for one receipt of a handoff's log. */
export function acceptanceOf(handoff: Handoff, receipt: ReceiptOf<'offer.accepted'>): AcceptanceReceipt {
  return {
    schemaVersion: '1',
    handoffId: handoff.id,
    seq: receipt.seq,
    source: { system: handoff.source.system, eventId: handoff.source.eventId, occurredAt: handoff.occurredAt },
    contactRef: handoff.contactRef,
    proposedOwner: receipt.proposedOwner,
    acceptedOwner: receipt.by,
    acceptedAt: receipt.at,
    nextAction: receipt.nextAction,
    dueAt: receipt.dueAt,
    late: receipt.late,
    channel: receipt.channel,
    packetVersion: receipt.packetVersion,
    contract: handoff.contract,
    contractVersion: receipt.contractVersion,
    ...(receipt.clock !== undefined && { clock: receipt.clock }),
  };
}

/** The yes among receipts that are written together, if there is one. */
export const acceptanceAmong = (receipts: readonly Receipt[]): ReceiptOf<'offer.accepted'> | undefined => receipts.find((receipt) => receipt.kind === 'offer.accepted');
