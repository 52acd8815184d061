import { parse } from '../contracts/contract-error.ts';
import { AcceptanceItem, GeneratedItem, HeadItem, NoteItem, PacketItem, ReceiptItem } from '../contracts/table-items.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { HandoffId } from '../domain/ids.ts';
import type { HandoffReader, LoadedHandoff } from '../ports/handoff-store.ts';
import { generatedKey, headKey, packetKey } from './dynamodb-keys.ts';
import { type Item, readItem, readItems, readRange, type Table } from './dynamodb-table.ts';

/** Handoffs as they stand in the table, for whoever only looks: without what writes them, so that its function stays small. */
export function dynamodbHandoffReader(table: Table): HandoffReader {
  return {
    load: (id) => load(table, id),

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
  };
}

/** One request: nearly every handoff has one packet, so it is asked for together with the row; a newer one costs one more read. */
async function load(table: Table, id: HandoffId): Promise<LoadedHandoff | undefined> {
  const [head, packet] = await readItems(table, [headKey(id), packetKey(id, FIRST_PACKET)]);
  return loadedFrom(table, id, { head, packet });
}

/** A handoff of the items that were asked for with its id. */
export async function loadedFrom(table: Table, id: HandoffId, { head, packet: first }: { head: Item | undefined; packet: Item | undefined }): Promise<LoadedHandoff | undefined> {
  if (head === undefined) return undefined;
  const handoff = readHandoff(head, id);
  const item = handoff.packetVersion === FIRST_PACKET ? first : await readItem(table, packetKey(id, handoff.packetVersion));
  if (item === undefined) throw new Error(`handoff ${id} has lost its packet ${handoff.packetVersion}`);
  const { packet } = parse(PacketItem, item, `the stored packet of ${id}`);
  if (handoff.generated === undefined) return { handoff, packet };
  const generated = await readItem(table, generatedKey(id, handoff.generated.seq));
  return { handoff, packet: generated === undefined ? packet : { ...packet, generated: parse(GeneratedItem, generated, `the generated text of ${id}`).generated } };
}

export const FIRST_PACKET = 1;

export const readHandoff = (item: Item, id: string): Handoff => parse(HeadItem, item, `the stored row of ${id}`).handoff;
