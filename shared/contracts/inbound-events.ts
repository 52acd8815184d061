// Everything that may be put on the bus with source `baton.intake`, as whole events: for the schema registry, where partners' tools look.

import * as z from 'zod/mini';
import { ContactChoiceEvent, CustomerRepliedEvent, MessageReportedEvent, SlackAnsweredEvent } from './announcement-event.ts';
import { DeliveriesCountedEvent } from './deliveries-counted-event.ts';
import { SignalEvent } from './signal-event.ts';

const INBOUND = {
  'signal.received': { detail: SignalEvent, means: 'A customer asked for something. It opens a handoff when a contract starts on it.' },
  'contact.opted-out': { detail: ContactChoiceEvent, means: 'An address takes no more messages.' },
  'contact.opted-in': { detail: ContactChoiceEvent, means: 'An address takes messages again.' },
  'customer.replied': { detail: CustomerRepliedEvent, means: 'A customer answered a message; the words are in the signal of the same event id.' },
  'message.reported': { detail: MessageReportedEvent, means: 'A provider reports what became of a message.' },
  'slack.answered': { detail: SlackAnsweredEvent, means: 'Somebody pressed a button of ours in Slack.' },
  'deliveries.counted': { detail: DeliveriesCountedEvent, means: 'Figures of deliveries that were turned away.' },
} as const;

const SOURCE = 'baton.intake';

/** An inbound event in the form of a schema registry: named as AWS names discovered ones, JSON Schema draft 4, the envelope around the detail. */
export type InboundEventSchema = { name: string; description: string; content: string };

/** The registry's entries. Only what the reader of an event looks at is described; the bus adds the rest of the envelope. */
export const inboundEventSchemas = (): InboundEventSchema[] =>
  Object.entries(INBOUND).map(([detailType, { detail, means }]) => ({
    name: `${SOURCE}@${detailType}`,
    description: means,
    content: JSON.stringify({
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: detailType,
      type: 'object',
      'x-amazon-events-source': SOURCE,
      'x-amazon-events-detail-type': detailType,
      required: ['source', 'detail-type', 'detail'],
      properties: { source: { type: 'string', enum: [SOURCE] }, 'detail-type': { type: 'string', enum: [detailType] }, detail: detailSchema(detail) },
    }),
  }));

function detailSchema(detail: z.core.$ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(detail, { io: 'input', target: 'draft-4' });
  return schema;
}
