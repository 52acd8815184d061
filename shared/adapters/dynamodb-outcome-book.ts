import type { OutcomeBook } from '../ports/outcome-book.ts';
import { unmatchedKey } from './dynamodb-keys.ts';
import { entryWrite } from './dynamodb-quarantine.ts';
import type { Table } from './dynamodb-table.ts';
import { countWrite } from './dynamodb-transition.ts';
import { absent, transact } from './dynamodb-writer.ts';

/** Outcomes without a handoff, kept, listed and counted in one transaction: a repeated order finds its item, and counts nothing. */
export function dynamodbOutcomeBook(table: Table): OutcomeBook {
  return {
    async unmatched(outcome) {
      const key = unmatchedKey(outcome.orderId);
      const { orderId: id, system: source, handoffId, at } = outcome;
      const entry = entryWrite({ kind: 'outcome', id, source, because: `states ${outcome.result} of ${handoffId}, which does not exist`, at });
      await transact(table, [{ kind: 'put', item: { ...key, outcome }, condition: absent }, entry, countWrite(key.pk, { unmatched: 1 })]);
    },
  };
}
