// Writes the JSON Schemas of the published contracts beside them: node shared/contracts/generate-schemas.ts

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { AnnouncementEvent, OfferUndeliverableEvent } from './announcement-event.ts';
import { DeliveriesCountedEvent } from './deliveries-counted-event.ts';
import { PacketPrepared } from './generator-event.ts';
import { OrderEvent } from './order-event.ts';
import { ReceiptEvent } from './receipt-event.ts';
import { SignalEvent } from './signal-event.ts';
import { WaitOverEvent } from './wait-over-event.ts';
import { WebsiteLead } from './website-lead.ts';

const PUBLISHED = {
  'signal-event': SignalEvent,
  'announcement-event': AnnouncementEvent,
  'deliveries-counted-event': DeliveriesCountedEvent,
  'receipt-event': ReceiptEvent,
  'order-event': OrderEvent,
  'generator-event': PacketPrepared,
  'offer-undeliverable-event': OfferUndeliverableEvent,
  'wait-over-event': WaitOverEvent,
  'website-lead': WebsiteLead,
};

/** File name and text of every published schema, as a sender must meet it. */
export const schemaFiles = (): { name: string; text: string }[] =>
  Object.entries(PUBLISHED).map(([name, schema]) => ({ name: `${name}.json`, text: `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n` }));

const isProgram = process.argv[1] === fileURLToPath(import.meta.url);
if (isProgram) for (const { name, text } of schemaFiles()) writeFileSync(new URL(`./schemas/${name}`, import.meta.url), text);
