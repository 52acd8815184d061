// Everything in the table that says who a person is, found and overwritten by a person at a keyboard. It reads the whole table.

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from '../contracts/contract-error.ts';
import { ConflictItem, GeneratedItem, HeadItem, NoteItem, PacketItem, SignalItem } from '../contracts/table-items.ts';
import { ERASED, erasedPacket, erasedSignal } from '../domain/erasure.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { Packet } from '../domain/packet.ts';
import type { RecordedSignal } from '../ports/signal-log.ts';
import { headKey, type Key, signalKey } from './dynamodb-keys.ts';
import { type Item, readRange, type Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

/** What there is of one person. */
export type Traces = { handoffs: Handoff[]; signals: { source: string; eventId: string; rawRef?: string }[] };

/** Every handoff of the contact that this one is about, what they were opened from and joined by, and signals that opened nothing and name the same address or number. */
export async function tracesOf(table: Table, { contactRef }: Handoff): Promise<Traces> {
  const { heads, signals } = await scanned(table);
  const handoffs = heads.filter((one) => one.contactRef === contactRef);
  const packets = (await Promise.all(handoffs.map(({ id }) => packetsOf(table, headKey(id).pk)))).flat();
  const named = new Set(packets.flatMap(({ sources }) => sources.map(({ system, eventId }) => signalKey({ source: system, eventId }).pk)));
  const reached = new Set(packets.flatMap(({ contact }) => reachesOf(contact)));
  const mine = ({ signal, standing }: RecordedSignal) =>
    named.has(signalKey(signal).pk) || (standing.kind === 'ignored' && reachesOf(signal.contact).some((reach) => reached.has(reach)));
  return { handoffs, signals: signals.filter(mine).map(({ signal: { source, eventId, rawRef } }) => ({ source, eventId, ...(rawRef !== undefined && { rawRef }) })) };
}

/** Overwrites them. Repeating it changes nothing more; whoever dies in between does the rest by repeating it. */
export async function eraseTraces(table: Table, { handoffs, signals }: Traces): Promise<void> {
  for (const { id } of handoffs) for (const item of await readRange(table, headKey(id).pk)) await overwrite(table, item);
  for (const signal of signals) for (const item of await readRange(table, signalKey(signal).pk)) await overwrite(table, item);
}

const packetsOf = async (table: Table, pk: string): Promise<Packet[]> => (await readRange(table, pk, 'PACKET#')).map((item) => parse(PacketItem, item, 'a stored packet').packet);

const reachesOf = ({ email, phone }: Packet['contact']): string[] => [email, phone].flatMap((one) => (one === undefined ? [] : [one.trim().toLowerCase()]));

async function overwrite(table: Table, item: Item): Promise<void> {
  const key: Key = { pk: String(item.pk), sk: String(item.sk) };
  const kind = key.sk.split('#')[0] ?? '';
  const erase = Object.hasOwn(ERASERS, kind) ? ERASERS[kind] : undefined;
  if (erase === undefined) return;
  const { name, value } = erase(item);
  const names = { '#pk': 'pk', '#erased': name };
  await write(table, { kind: 'update', key, change: 'SET #erased = :erased', condition: 'attribute_exists(#pk)', names, values: { ':erased': value } });
}

/** The attribute that holds what was said, by the kind of item, and what becomes of it. Heads, receipts and acceptances hold pseudonyms only (PI-01). */
const ERASERS: Readonly<Record<string, (item: Item) => { name: string; value: unknown }>> = {
  PACKET: (item) => ({ name: 'packet', value: erasedPacket(parse(PacketItem, item, 'a stored packet').packet) }),
  NOTE: (item) => ({ name: 'note', value: { ...parse(NoteItem, item, 'a stored note').note, text: ERASED } }),
  GENERATED: (item) => {
    const { generator, generatorVersion, at } = parse(GeneratedItem, item, 'a generated text').generated;
    return { name: 'generated', value: { generator, generatorVersion, at } };
  },
  SIGNAL: (item) => ({ name: 'signal', value: erasedSignal(parse(SignalItem, item, 'a stored signal').signal) }),
  CONFLICT: (item) => ({ name: 'signal', value: erasedSignal(parse(ConflictItem, item, 'a signal in conflict').signal) }),
};

async function scanned(table: Table): Promise<{ heads: Handoff[]; signals: RecordedSignal[] }> {
  const found: { heads: Handoff[]; signals: RecordedSignal[] } = { heads: [], signals: [] };
  let from: Item | undefined;
  do {
    const page = await table.documents.send(
      new ScanCommand({
        TableName: table.name,
        ConsistentRead: true,
        FilterExpression: '#sk = :head OR #sk = :signal',
        ExpressionAttributeNames: { '#sk': 'sk' },
        ExpressionAttributeValues: { ':head': 'HEAD', ':signal': 'SIGNAL' },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    for (const item of page.Items ?? []) {
      if (item.sk === 'HEAD') found.heads.push(parse(HeadItem, item, 'a stored row').handoff);
      else found.signals.push(parse(SignalItem, item, 'a stored signal'));
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return found;
}
