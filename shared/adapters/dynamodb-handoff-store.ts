import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from '../contracts/contract-error.ts';
import { ReceiptItem } from '../contracts/table-items.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { PersonId } from '../domain/ids.ts';
import { heldCapacity } from '../domain/load.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Alongside, Appended, HandoffStore } from '../ports/handoff-store.ts';
import { dynamodbHandoffReader, readHandoff } from './dynamodb-handoff-reader.ts';
import { headKey, ownerKey, receiptKey } from './dynamodb-keys.ts';
import { isLoadOf, readLoads } from './dynamodb-load.ts';
import { type Item, readItems, type Table } from './dynamodb-table.ts';
import { transitionWrites } from './dynamodb-transition.ts';
import { transact, type Write } from './dynamodb-writer.ts';

/** Handoffs in the table. One transaction decides every race (architecture.md, decision 1). */
export function dynamodbHandoffStore(table: Table): HandoffStore {
  return {
    ...dynamodbHandoffReader(table),

    async append(before, after, receipts, alongside = {}) {
      const writes = transitionWrites({ before, after, receipts, alongside });
      const written = await transact(table, writes);
      if (written.kind === 'written') return written;
      return readBack(table, { before, after, receipts, alongside, limited: isLimited(after, receipts) && refusedAtOwner(after, writes, written.reasons) });
    },

    async openCounts(people) {
      const counts = await Promise.all([...new Set(people)].map(async (person) => [person, await openCount(table, person)] as const));
      return Object.fromEntries(counts);
    },

    loads: (people) => readLoads(table, people),
  };
}

/** A failed condition is read back and answered (DB-01): our own command at our own number means that we were heard. */
async function readBack(table: Table, { before, after: { id }, receipts, alongside, limited }: Refused): Promise<Appended> {
  const [first] = receipts;
  if (first === undefined) throw new Error('nothing was appended');
  const [head, stored] = await readItems(table, [headKey(id), receiptKey(id, first.seq)]);
  // Another arrival may have written a key first; whoever opens reads the keys again.
  if (head === undefined && before === undefined && alongside.matches !== undefined) return { kind: 'stale' };
  if (head === undefined) throw new Error(`handoff ${id} cannot be written: ${before === undefined ? 'its signal does not wait to be opened' : 'its row is gone'}`);
  const winner = stored === undefined ? undefined : parse(ReceiptItem, stored, `a stored receipt of ${id}`).receipt;
  const handoff = readHandoff(head, id);
  if (winner?.commandId === first.commandId) return { kind: 'already-applied', handoff };
  return limited && handoff.version === before?.version ? { kind: 'at-capacity' } : { kind: 'stale' };
}

type Refused = { before: Handoff | undefined; after: Handoff; receipts: readonly Receipt[]; alongside: Alongside; limited: boolean };

const isLimited = (after: Handoff, receipts: readonly Receipt[]): boolean =>
  heldCapacity(after) !== undefined && receipts.some((receipt) => receipt.kind === 'offer.accepted' && receipt.capacity !== undefined);

function refusedAtOwner(after: Handoff, writes: readonly Write[], reasons: readonly string[]): boolean {
  const owner = heldCapacity(after);
  return owner !== undefined && writes.some((write, index) => isLoadOf(write, owner) && reasons[index] === 'ConditionalCheckFailed');
}

async function openCount(table: Table, person: PersonId): Promise<number> {
  let count = 0;
  let from: Item | undefined;
  do {
    const page = await table.documents.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'by-person',
        Select: 'COUNT',
        KeyConditionExpression: '#person = :person',
        ExpressionAttributeNames: { '#person': 'personPk' },
        ExpressionAttributeValues: { ':person': ownerKey(person) },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    count += page.Count ?? 0;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return count;
}
