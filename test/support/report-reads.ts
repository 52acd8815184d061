// What a report reads of the table, in the units that AWS counts. 100 orphans stand among handoffs that are closed.

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { compileReport } from '../../functions/report-orphans/report-orphans.ts';
import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { digest, headKey, indexEntries } from '../../shared/adapters/dynamodb-keys.ts';
import type { Item, Table } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTallyBook } from '../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { aHandoff, anOffer, INA, later, NOW } from './builders.ts';

const BATCH = 25;
const AT_ONCE = 3;
/** A busy machine may let a batch time out; writing it again changes nothing. */
const ATTEMPTS = 8;

const numbered = (n: number, more: Partial<Handoff>): Handoff => aHandoff({ id: handoffId(`h-${digest(`handoff ${n}`).slice(0, 32)}`), ...more });
const orphan = (n: number): Handoff => numbered(n, { openedAt: later(NOW, -7200), changedAt: later(NOW, -7200), occurredAt: later(NOW, -7200) });
const closed = (n: number): Handoff =>
  numbered(n, { state: 'closed', version: 9, lastReceipt: 'handoff.closed', offers: [anOffer({ status: 'accepted' })], outcome: { kind: 'completed', at: NOW, by: INA } });

const rowOf = (handoff: Handoff): Item => ({ ...headKey(handoff.id), version: handoff.version, state: handoff.state, handoff, ...indexEntries(handoff) });

/** Rows of handoffs numbered from `from` up to `until`; the first `orphans` of all are orphans. */
export async function fillTable({ name, documents }: Table, { from = 0, until, orphans }: { from?: number; until: number; orphans: number }): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < until) {
      const first = next;
      next = Math.min(until, first + BATCH);
      const rows = Array.from({ length: next - first }, (_, n) => rowOf(first + n < orphans ? orphan(first + n) : closed(first + n)));
      await persist(() => documents.send(new BatchWriteCommand({ RequestItems: { [name]: rows.map((Item) => ({ PutRequest: { Item } })) } })));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function persist(write: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const failed = await write().then(
      () => false,
      () => true,
    );
    if (!failed) return;
  }
  await write();
}

/** Compiles a report and answers what it listed and read. The database counts: capacity units, as on AWS. */
export async function readsOfReport(table: Table): Promise<{ listed: number; requests: number; units: number }> {
  const spent = { requests: 0, units: 0 };
  table.documents.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as typeof args.input });
      const { ConsumedCapacity: consumed } = answer.output as { ConsumedCapacity?: Consumed | Consumed[] };
      spent.requests += 1;
      spent.units += [consumed].flat().reduce((sum, one) => sum + (one?.CapacityUnits ?? 0), 0);
      return answer;
    },
    { step: 'initialize', name: 'countReads', override: true, priority: 'high' },
  );
  const sources = { attention: dynamodbAttentionIndex(table), totals: dynamodbTotalsBook(table), tallies: dynamodbTallyBook(table) };
  const { rows } = await compileReport({ ...sources, time: { now: () => NOW }, zone: 'UTC' });
  return { listed: rows.length, ...spent };
}

type Consumed = { CapacityUnits?: number };
