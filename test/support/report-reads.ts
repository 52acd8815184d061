// What a report reads of the table, in the units that AWS counts. 100 orphans stand among handoffs that are closed.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { compileReport } from '../../functions/report-orphans/report-orphans.ts';
import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { digest, headKey, indexEntries } from '../../shared/adapters/dynamodb-keys.ts';
import type { Item, Table } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTallyBook } from '../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { aHandoff, anOffer, INA, later, NOW } from './builders.ts';
import { startDynamodb, type TestDynamodb, tableShape } from './dynamodb.ts';

const BATCH = 25;
const AT_ONCE = 3;
/** A busy machine may let a batch time out; writing it again changes nothing. */
const ATTEMPTS = 8;

const idOf = (n: number) => handoffId(`h-${digest(`handoff ${n}`).slice(0, 32)}`);
const numbered = (n: number, more: Partial<Handoff>): Handoff => aHandoff({ id: idOf(n), ...more });
const orphan = (n: number): Handoff => numbered(n, { openedAt: later(NOW, -7200), changedAt: later(NOW, -7200), occurredAt: later(NOW, -7200) });
const closed = (n: number): Handoff =>
  numbered(n, { state: 'closed', version: 9, lastReceipt: 'handoff.closed', offers: [anOffer({ status: 'accepted' })], outcome: { kind: 'completed', at: NOW, by: INA } });

const rowOf = (handoff: Handoff): Item => ({ ...headKey(handoff.id), version: handoff.version, state: handoff.state, handoff, ...indexEntries(handoff) });

/**
 * A database that holds such rows from its start: brought in as an export, which takes seconds where writing a hundred thousand
 * rows takes minutes, most of it for a stream that no report reads.
 */
export async function startFilled(name: string, { until, orphans }: { until: number; orphans: number }): Promise<TestDynamodb> {
  const home = mkdtempSync(join(tmpdir(), 'baton-export-'));
  try {
    const { StreamSpecification: _, BillingMode: __, ...shape } = tableShape;
    const description = join(home, 'table.json');
    writeFileSync(description, JSON.stringify({ Table: { ...shape, TableName: name, TableStatus: 'ACTIVE' } }));
    mkdirSync(join(home, 'rows', name, 'data'), { recursive: true });
    for (let from = 0; from < until; from += FILE) {
      const lines = Array.from({ length: Math.min(FILE, until - from) }, (__, n) => (from + n < orphans ? exported(orphan(from + n)) : another(from + n)));
      writeFileSync(join(home, 'rows', name, 'data', `${from}.json.gz`), gzipSync(`${lines.join('\n')}\n`, { level: 1 }));
    }
    return await startDynamodb({ folder: join(home, 'rows'), description });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const FILE = 10_000;

const exported = (handoff: Handoff): string => JSON.stringify({ Item: marshall(rowOf(handoff), { removeUndefinedValues: true }) });

/** A closed handoff like every other, under an id of its own. */
const TEMPLATE = exported(closed(0)).split(closed(0).id);
const another = (n: number): string => TEMPLATE.join(idOf(n));

const numberedRow = (n: number, orphans: number): Item => rowOf(n < orphans ? orphan(n) : closed(n));

/** Rows of handoffs numbered from `from` up to `until`; the first `orphans` of all are orphans. */
export async function fillTable({ name, documents }: Table, { from = 0, until, orphans }: { from?: number; until: number; orphans: number }): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < until) {
      const first = next;
      next = Math.min(until, first + BATCH);
      const rows = Array.from({ length: next - first }, (_, n) => numberedRow(first + n, orphans));
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
