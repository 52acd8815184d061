// BATON_BUS=<BusName> node put-signal.ts <your event id>
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

const now = new Date().toISOString();
const signal = {
  ...{ source: 'website', eventId: process.argv[2], kind: 'form.submitted', occurredAt: now, receivedAt: now },
  contact: { name: 'Ada Bell', email: 'ada@example.com' },
  ...{ request: { words: 'Leak over the kitchen', category: 'roof-repair' }, location: { postalCode: '97201' }, consent: {}, more: {} },
};
const entry = { EventBusName: process.env.BATON_BUS, Source: 'baton.intake', DetailType: 'signal.received', Detail: JSON.stringify({ schemaVersion: '1', signal }) };
const { FailedEntryCount } = await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [entry] }));
if (FailedEntryCount !== 0) throw new Error('not taken: send it again, under the same event id');
