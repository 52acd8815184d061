import * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { instant, personIdOf } from '../contracts/receipt.ts';
import type { Roster } from '../domain/policy.ts';
import type { Absence, AbsenceBook } from '../ports/absence-book.ts';
import { absencesKey } from './dynamodb-keys.ts';
import { type Item, readItem, type Table } from './dynamodb-table.ts';
import { sameVersion } from './dynamodb-transition.ts';
import { absent, write } from './dynamodb-writer.ts';

const AbsencesItem = z.object({
  version: z.int(),
  absences: z.array(z.object({ person: personIdOf('Who.'), from: instant('Since when.'), until: instant('Until when.') })),
});

const ATTEMPTS = 5;

/** Absences in one item beside the pointer of the policy, so that both are read in one request. What is over leaves with the next one that is noted. */
export function dynamodbAbsenceBook(table: Table): AbsenceBook {
  return {
    async note(absence) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const item = await readItem(table, absencesKey);
        const known = item === undefined ? { version: 0, absences: [] } : parse(AbsencesItem, item, 'the absences');
        const absences = [...known.absences.filter((one) => one.until > absence.from && !same(one, absence)), absence];
        const condition = item === undefined ? absent : sameVersion(known.version);
        if (await write(table, { kind: 'put', item: { ...absencesKey, version: known.version + 1, absences }, condition })) return;
      }
      throw new Error(`the absences kept changing under ${ATTEMPTS} attempts`);
    },
  };
}

const same = (one: Absence, other: Absence): boolean => one.person === other.person && one.from === other.from && one.until === other.until;

export const readAbsences = (item: Item | undefined): Absence[] => (item === undefined ? [] : parse(AbsencesItem, item, 'the absences').absences);

/** The roster with what is known at short notice; the same roster while nothing is. */
export function withAbsences(roster: Roster, absences: readonly Absence[]): Roster {
  if (absences.length === 0) return roster;
  const of = (person: string) => absences.filter((one) => one.person === person).map(({ from, until }) => ({ from, until }));
  return { ...roster, people: roster.people.map((person) => (of(person.id).length === 0 ? person : { ...person, unavailable: of(person.id) })) };
}
