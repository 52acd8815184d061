// The row beside a person's name: what they hold and when they had a turn. It changes in the transaction of the handoff that changes it, so no race gets past a limit.

import { parse } from '../contracts/contract-error.ts';
import { LoadItem } from '../contracts/table-items.ts';
import type { PersonId } from '../domain/ids.ts';
import type { Load, LoadChange } from '../domain/load.ts';
import { loadKey } from './dynamodb-keys.ts';
import { readItems, type Table } from './dynamodb-table.ts';
import type { Write } from './dynamodb-writer.ts';

/** The loads of these people as they are now; whoever carries nothing has none. */
export async function readLoads(table: Table, people: readonly PersonId[]): Promise<Record<string, Load>> {
  const distinct = [...new Set(people)];
  const items = await readItems(table, distinct.map(loadKey));
  return Object.fromEntries(
    distinct.flatMap((person, index) => {
      const item = items[index];
      return item === undefined ? [] : [[person, parse(LoadItem, item, `the load of ${person}`)] as const];
    }),
  );
}

/** One attribute of a load that a write changes or looks at. */
type Part = { verb?: 'ADD' | 'SET'; text: string; name: string; values: Record<string, unknown> };

/** The write of one change. A turn is guarded by the mark it was taken after, unless it is taken `anyway`. */
export function loadWrite(change: LoadChange, how: 'if-unchanged' | 'anyway' = 'if-unchanged'): Write {
  const parts = partsOf(change, how);
  const clause = (verb: Part['verb']) => parts.filter((part) => part.verb === verb).map((part) => part.text);
  const clauses = (['ADD', 'SET'] as const).flatMap((verb) => (clause(verb).length === 0 ? [] : [`${verb} ${clause(verb).join(', ')}`]));
  const conditions = clause(undefined);
  return {
    kind: 'update',
    key: loadKey(change.person),
    change: clauses.join(' '),
    ...(conditions.length > 0 && { condition: conditions.join(' AND ') }),
    names: Object.fromEntries(parts.map(({ name }) => [`#${name}`, name])),
    values: Object.assign({}, ...parts.map(({ values }) => values)),
  };
}

function partsOf({ held, limit, turn, excludedUntil }: LoadChange, how: 'if-unchanged' | 'anyway'): Part[] {
  const parts: Part[] = [];
  if (held !== 0) parts.push({ verb: 'ADD', name: 'held', text: '#held :held', values: { ':held': held } });
  if (limit !== undefined) parts.push({ name: 'held', text: '(attribute_not_exists(#held) OR #held < :limit)', values: { ':limit': limit } });
  if (excludedUntil !== undefined) parts.push({ verb: 'SET', name: 'excludedUntil', text: '#excludedUntil = :until', values: { ':until': excludedUntil } });
  if (turn === undefined) return parts;
  parts.push({ verb: 'ADD', name: 'turns', text: '#turns :one', values: { ':one': 1 } });
  parts.push({ verb: 'SET', name: 'turnAt', text: '#turnAt = :turnAt', values: { ':turnAt': turn.at } });
  if (!turn.guarded || how === 'anyway') return parts;
  if (turn.after === undefined) return [...parts, { name: 'turnAt', text: 'attribute_not_exists(#turnAt)', values: {} }];
  return [...parts, { name: 'turnAt', text: '#turnAt = :after', values: { ':after': turn.after } }];
}

/** Whether a write is the one on the load of this person. */
export const isLoadOf = (write: Write, person: PersonId): boolean => write.kind === 'update' && write.key.pk === loadKey(person).pk && write.key.sk === loadKey(person).sk;
