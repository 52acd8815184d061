// Everything that was ever handed over, for trying a proposed policy on it. It reads the whole table, so only a person at a keyboard asks for it.

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from '../contracts/contract-error.ts';
import { HeadItem, PacketItem, ReceiptItem } from '../contracts/table-items.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { Recorded } from '../domain/policy-replay.ts';
import { headKey, packetKey } from './dynamodb-keys.ts';
import { type Item, readItem, readRange, type Table } from './dynamodb-table.ts';

/** How many handoffs are read at a time. */
const AT_ONCE = 8;

/** At most so many handoffs with how they were resolved: accepted ones first, then the newest. */
export async function readRecords(table: Table, most: number): Promise<Recorded[]> {
  const heads = await readHeads(table);
  const accepted = (handoff: Handoff) => Number(handoff.offers.some((offer) => offer.status === 'accepted'));
  const chosen = heads.sort((a, b) => accepted(b) - accepted(a) || (a.openedAt < b.openedAt ? 1 : -1)).slice(0, most);
  const records: Recorded[] = [];
  for (let start = 0; start < chosen.length; start += AT_ONCE)
    records.push(...(await Promise.all(chosen.slice(start, start + AT_ONCE).map((handoff) => readRecord(table, handoff)))));
  return records;
}

async function readRecord(table: Table, handoff: Handoff): Promise<Recorded> {
  const { id } = handoff;
  const receipts = (await readRange(table, headKey(id).pk, 'RECEIPT#')).map((item) => parse(ReceiptItem, item, `a stored receipt of ${id}`).receipt);
  const resolved = receipts.find((receipt) => receipt.kind === 'candidates.resolved');
  const item = await readItem(table, packetKey(id, resolved?.packetVersion ?? handoff.packetVersion));
  if (item === undefined) throw new Error(`handoff ${id} has lost a packet`);
  return { handoff, packet: parse(PacketItem, item, `a stored packet of ${id}`).packet, ...(resolved !== undefined && { resolved }) };
}

async function readHeads(table: Table): Promise<Handoff[]> {
  const heads: Handoff[] = [];
  let from: Item | undefined;
  do {
    const page = await table.documents.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: '#sk = :head',
        ExpressionAttributeNames: { '#sk': 'sk' },
        ExpressionAttributeValues: { ':head': 'HEAD' },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    for (const item of page.Items ?? []) heads.push(parse(HeadItem, item, 'a stored row').handoff);
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return heads;
}
