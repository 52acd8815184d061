import { ACCOUNT, AwsError, REGION } from '../../kernel/types.ts';

/** One permission a request needs. */
export type Need = { action: string; resource: string };

type Input = Record<string, unknown>;

/** The ARN of a table, from its name or the ARN itself. */
export function tableArn(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${nameOrArn}`;
}

export function tableName(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split('/')[1] ?? nameOrArn) : nameOrArn;
}

const onTable =
  (action: string) =>
  (input: Input): Need[] => [{ action, resource: tableArn(text(input, 'TableName')) }];
const onTableOrIndex =
  (action: string) =>
  (input: Input): Need[] => {
    const index = input.IndexName === undefined ? '' : `/index/${String(input.IndexName)}`;
    return [{ action, resource: `${tableArn(text(input, 'TableName'))}${index}` }];
  };
const onEveryTable =
  (action: string) =>
  (input: Input): Need[] =>
    Object.keys(record(input.RequestItems)).map((name) => ({ action, resource: tableArn(name) }));
const onStream =
  (action: string) =>
  (input: Input): Need[] => [{ action, resource: text(input, 'StreamArn') }];
const onAnything = (action: string) => (): Need[] => [{ action, resource: '*' }];

/** A transaction needs the permission of every operation in it; there is none for the transaction itself. */
const inTransactions =
  (actions: Readonly<Record<string, string>>) =>
  (input: Input): Need[] => {
    const items = Array.isArray(input.TransactItems) ? input.TransactItems : [];
    const needs = items.flatMap((item) =>
      Object.entries(record(item)).map(([kind, operation]) => ({ action: actions[kind] ?? `dynamodb:${kind}`, resource: tableArn(text(record(operation), 'TableName')) })),
    );
    return [...new Map(needs.map((need) => [`${need.action} ${need.resource}`, need])).values()];
  };

/** Every operation that exists here, with the permissions it needs. */
export const OPERATIONS: Readonly<Record<string, (input: Input) => Need[]>> = {
  GetItem: onTable('dynamodb:GetItem'),
  PutItem: onTable('dynamodb:PutItem'),
  UpdateItem: onTable('dynamodb:UpdateItem'),
  DeleteItem: onTable('dynamodb:DeleteItem'),
  Query: onTableOrIndex('dynamodb:Query'),
  Scan: onTableOrIndex('dynamodb:Scan'),
  BatchGetItem: onEveryTable('dynamodb:BatchGetItem'),
  BatchWriteItem: onEveryTable('dynamodb:BatchWriteItem'),
  TransactGetItems: inTransactions({ Get: 'dynamodb:GetItem' }),
  TransactWriteItems: inTransactions({ Put: 'dynamodb:PutItem', Update: 'dynamodb:UpdateItem', Delete: 'dynamodb:DeleteItem', ConditionCheck: 'dynamodb:ConditionCheckItem' }),
  DescribeTable: onTable('dynamodb:DescribeTable'),
  DescribeTimeToLive: onTable('dynamodb:DescribeTimeToLive'),
  ListTables: onAnything('dynamodb:ListTables'),
  ListStreams: onAnything('dynamodb:ListStreams'),
  DescribeStream: onStream('dynamodb:DescribeStream'),
  GetShardIterator: onStream('dynamodb:GetShardIterator'),
  GetRecords: onAnything('dynamodb:GetRecords'),
};

/** Operations that do not touch items; ARNs appear in their requests or answers. */
export const DESCRIBING = new Set(['DescribeTable', 'ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']);

/** Names of the tables a write touches; empty for reads. */
export function tablesWritten(operation: string, input: Input): string[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [tableName(text(input, 'TableName'))];
    case 'BatchWriteItem':
      return Object.keys(record(input.RequestItems)).map(tableName);
    case 'TransactWriteItems': {
      const items = Array.isArray(input.TransactItems) ? input.TransactItems : [];
      return [...new Set(items.flatMap((item) => Object.values(record(item)).map((each) => tableName(text(record(each), 'TableName')))))];
    }
    default:
      return [];
  }
}

function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value !== 'string')
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value null at '${name.charAt(0).toLowerCase()}${name.slice(1)}' failed to satisfy constraint: Member must not be null`,
    );
  return value;
}

function record(value: unknown): Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Input) : {};
}
