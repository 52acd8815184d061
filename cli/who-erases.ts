import { dynamodbPolicyBook } from '../shared/adapters/dynamodb-policy-book.ts';
import type { Table } from '../shared/adapters/dynamodb-table.ts';
import type { PersonId } from '../shared/domain/ids.ts';
import { UsageError } from './command.ts';

/** The person of the roster who answers for an erasure. */
export async function whoErases(name: string | undefined, table: Table): Promise<PersonId> {
  const { people } = (await dynamodbPolicyBook(table).active()).roster;
  const person = people.find(({ id }) => id === name);
  if (person === undefined) throw new UsageError(`say who erases it with --by PERSON; the roster knows ${people.map(({ id }) => id).join(', ')}.`);
  return person.id;
}
