import { parse } from '../contracts/contract-error.ts';
import { ActiveItem, CalendarsItem, ContractItem, RosterItem } from '../contracts/policy-items.ts';
import type { Calendar, Contract, Roster } from '../domain/policy.ts';
import type { Absence } from '../ports/absence-book.ts';
import type { ActivePolicy, PolicyBook } from '../ports/policy-book.ts';
import { readAbsences, withAbsences } from './dynamodb-absence-book.ts';
import { absencesKey, activePolicyKey, digest, policyKey } from './dynamodb-keys.ts';
import { type Item, readItem, readItems, type Table } from './dynamodb-table.ts';
import { absent, write } from './dynamodb-writer.ts';

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
  const contracts = remembered((hash) => readVersion(table, hash, 'CONTRACT', (item, what) => parse(ContractItem, item, what).contract));
  const rosters = remembered((hash) => readVersion(table, hash, 'ROSTER', (item, what) => parse(RosterItem, item, what).roster));
  const calendars = remembered((hash) => readVersion(table, hash, 'CALENDARS', (item, what) => parse(CalendarsItem, item, what).calendars));
  const people = async (active: Pointer) => {
    const [roster, known] = await Promise.all([rosters(active.roster), calendars(active.calendars)]);
    return { roster: withAbsences(roster, active.absences), calendars: known };
  };

  return {
    async active() {
      const active = await pointer();
      const [inForce, rest] = await Promise.all([Promise.all(Object.values(active.contracts).map(contracts)), people(active)]);
      return { contracts: inForce, ...rest };
    },

    async at(name, version) {
      const [contract, rest] = await Promise.all([contracts(version), pointer().then(people)]);
      if (contract.name !== name) throw new Error(`version ${version} is of contract ${contract.name}, not ${name}`);
      return { contract, ...rest };
    },
  };
}

/** Puts policy in force. */
export interface PolicyPress {
  /** Stores each version once by its hash, then moves the pointer in one write. Interrupted, it changes nothing that is in force; repeated, nothing at all. */
  publish(policy: ActivePolicy, by: string, at: string): Promise<ActiveItem>;
}

/** Publishes policy to the table: immutable versions first, the pointer last. */
export function dynamodbPolicyPress(table: Table): PolicyPress {
  return {
    async publish({ contracts, roster, calendars }, by, at) {
      const hash = digest(canonical(calendars));
      for (const contract of contracts) await keep(table, contract.version, 'CONTRACT', { contract });
      await keep(table, roster.version, 'ROSTER', { roster });
      await keep(table, hash, 'CALENDARS', { calendars });
      const active = { contracts: Object.fromEntries(contracts.map((one) => [one.name, one.version])), roster: roster.version, calendars: hash, publishedAt: at, publishedBy: by };
      await write(table, { kind: 'put', item: { ...activePolicyKey, ...active } });
      return active;
    },
  };
}

type Part = 'CONTRACT' | 'ROSTER' | 'CALENDARS';

/** A version that exists already must say the same. */
async function keep(table: Table, hash: string, part: Part, content: { contract: Contract } | { roster: Roster } | { calendars: readonly Calendar[] }): Promise<void> {
  const key = policyKey(hash, part);
  if (await write(table, { kind: 'put', item: { ...key, ...content }, condition: absent })) return;
  const { pk: _pk, sk: _sk, ...stored } = (await readItem(table, key)) ?? {};
  if (canonical(stored) !== canonical(content)) throw new Error(`version ${hash} was published before with other content`);
}

type Pointer = ActiveItem & { absences: readonly Absence[] };

/** The pointer and what is known at short notice, in one request. */
async function readActive(table: Table): Promise<Pointer> {
  const [item, absences] = await readItems(table, [activePolicyKey, absencesKey]);
  if (item === undefined) throw new PolicyMissing('no policy was ever published');
  return { ...parse(ActiveItem, item, 'the policy in force'), absences: readAbsences(absences) };
}

async function readVersion<T>(table: Table, hash: string, part: Part, read: (item: Item, what: string) => T): Promise<T> {
  const item = await readItem(table, policyKey(hash, part));
  if (item === undefined) throw new PolicyMissing(`version ${hash} of the policy is not in the table`);
  return read(item, `version ${hash} of the policy`);
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

/** The same text for the same content, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (isPlain(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
