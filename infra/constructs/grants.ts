// Rights on the table, by what a function does there. TransactWriteItems asks for the rights of its parts.

import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { BatonFunction } from './baton-function.ts';

/** Reads single items, and a row with its packet, consistently. */
export const readItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem'], table.tableArn);
};

/** Reads the items under one key: receipts, acceptances, links. */
export const queryItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:Query'], table.tableArn);
};

/** Reads one sparse index. */
export const queryIndex = (table: Table, index: 'open' | 'by-person', ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:Query'], `${table.tableArn}/index/${index}`);
};

/** Puts rows, receipts, tokens, claims. */
export const putItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:PutItem'], table.tableArn);
};

/** Counts, and marks what stands already. */
export const updateItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:UpdateItem'], table.tableArn);
};

/** Writes beside a row only while that row stands still: tokens of waits. */
export const checkItems = (table: Table, ...functions: BatonFunction[]): void => {
  for (const one of functions) one.allow(['dynamodb:ConditionCheckItem'], table.tableArn);
};
