import { dynamodbClaimBook } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbDeliveryBook } from '../../shared/adapters/dynamodb-delivery-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { DeliveryEvent, type MessageReportedEvent } from '../../shared/contracts/announcement-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { awsAnnouncements } from '../../shared/sources/aws-delivery.ts';
import type { JsonObject } from '../../shared/sources/read-json.ts';
import { noteDelivery } from './note-delivery.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = { deliveries: dynamodbDeliveryBook(table), claims: dynamodbClaimBook(table), bus: eventbridgeEventBus(env('HANDOFF_BUS')) };

export const handler = eventHandler(DeliveryEvent, async (detail, { source, at }) => {
  const announcements = 'announcement' in detail ? [(detail as MessageReportedEvent).announcement] : awsAnnouncements(source, detail as JsonObject, at);
  await noteDelivery(deps, announcements);
  logger.info('delivery-noted', 'Reports about messages were noted', { source, count: announcements.length });
});
