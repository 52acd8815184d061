import { dynamodbClaimBook } from './dynamodb-claim-book.ts';
import { dynamodbLinkBook } from './dynamodb-link-book.ts';
import { dynamodbMessageLedger } from './dynamodb-message-ledger.ts';
import { dynamodbPauseBook } from './dynamodb-pause-book.ts';
import type { Table } from './dynamodb-table.ts';

/** What sending a message reads and writes: who claimed it, its links, its place in the hour, and whether sending is paused. */
export const dynamodbMessageBooks = (table: Table) => ({
  claims: dynamodbClaimBook(table),
  links: dynamodbLinkBook(table),
  ledger: dynamodbMessageLedger(table),
  pauses: dynamodbPauseBook(table),
});
