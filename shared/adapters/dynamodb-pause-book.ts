import * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { PauseAudience, PauseScope } from '../contracts/order-event.ts';
import { instant, personIdOf } from '../contracts/receipt.ts';
import { type Pause, type PauseNote, sameScope } from '../domain/pause.ts';
import type { PauseBook } from '../ports/pause-book.ts';
import { pauseNoteKey, pausesKey } from './dynamodb-keys.ts';
import { readItem, readRange, type Table } from './dynamodb-table.ts';
import { sameVersion } from './dynamodb-transition.ts';
import { absent, transact } from './dynamodb-writer.ts';

const by = personIdOf('Who ordered it.');
const PausesItem = z.object({ version: z.int(), pauses: z.array(z.object({ scope: PauseScope, audience: PauseAudience, by, since: instant('Since when.') })) });
const NoteItem = z.object({ note: z.object({ kind: z.enum(['sending.paused', 'sending.resumed']), scope: PauseScope, by, at: instant('When.') }) });

const ATTEMPTS = 5;

/** The pauses in one item, and a receipt for each beginning and end, written together. */
export function dynamodbPauseBook(table: Table): PauseBook {
  return {
    pauses: async () => (await standing(table)).pauses,
    pause: (pause, orderId) =>
      change(table, orderId, { kind: 'sending.paused', scope: pause.scope, by: pause.by, at: pause.since }, (pauses) => [
        ...pauses.filter((one) => !sameScope(one.scope, pause.scope)),
        pause,
      ]),
    resume: (scope, person, at, orderId) =>
      change(table, orderId, { kind: 'sending.resumed', scope, by: person, at }, (pauses) => pauses.filter((one) => !sameScope(one.scope, scope))),
    notes: async () => (await readRange(table, pauseNoteKey('', '').pk, 'NOTE#')).map((item) => parse(NoteItem, item, 'a receipt of a pause').note),
  };
}

async function standing(table: Table): Promise<{ version: number; pauses: Pause[] }> {
  const item = await readItem(table, pausesKey);
  return item === undefined ? { version: 0, pauses: [] } : parse(PausesItem, item, 'the pauses');
}

async function change(table: Table, orderId: string, note: PauseNote, next: (pauses: readonly Pause[]) => Pause[]): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, pauses } = await standing(table);
    const written = await transact(table, [
      { kind: 'put', item: { ...pausesKey, version: version + 1, pauses: next(pauses) }, condition: version === 0 ? absent : sameVersion(version) },
      { kind: 'put', item: { ...pauseNoteKey(note.at, orderId), note } },
    ]);
    if (written.kind === 'written') return;
  }
  throw new Error(`the pauses kept changing under ${ATTEMPTS} attempts`);
}
