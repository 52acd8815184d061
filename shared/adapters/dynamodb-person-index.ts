import { parse } from '../contracts/contract-error.ts';
import { IndexKeys } from '../contracts/table-items.ts';
import { type HandoffId, handoffId, type PersonId } from '../domain/ids.ts';
import type { PersonIndex } from '../ports/absence-book.ts';
import { answeringKey, ownerKey } from './dynamodb-keys.ts';
import { readAll, type Table } from './dynamodb-table.ts';

/** The sparse index by person: offers and ownership under one key, exceptions under another, so that they do not count as load. */
export const dynamodbPersonIndex = (table: Table): PersonIndex => ({
  heldBy: async (person: PersonId) => (await Promise.all([ownerKey(person), answeringKey(person)].map((key) => under(table, key)))).flat(),
});

async function under(table: Table, key: string): Promise<HandoffId[]> {
  const items = await readAll(table, {
    IndexName: 'by-person',
    KeyConditionExpression: '#person = :person',
    ExpressionAttributeNames: { '#person': 'personPk' },
    ExpressionAttributeValues: { ':person': key },
  });
  return items.map((item) => handoffId(parse(IndexKeys, item, 'an entry of the index by person').pk.replace('HANDOFF#', '')));
}
