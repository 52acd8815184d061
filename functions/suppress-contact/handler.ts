import { dynamodbQuarantine } from '../../shared/adapters/dynamodb-quarantine.ts';
import { dynamodbSuppressionBook } from '../../shared/adapters/dynamodb-suppression-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { contactSeal } from '../../shared/adapters/secretsmanager-contact-seal.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { ContactChoiceEvent } from '../../shared/contracts/announcement-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { suppressContact } from './suppress-contact.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = { suppressions: dynamodbSuppressionBook(table, contactSeal(env('BATON_SECRET'))) };
const quarantine = dynamodbQuarantine(table, systemTime);

export const handler = eventHandler(
  ContactChoiceEvent,
  async ({ announcement }) => {
    await suppressContact(deps, announcement);
    const { kind: outcome, source, eventId, because } = announcement;
    logger.info('contact-choice-noted', 'An address was shut or opened for messages', { outcome, source, eventId, because });
  },
  { quarantine: quarantine.keep },
);
