// The signed content of an acceptance receipt, as anyone who verifies one may rely on it.

import * as z from 'zod/mini';
import { handoffId, personId } from '../domain/ids.ts';

const text = z.string().check(z.minLength(1), z.maxLength(300));
const instant = z.iso.datetime({ precision: 3 });
const person = z.pipe(
  text.check(z.describe('Id of a person of the roster')),
  z.transform((id) => personId(id)),
);

/** What was accepted, by whom, when and on which terms; version 1. */
export const acceptanceReceipt = z.object({
  schemaVersion: z.literal('1').check(z.describe('Changes only when a reader of the earlier form would misread the new one')),
  handoffId: z
    .pipe(
      z.string().check(z.regex(/^h-[0-9a-f]{32}$/)),
      z.transform((id) => handoffId(id)),
    )
    .check(z.describe('The handoff that was accepted')),
  seq: z.int().check(z.positive(), z.describe('Number of this receipt in the log of the handoff')),
  source: z
    .object({
      system: text.check(z.describe('System the signal came from')),
      eventId: text.check(z.describe('Id of the event at its source')),
      occurredAt: instant.check(z.describe('When the customer acted; the ownership clock ran from here')),
    })
    .check(z.describe('What started the ownership clock')),
  contactRef: text.check(z.describe('Pseudonym of the contact; never an address')),
  proposedOwner: person.check(z.describe('Whom the contract asked first')),
  acceptedOwner: person.check(z.describe('Who said yes')),
  acceptedAt: instant.check(z.describe('When the ownership clock stopped')),
  nextAction: text.check(z.describe('What the owner promised to do, in the words of the contract')),
  dueAt: instant.check(z.describe('Until when the owner promised to do it')),
  late: z.boolean().check(z.describe('True when the yes came after the deadline and nobody else had said yes')),
  channel: z.enum(['email', 'sms', 'slack', 'console', 'api']).check(z.describe('Where the yes came in')),
  packetVersion: z.int().check(z.positive(), z.describe('Version of the facts the owner had seen')),
  contract: text.check(z.describe('Name of the handoff contract')),
  contractVersion: text.check(z.describe('Content hash of the contract the handoff opened with')),
  clock: z.exactOptional(
    z
      .object({
        wallSeconds: z.int().check(z.nonnegative(), z.describe('Seconds of real time')),
        businessSeconds: z.int().check(z.nonnegative(), z.describe('Seconds of business time')),
        calendar: text.check(z.describe('Calendar of the business time')),
      })
      .check(z.describe('How long the ownership clock had run')),
  ),
});
