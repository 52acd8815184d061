// Rights on the table, by what a function does there. TransactWriteItems asks for the rights of its parts.

import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { BatonFunction } from './baton-function.ts';

/** Reads single items, consistently. */
export const readItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:GetItem'], table.tableArn);
};

/** Reads the items under one key: receipts, notes, links. */
export const queryItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:Query'], table.tableArn);
};

/** Reads one sparse index. */
export const queryIndex = (table: Table, index: 'open' | 'by-person', ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:Query'], `${table.tableArn}/index/${index}`);
};

/** Makes transitions: receipts are put, head and counters updated, versions checked. */
export const writeTransitions = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'], table.tableArn);
};
