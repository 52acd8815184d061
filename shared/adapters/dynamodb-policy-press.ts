import { parse } from '../contracts/contract-error.ts';
import { ActiveItem, PublishedItem } from '../contracts/policy-items.ts';
import type { Calendar, Contract, Roster } from '../domain/policy.ts';
import type { ActivePolicy } from '../ports/policy-book.ts';
import type { Change, PolicyPress, PolicyVersions, Pressed, Publication } from '../ports/policy-press.ts';
import { activePolicyKey, digest, policyKey, publishedKey } from './dynamodb-keys.ts';
import { readCalendars, readContract, readRoster } from './dynamodb-policy-book.ts';
import { readItem, readRange, type Table } from './dynamodb-table.ts';
import { absent, type Expression, transact, write } from './dynamodb-writer.ts';

const ATTEMPTS = 5;
const NO_REASON = 'no reason was given';

/** Publishes policy to the table: immutable versions first, then the pointer together with the receipt of the change. */
export function dynamodbPolicyPress(table: Table): PolicyPress {
  return {
    async publish(policy, by, at, change = {}) {
      const versions = await keepAll(table, policy);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const pressed = await press(table, versions, { by, at, change });
        if (pressed !== 'again') return pressed;
      }
      throw new Error(`the policy in force kept changing under ${ATTEMPTS} attempts`);
    },

    async history() {
      const items = await readRange(table, activePolicyKey.pk, 'PUBLISHED#');
      return items.map((item) => parse(PublishedItem, item, 'the receipt of a publication').publication).sort((a, b) => b.number - a.number);
    },

    async contents({ contracts, roster, calendars }) {
      const named = await Promise.all(Object.values(contracts).map((hash) => readContract(table, hash)));
      return { contracts: named, roster: await readRoster(table, roster), calendars: await readCalendars(table, calendars) };
    },
  };
}

type Pressing = { by: string; at: string; change: Change };

async function press(table: Table, versions: PolicyVersions, { by, at, change }: Pressing): Promise<Pressed | 'again'> {
  const item = await readItem(table, activePolicyKey);
  const current = item === undefined ? undefined : inForce(parse(ActiveItem, item, 'the policy in force'));
  if (change.seen !== undefined && current !== undefined && current.number !== change.seen) return { kind: 'overtaken', publication: current };
  if (current !== undefined && same(current, versions)) return { kind: 'unchanged', publication: current };

  const { why = NO_REASON, evidence = [], backTo } = change;
  const publication: Publication = { ...versions, number: (current?.number ?? 0) + 1, at, by, why, evidence, ...(backTo !== undefined && { backTo }) };
  const pointer = { ...versions, publishedAt: at, publishedBy: by, number: publication.number, why, evidence, ...(backTo !== undefined && { backTo }) };
  const written = await transact(table, [
    { kind: 'put', item: { ...activePolicyKey, ...pointer }, condition: current === undefined ? absent : stillAt(item?.number) },
    { kind: 'put', item: { ...publishedKey(at, publication.number), publication }, condition: absent },
  ]);
  if (written.kind === 'written') return { kind: 'published', publication };
  const first = await readItem(table, publishedKey(at, publication.number));
  return canonical(first?.publication ?? {}) === canonical(publication) ? { kind: 'published', publication } : 'again';
}

/** A pointer from before publications were numbered has no number: it counts as the first. */
const stillAt = (number: unknown): Expression =>
  number === undefined
    ? { text: 'attribute_not_exists(#number)', names: { '#number': 'number' } }
    : { text: '#number = :number', names: { '#number': 'number' }, values: { ':number': number } };

function inForce({ contracts, roster, calendars, publishedAt: at, publishedBy: by, number = 1, why = NO_REASON, evidence = [], backTo }: ActiveItem): Publication {
  return { contracts, roster, calendars, number, at, by, why, evidence, ...(backTo !== undefined && { backTo }) };
}

const same = (one: PolicyVersions, other: PolicyVersions): boolean => canonical(versionsOf(one)) === canonical(versionsOf(other));
const versionsOf = ({ contracts, roster, calendars }: PolicyVersions) => ({ contracts, roster, calendars });

type Part = 'CONTRACT' | 'ROSTER' | 'CALENDARS';

/** Stores every version that is not stored yet. */
async function keepAll(table: Table, { contracts, roster, calendars }: ActivePolicy): Promise<PolicyVersions> {
  const hash = digest(canonical(calendars));
  for (const contract of contracts) await keep(table, contract.version, 'CONTRACT', { contract });
  await keep(table, roster.version, 'ROSTER', { roster });
  await keep(table, hash, 'CALENDARS', { calendars });
  return { contracts: Object.fromEntries(contracts.map((one) => [one.name, one.version])), roster: roster.version, calendars: hash };
}

/** A version that exists already must say the same. */
async function keep(table: Table, hash: string, part: Part, content: { contract: Contract } | { roster: Roster } | { calendars: readonly Calendar[] }): Promise<void> {
  const key = policyKey(hash, part);
  if (await write(table, { kind: 'put', item: { ...key, ...content }, condition: absent })) return;
  const { pk: _pk, sk: _sk, ...stored } = (await readItem(table, key)) ?? {};
  if (canonical(stored) !== canonical(content)) throw new Error(`version ${hash} was published before with other content`);
}

/** The same text for the same content, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (isPlain(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
