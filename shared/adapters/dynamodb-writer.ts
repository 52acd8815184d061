// The one place that writes. It refuses what DynamoDB would refuse at run time, or what an emulator would let pass
// (LR-02): empty keys, bare attribute names, two actions on one item.

import { PutCommand, TransactWriteCommand, type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { digest, type Key } from './dynamodb-keys.ts';
import { cancellationReasons, isBusy, judge, persist } from './dynamodb-retry.ts';
import type { Item, Table } from './dynamodb-table.ts';

/** An expression whose attribute names are all `#` placeholders, with what they and the `:` values stand for. */
export type Expression = { text: string; names: Record<string, string>; values?: Record<string, unknown> };

export type Write =
  | { kind: 'put'; item: Item & Key; condition?: Expression }
  | { kind: 'update'; key: Key; change: string; condition?: string; names: Record<string, string>; values: Record<string, unknown> }
  | { kind: 'check'; key: Key; condition: Expression };

/** The item must not exist yet. */
export const absent: Expression = { text: 'attribute_not_exists(#pk)', names: { '#pk': 'pk' } };

export type Written = { kind: 'written' } | { kind: 'refused'; reasons: readonly string[] };

/** More than this in one transaction means that somebody put a list where a row of its own belongs (DB-05). */
export const MOST_WRITES = 14;

/**
 * Writes everything or nothing. Conflicts and throttling are retried with jitter, at most five times, and then thrown as
 * `TableBusy`. A failed condition is an answer: `refused`, with a reason for each write in order.
 *
 * The request token is a hash of the content, so that the SDK's own repetition of a lost request counts once, while another
 * request never meets this one's token with other parameters (DB-02). After the ten minutes of the token, the conditions remain.
 */
export async function transact(table: Table, writes: readonly Write[]): Promise<Written> {
  guard(writes);
  const TransactItems = writes.map((write) => transactItem(table.name, write));
  const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: digest(JSON.stringify(TransactItems)).slice(0, 36) });
  return persist<Written>(table, async () => {
    try {
      await table.documents.send(command);
      return { kind: 'done', value: { kind: 'written' } };
    } catch (error) {
      if (isBusy(error)) return { kind: 'again', cause: error };
      const reasons = cancellationReasons(error);
      if (reasons === undefined) throw error;
      const meaning = judge(reasons);
      if (meaning === 'refused') return { kind: 'done', value: { kind: 'refused', reasons } };
      if (meaning === 'busy') return { kind: 'again', cause: error };
      throw new Error(`the table refused a transaction: ${reasons.join(', ')}`, { cause: error });
    }
  });
}

/** Writes one item. False when its condition failed; conflicts with a running transaction are retried (DB-04). */
export async function write(table: Table, one: Exclude<Write, { kind: 'check' }>): Promise<boolean> {
  guard([one]);
  const command = one.kind === 'put' ? new PutCommand(putInput(table.name, one)) : new UpdateCommand(updateInput(table.name, one));
  return persist<boolean>(table, async () => {
    try {
      await (command instanceof PutCommand ? table.documents.send(command) : table.documents.send(command));
      return { kind: 'done', value: true };
    } catch (error) {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return { kind: 'done', value: false };
      if (isBusy(error)) return { kind: 'again', cause: error };
      throw error;
    }
  });
}

function transactItem(table: string, one: Write): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
  switch (one.kind) {
    case 'put':
      return { Put: putInput(table, one) };
    case 'update':
      return { Update: updateInput(table, one) };
    case 'check':
      return { ConditionCheck: { TableName: table, Key: one.key, ConditionExpression: one.condition.text, ...placeholders(one.condition) } };
  }
}

const putInput = (table: string, { item, condition }: Extract<Write, { kind: 'put' }>) => ({
  TableName: table,
  Item: item,
  ...(condition && { ConditionExpression: condition.text, ...placeholders(condition) }),
});

const updateInput = (table: string, { key, change, condition, names, values }: Extract<Write, { kind: 'update' }>) => ({
  TableName: table,
  Key: key,
  UpdateExpression: change,
  ...(condition !== undefined && { ConditionExpression: condition }),
  ...placeholders({ names, values }),
});

const placeholders = ({ names, values }: Pick<Expression, 'names' | 'values'>) => ({
  ExpressionAttributeNames: names,
  ...(values !== undefined && Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
});

const KEY_ATTRIBUTES = ['pk', 'sk', 'openPk', 'openSk', 'personPk', 'personSk'] as const;
const REQUIRED_KEYS: ReadonlySet<string> = new Set(['pk', 'sk']);

/** Refuses writes that no table should ever see. Throws, because only a fault in our own code leads here. */
export function guard(writes: readonly Write[]): void {
  if (writes.length > MOST_WRITES) throw new Error(`a transaction of ${writes.length} writes is longer than ${MOST_WRITES}`);
  const seen = new Set<string>();
  for (const one of writes) {
    const target = one.kind === 'put' ? one.item : one.key;
    guardKeys(target);
    guardNested(one.kind === 'put' ? one.item : one.kind === 'update' ? one.values : {});
    guardExpressions(one);
    const name = `${target.pk}\n${target.sk}`;
    if (seen.has(name)) throw new Error(`two writes of one transaction meet on ${target.pk} / ${target.sk}`);
    seen.add(name);
  }
}

/** Key attributes are never empty and never null: an index key that has no value is left out (DB-15). */
function guardKeys(item: Item): void {
  for (const name of KEY_ATTRIBUTES) {
    const value = item[name];
    if (value === undefined && !REQUIRED_KEYS.has(name)) continue;
    if (typeof value !== 'string' || value === '') throw new Error(`key attribute ${name} must be a text that is not empty`);
  }
}

/** DynamoDB knows no attribute without a name, at any depth; some emulators do (LR-02). */
function guardNested(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, nested] of Object.entries(value)) {
    if (name === '') throw new Error('an attribute without a name cannot be stored');
    guardNested(nested);
  }
}

const EXPRESSION_WORDS = new Set(['and', 'or', 'not', 'set', 'remove', 'add', 'begins_with', 'attribute_exists', 'attribute_not_exists', 'if_not_exists', 'between', 'in', 'size']);

/** Attribute names stand in expressions as `#` placeholders only, so that no reserved word can break one (DB-16). */
export function guardNames(expression: string): void {
  const bare = expression.match(/(?<![#:\w])[A-Za-z_]\w*/g)?.find((word) => !EXPRESSION_WORDS.has(word.toLowerCase()));
  if (bare !== undefined) throw new Error(`the expression names ${bare} without a # placeholder`);
}

function guardExpressions(one: Write): void {
  if (one.kind === 'update') for (const text of [one.change, one.condition ?? '']) guardNames(text);
  else if (one.condition !== undefined) guardNames(one.condition.text);
}
