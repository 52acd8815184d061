import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { dynamodbClaimBook } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbDeliveryBook } from '../../shared/adapters/dynamodb-delivery-book.ts';
import { aRoofInspection } from '../support/leads.ts';
import { type Baton, story } from '../support/story.ts';

/** Everybody of the roster says STOP on the text channel. */
async function everybodySaysStop(baton: Baton): Promise<void> {
  const numbers = baton.policy.roster.people.flatMap(({ sms }) => (sms === undefined ? [] : [sms]));
  const Entries = numbers.map((address, index) => ({
    Source: 'baton.intake',
    DetailType: 'contact.opted-out',
    EventBusName: baton.installation.outputs.BusName,
    Detail: JSON.stringify({
      schemaVersion: '1',
      announcement: {
        kind: 'contact.opted-out',
        source: 'sns',
        eventId: `sms:stop-${index}`,
        occurredAt: new Date(baton.runtime.now()).toISOString(),
        channel: 'sms',
        address,
        because: 'keyword',
      },
    }),
  }));
  for (let from = 0; from < Entries.length; from += 10) await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: Entries.slice(from, from + 10) }));
  await baton.runtime.idle();
}

story('MS-14 MS-15 CC-04: after STOP an offer goes by e-mail alone, and what SES says of it is noted beside the handoff', async (baton) => {
  const before = await baton.givenSignal(aRoofInspection());
  const [asked] = await baton.candidates(before);
  expect(await baton.messagesTo(asked, before, 'sms')).toHaveLength(1);

  await everybodySaysStop(baton);
  const after = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(after);
  expect(await baton.messagesTo(primary, after, 'sms')).toEqual([]);
  expect(await baton.messagesTo(primary, after, 'email')).toHaveLength(1);

  const claims = dynamodbClaimBook(baton.table);
  expect(await claims.find(after, 'acceptance.requested:3:sms')).toMatchObject({ result: 'skipped', detail: 'this address takes no messages: keyword' });
  const mail = await claims.find(after, 'acceptance.requested:3:email');
  const reports = await dynamodbDeliveryBook(baton.table).reports('ses', mail?.detail ?? '');
  expect(reports.map(({ state }) => state).sort()).toEqual(['delivered', 'sent']);
  expect(reports[0]).toMatchObject({ reference: `${after}:acceptance.requested:3:email` });
  await baton.thenReceipts(after, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'delivery.failed']);
});
