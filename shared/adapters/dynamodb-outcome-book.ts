import type { OutcomeBook } from '../ports/outcome-book.ts';
import { unmatchedKey } from './dynamodb-keys.ts';
import type { Table } from './dynamodb-table.ts';
import { countWrite } from './dynamodb-transition.ts';
import { absent, transact } from './dynamodb-writer.ts';

/** Outcomes without a handoff, kept and counted in one transaction: a repeated order finds its item, and counts nothing. */
export function dynamodbOutcomeBook(table: Table): OutcomeBook {
  return {
    async unmatched(outcome) {
      const key = unmatchedKey(outcome.orderId);
      await transact(table, [{ kind: 'put', item: { ...key, outcome }, condition: absent }, countWrite(key.pk, { unmatched: 1 })]);
    },
  };
}
