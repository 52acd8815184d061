import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from '../contracts/contract-error.ts';
import { AcceptanceItem, GeneratedItem, HeadItem, NoteItem, PacketItem, ReceiptItem } from '../contracts/table-items.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { HandoffId, PersonId } from '../domain/ids.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Alongside, Appended, HandoffStore, LoadedHandoff } from '../ports/handoff-store.ts';
import { generatedKey, headKey, ownerKey, packetKey, receiptKey } from './dynamodb-keys.ts';
import { type Item, readItem, readItems, readRange, type Table } from './dynamodb-table.ts';
import { transitionWrites } from './dynamodb-transition.ts';
import { transact } from './dynamodb-writer.ts';

/** Handoffs in the table. One transaction decides every race (architecture.md, decision 1). */
export function dynamodbHandoffStore(table: Table): HandoffStore {
  return {
    load: (id) => load(table, id),

    async append(before, after, receipts, alongside = {}) {
      const written = await transact(table, transitionWrites({ before, after, receipts, alongside }));
      return written.kind === 'written' ? written : readBack(table, { before, id: after.id, receipts, alongside });
    },

    async receipts(id) {
      const items = await readRange(table, headKey(id).pk, 'RECEIPT#');
      return items.map((item) => parse(ReceiptItem, item, `a stored receipt of ${id}`).receipt);
    },

    async notes(id) {
      const items = await readRange(table, headKey(id).pk, 'NOTE#');
      return items.map((item) => parse(NoteItem, item, `a stored note of ${id}`).note);
    },

    async acceptances(id) {
      const items = await readRange(table, headKey(id).pk, 'ACCEPTANCE#');
      return items.map((item) => parse(AcceptanceItem, item, `a stored acceptance of ${id}`));
    },

    async openCounts(people) {
      const counts = await Promise.all([...new Set(people)].map(async (person) => [person, await openCount(table, person)] as const));
      return Object.fromEntries(counts);
    },
  };
}

/** One request: nearly every handoff has one packet, so it is asked for together with the row; a newer one costs one more read. */
async function load(table: Table, id: HandoffId): Promise<LoadedHandoff | undefined> {
  const [head, first] = await readItems(table, [headKey(id), packetKey(id, FIRST_PACKET)]);
  if (head === undefined) return undefined;
  const handoff = readHandoff(head, id);
  const item = handoff.packetVersion === FIRST_PACKET ? first : await readItem(table, packetKey(id, handoff.packetVersion));
  if (item === undefined) throw new Error(`handoff ${id} has lost its packet ${handoff.packetVersion}`);
  const { packet } = parse(PacketItem, item, `the stored packet of ${id}`);
  if (handoff.generated === undefined) return { handoff, packet };
  const generated = await readItem(table, generatedKey(id, handoff.generated.seq));
  return { handoff, packet: generated === undefined ? packet : { ...packet, generated: parse(GeneratedItem, generated, `the generated text of ${id}`).generated } };
}

const FIRST_PACKET = 1;

export const readHandoff = (item: Item, id: string): Handoff => parse(HeadItem, item, `the stored row of ${id}`).handoff;

/** A failed condition is read back and answered (DB-01): our own command at our own number means that we were heard. */
async function readBack(
  table: Table,
  { before, id, receipts, alongside }: { before: Handoff | undefined; id: HandoffId; receipts: readonly Receipt[]; alongside: Alongside },
): Promise<Appended> {
  const [first] = receipts;
  if (first === undefined) throw new Error('nothing was appended');
  const [head, stored] = await readItems(table, [headKey(id), receiptKey(id, first.seq)]);
  // Another arrival may have written a key first; whoever opens reads the keys again.
  if (head === undefined && before === undefined && alongside.matches !== undefined) return { kind: 'stale' };
  if (head === undefined) throw new Error(`handoff ${id} cannot be written: ${before === undefined ? 'its signal does not wait to be opened' : 'its row is gone'}`);
  const winner = stored === undefined ? undefined : parse(ReceiptItem, stored, `a stored receipt of ${id}`).receipt;
  return winner?.commandId === first.commandId ? { kind: 'already-applied', handoff: readHandoff(head, id) } : { kind: 'stale' };
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
