import { parse } from '../contracts/contract-error.ts';
import { ActiveItem, CalendarsItem, ContractItem, RosterItem } from '../contracts/policy-items.ts';
import type { Calendar, Contract, Policy, Roster } from '../domain/policy.ts';
import type { Absence } from '../ports/absence-book.ts';
import type { PolicyBook } from '../ports/policy-book.ts';
import { readAbsences, withAbsences } from './dynamodb-absence-book.ts';
import { absencesKey, activePolicyKey, policyKey } from './dynamodb-keys.ts';
import { type Item, readItem, readItems, type Table } from './dynamodb-table.ts';

/** Nothing was ever published, so nothing can be decided. A fault of the installation. */
export class PolicyMissing extends Error {
  override readonly name = 'PolicyMissing';
}

/**
 * Policy on immutable versions. What the pointer names is read once. The pointer is read each time, unless the caller lets
 * it be `pointerSeconds` old: then a change of roster or calendars is seen that much later, and a decision costs one read less.
 */
export function dynamodbPolicyBook(table: Table, { pointerSeconds = 0, elapsed = () => performance.now() } = {}): PolicyBook {
  const pointer = recent(() => readActive(table), pointerSeconds * 1000, elapsed);
  const { contracts, people, at } = policyVersions(table);
  return {
    async active() {
      const active = await pointer();
      const [inForce, rest] = await Promise.all([Promise.all(Object.values(active.contracts).map(contracts)), people(active)]);
      return { contracts: inForce, ...rest };
    },

    at: (name, version) => at(pointer(), name, version),
  };
}

/** The immutable versions, each read once by whoever holds this. */
export function policyVersions(table: Table) {
  const contracts = remembered((hash) => readContract(table, hash));
  const rosters = remembered((hash) => readRoster(table, hash));
  const calendars = remembered((hash) => readCalendars(table, hash));
  const overlaid = lastOverlay();
  const people = async (active: Pointer) => {
    const [roster, known] = await Promise.all([rosters(active.roster), calendars(active.calendars)]);
    return { roster: overlaid(roster, active.absences), calendars: known };
  };
  const at = async (active: Pointer | Promise<Pointer>, name: string, version: string): Promise<Policy> => {
    const [contract, rest] = await Promise.all([contracts(version), Promise.resolve(active).then(people)]);
    if (contract.name !== name) throw new Error(`version ${version} is of contract ${contract.name}, not ${name}`);
    return { contract, ...rest };
  };
  return { contracts, people, at };
}

type Pointer = ActiveItem & { absences: readonly Absence[] };

/** The pointer and what is known at short notice, in one request. */
async function readActive(table: Table): Promise<Pointer> {
  const [item, absences] = await readItems(table, [activePolicyKey, absencesKey]);
  return pointerFrom(item, absences);
}

/** What is in force, of the two items that say so. */
export function pointerFrom(item: Item | undefined, absences: Item | undefined): Pointer {
  if (item === undefined) throw new PolicyMissing('no policy was ever published');
  return { ...parse(ActiveItem, item, 'the policy in force'), absences: readAbsences(absences) };
}

export const readContract = (table: Table, hash: string): Promise<Contract> => readVersion(table, hash, 'CONTRACT', (item, what) => parse(ContractItem, item, what).contract);
export const readRoster = (table: Table, hash: string): Promise<Roster> => readVersion(table, hash, 'ROSTER', (item, what) => parse(RosterItem, item, what).roster);
export const readCalendars = (table: Table, hash: string): Promise<Calendar[]> => readVersion(table, hash, 'CALENDARS', (item, what) => parse(CalendarsItem, item, what).calendars);

type Part = 'CONTRACT' | 'ROSTER' | 'CALENDARS';

async function readVersion<T>(table: Table, hash: string, part: Part, read: (item: Item, what: string) => T): Promise<T> {
  const item = await readItem(table, policyKey(hash, part));
  if (item === undefined) throw new PolicyMissing(`version ${hash} of the policy is not in the table`);
  return read(item, `version ${hash} of the policy`);
}

/** The roster with the absences, as the same object while both are the same: what is prepared from a roster is kept beside it. */
function lastOverlay(): (roster: Roster, absences: readonly Absence[]) => Roster {
  let last: { roster: Roster; absences: string; overlaid: Roster } | undefined;
  return (roster, absences) => {
    const text = JSON.stringify(absences);
    if (last?.roster !== roster || last.absences !== text) last = { roster, absences: text, overlaid: withAbsences(roster, absences) };
    return last.overlaid;
  };
}

/** Reads each immutable version once; a failed read is not remembered. */
function remembered<T>(read: (hash: string) => Promise<T>): (hash: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (hash) => {
    const found = known.get(hash) ?? read(hash);
    known.set(hash, found);
    found.catch(() => known.delete(hash));
    return found;
  };
}

/** Keeps an answer for some milliseconds of elapsed time, which no change of clock moves; a failure is not kept. */
function recent<T>(read: () => Promise<T>, milliseconds: number, elapsed: () => number): () => Promise<T> {
  let kept: { value: T; since: number } | undefined;
  return async () => {
    const since = elapsed();
    if (kept === undefined || since - kept.since >= milliseconds) kept = { value: await read(), since };
    return kept.value;
  };
}
