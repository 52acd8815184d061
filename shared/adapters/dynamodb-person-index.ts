import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from '../contracts/contract-error.ts';
import { IndexKeys } from '../contracts/table-items.ts';
import { type HandoffId, handoffId, type PersonId } from '../domain/ids.ts';
import type { PersonIndex } from '../ports/absence-book.ts';
import { answeringKey, ownerKey } from './dynamodb-keys.ts';
import type { Item, Table } from './dynamodb-table.ts';

/** The sparse index by person: offers and ownership under one key, exceptions under another, so that they do not count as load. */
export const dynamodbPersonIndex = (table: Table): PersonIndex => ({
  heldBy: async (person: PersonId) => (await Promise.all([ownerKey(person), answeringKey(person)].map((key) => under(table, key)))).flat(),
});

async function under(table: Table, key: string): Promise<HandoffId[]> {
  const found: HandoffId[] = [];
  let from: Item | undefined;
  do {
    const page = await table.documents.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'by-person',
        KeyConditionExpression: '#person = :person',
        ExpressionAttributeNames: { '#person': 'personPk' },
        ExpressionAttributeValues: { ':person': key },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    found.push(...(page.Items ?? []).map((item) => handoffId(parse(IndexKeys, item, 'an entry of the index by person').pk.replace('HANDOFF#', ''))));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return found;
}
