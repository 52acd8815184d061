// Who erased which delivery, and when: written by the right of the person who erases, read beside what is gone. It never expires.

import * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { instant, personIdOf } from '../contracts/receipt.ts';
import type { PersonId } from '../domain/ids.ts';
import { erasureKey } from './dynamodb-keys.ts';
import { readRange, type Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

export type Erasure = { by: PersonId; at: string };

const ErasureItem = z.object({ by: personIdOf('Who erased it.'), at: instant('When.') });

/** `ERASED#<raw reference>` / `ERASED#<instant>`: one item an erasure, since a sender may bring the same bytes once more. */
export function dynamodbErasureLog(table: Table): { note(rawRef: string, erasure: Erasure): Promise<void>; of(rawRef: string): Promise<Erasure[]> } {
  return {
    async note(rawRef, { by, at }) {
      await write(table, { kind: 'put', item: { ...erasureKey(rawRef, at), by, at } });
    },
    of: async (rawRef) => (await readRange(table, erasureKey(rawRef, '').pk, 'ERASED#')).map((item) => parse(ErasureItem, item, 'a note of an erasure')),
  };
}
