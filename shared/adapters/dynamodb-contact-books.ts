import type { ContactSeal } from '../ports/seal.ts';
import { dynamodbPauseBook } from './dynamodb-pause-book.ts';
import { dynamodbSuppressionBook } from './dynamodb-suppression-book.ts';
import type { Table } from './dynamodb-table.ts';

/** What stands against contacting somebody: their own word, and a pause. */
export const dynamodbContactBooks = (table: Table, seal: ContactSeal) => ({ suppressions: dynamodbSuppressionBook(table, seal), pauses: dynamodbPauseBook(table) });
