// All stores at once, as fakes or on a real database, so that one suite proves both.

import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbClaimBook } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbDeliveryBook } from '../../shared/adapters/dynamodb-delivery-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbMatchBook } from '../../shared/adapters/dynamodb-match-book.ts';
import { dynamodbMessageLedger } from '../../shared/adapters/dynamodb-message-ledger.ts';
import { dynamodbOutcomeBook } from '../../shared/adapters/dynamodb-outcome-book.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbSuppressionBook } from '../../shared/adapters/dynamodb-suppression-book.ts';
import type { Table } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTallyBook } from '../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import { s3ReportShelf } from '../../shared/adapters/s3-report-shelf.ts';
import { sealUnder } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import type { ClaimBook } from '../../shared/ports/claim-book.ts';
import type { DeliveryBook } from '../../shared/ports/delivery-book.ts';
import type { HandoffStore, LinkBook, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { MatchBook } from '../../shared/ports/match-book.ts';
import type { MessageLedger } from '../../shared/ports/message-ledger.ts';
import type { OutcomeBook } from '../../shared/ports/outcome-book.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { PolicyPress } from '../../shared/ports/policy-press.ts';
import type { ReportShelf } from '../../shared/ports/report-shelf.ts';
import type { AttentionIndex, TotalsBook } from '../../shared/ports/report-sources.ts';
import type { SignalLog } from '../../shared/ports/signal-log.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';
import type { TallyBook } from '../../shared/ports/tally-book.ts';
import { createTable, engine, startDynamodb } from './dynamodb.ts';
import {
  memoryClaimBook,
  memoryDeliveryBook,
  memoryLinkBook,
  memoryMatchBook,
  memoryMessageLedger,
  memoryReportShelf,
  memorySuppressionBook,
  memoryWaitBook,
} from './memory-books.ts';
import { memoryHandoffStore } from './memory-handoff-store.ts';
import { memoryPolicyBook, memoryPolicyPress } from './memory-policy-book.ts';
import { memoryAttentionIndex, memoryOutcomeBook, memorySignalLog, memoryTallyBook, memoryTotalsBook } from './memory-report-sources.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';

export type Stores = {
  handoffs: HandoffStore;
  waits: WaitBook;
  links: LinkBook;
  signals: SignalLog;
  claims: ClaimBook;
  attention: AttentionIndex;
  totals: TotalsBook;
  policies: PolicyBook;
  press: PolicyPress;
  reports: ReportShelf;
  suppressions: SuppressionBook;
  deliveries: DeliveryBook;
  matches: MatchBook;
  ledger: MessageLedger;
  tallies: TallyBook;
  outcomes: OutcomeBook;
};

export const memoryStores = (table: MemoryTable = memoryTable()): Stores => ({
  handoffs: memoryHandoffStore(table),
  waits: memoryWaitBook(table),
  links: memoryLinkBook(table),
  signals: memorySignalLog(table),
  claims: memoryClaimBook(table),
  attention: memoryAttentionIndex(table),
  totals: memoryTotalsBook(table),
  policies: memoryPolicyBook(table),
  press: memoryPolicyPress(table),
  reports: memoryReportShelf(table),
  suppressions: memorySuppressionBook(table),
  deliveries: memoryDeliveryBook(table),
  matches: memoryMatchBook(table),
  ledger: memoryMessageLedger(table),
  tallies: memoryTallyBook(table),
  outcomes: memoryOutcomeBook(table),
});

export const dynamodbStores = (table: Table): Stores => ({
  handoffs: dynamodbHandoffStore(table),
  waits: dynamodbWaitBook(table),
  links: dynamodbLinkBook(table),
  signals: dynamodbSignalLog(table),
  claims: dynamodbClaimBook(table),
  attention: dynamodbAttentionIndex(table),
  totals: dynamodbTotalsBook(table),
  policies: dynamodbPolicyBook(table),
  press: dynamodbPolicyPress(table),
  reports: s3ReportShelf(table, 'no-bucket', { region: 'us-east-1', credentials: async () => ({ accessKeyId: 'none', secretAccessKey: 'none' }) }),
  suppressions: dynamodbSuppressionBook(
    table,
    sealUnder(async () => 'a secret of the tests that is long enough'),
  ),
  deliveries: dynamodbDeliveryBook(table),
  matches: dynamodbMatchBook(table),
  ledger: dynamodbMessageLedger(table),
  tallies: dynamodbTallyBook(table),
  outcomes: dynamodbOutcomeBook(table),
});

export type StoreKind = { name: string; start: () => Promise<{ fresh: () => Promise<Stores>; stop: () => Promise<void> }> };

/** The fake and the real thing; `fresh` gives an empty table of its own. */
export const storeKinds = (prefix: string): StoreKind[] => [
  { name: 'in memory', start: async () => ({ fresh: async () => memoryStores(), stop: async () => {} }) },
  {
    name: engine,
    start: async () => {
      const database = await startDynamodb();
      let count = 0;
      const fresh = async () => {
        count += 1;
        return dynamodbStores(await createTable(database.endpoint, `${prefix}-${count}`));
      };
      return { fresh, stop: database.stop };
    },
  },
];
