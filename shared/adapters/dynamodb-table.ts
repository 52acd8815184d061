// The one way into the table: clients, guards and reads. Reads that decide are consistent (DB-07); only indexes cannot be.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from './dynamodb-keys.ts';
import { persist, type Waiting } from './dynamodb-retry.ts';

export type Item = Record<string, unknown>;

/** The table of all handoffs, with how to wait between attempts. */
export type Table = Waiting & { name: string; documents: DynamoDBDocumentClient };

/**
 * Opens the table by name; region, credentials and endpoint come from the environment. A function opens it once, outside
 * its handler. Connections that hang are given up early, because a person is waiting at the other end.
 */
export function dynamodbTable(name: string, options: Partial<Waiting> & { client?: DynamoDBClient } = {}): Table {
  const client = options.client ?? new DynamoDBClient(CLIENT_SETTINGS);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return { name, documents, pause: options.pause ?? pause, chance: options.chance ?? Math.random };
}

/** One second to connect, three to answer, three attempts: a lost response is sent again, and the conditions make that harmless (DB-01). */
export const CLIENT_SETTINGS = { maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true } };

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** One item as it is now, or undefined. */
export async function readItem(table: Table, key: Key): Promise<Item | undefined> {
  const { Item: item } = await table.documents.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  return item;
}

/** Several items as they are now, in the order of their keys; undefined where there is none. Keys must differ. */
export async function readItems(table: Table, keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  for (let start = 0; start < keys.length; start += BATCH) await readBatch(table, keys.slice(start, start + BATCH), found);
  return keys.map((key) => found.get(nameOf(key)));
}

/** The most items that one BatchGetItem may ask for. */
const BATCH = 100;

const nameOf = (key: Item | Key) => `${key.pk}\n${key.sk}`;

/** What a batch leaves unprocessed is asked for again (DB-17). */
async function readBatch(table: Table, keys: readonly Key[], found: Map<string, Item>): Promise<void> {
  let open: Record<string, unknown>[] = [...keys];
  await persist(table, async () => {
    const answer = await table.documents.send(new BatchGetCommand({ RequestItems: { [table.name]: { Keys: open, ConsistentRead: true } } }));
    for (const item of answer.Responses?.[table.name] ?? []) found.set(nameOf(item), item);
    open = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    return open.length === 0 ? { kind: 'done', value: undefined } : { kind: 'again', cause: new Error(`${open.length} keys of a batch were left unprocessed`) };
  });
}

/** Every item of one partition whose sort key begins so, in order, as they are now. All of it without a prefix: DynamoDB refuses an empty one in a condition (DB-15). */
export function readRange(table: Table, pk: string, prefix = ''): Promise<Item[]> {
  const all = prefix === '';
  return readAll(table, {
    KeyConditionExpression: all ? '#pk = :pk' : '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', ...(!all && { '#sk': 'sk' }) },
    ExpressionAttributeValues: { ':pk': pk, ...(!all && { ':prefix': prefix }) },
    ConsistentRead: true,
  });
}

/** Every item that a query finds, page by page. */
export async function readAll(table: Table, query: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await table.documents.send(new QueryCommand({ ...query, TableName: table.name, ...(from && { ExclusiveStartKey: from }) }));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}
