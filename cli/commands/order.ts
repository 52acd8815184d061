// baton reassign, withdraw, away, takeover: orders of staff, put on the bus like anybody's.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { dynamodbHandoffReader } from '../../shared/adapters/dynamodb-handoff-reader.ts';
import { dynamodbPersonIndex } from '../../shared/adapters/dynamodb-person-index.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { type Order, OrderEvent } from '../../shared/contracts/order-event.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { handoffId, type PersonId } from '../../shared/domain/ids.ts';
import { meetingHeldBy } from '../../shared/domain/meeting.ts';
import { mayPause } from '../../shared/domain/pause.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** What the person who orders should know at once. */
type Beside = (order: Order, table: Table) => Promise<string[]>;

/** Reads one order from the words and options of a command line; `now` is the installation's time. */
type Reader = (subject: string, values: Values, now: string) => unknown;

const OPTIONS = {
  ...INSTALLATION_OPTIONS,
  by: { type: 'string' },
  to: { type: 'string' },
  why: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  contract: { type: 'string' },
  contact: { type: 'string' },
  'customer-only': { type: 'boolean' },
} as const;
const DONE = 'Ordered. What came of it is in the receipts: baton show HANDOFF.';

/** What the words of a usage line mean. */
const MEANINGS: readonly (readonly [string, string])[] = [
  ['HANDOFF', 'its number, h- and 32 letters and digits: "baton send" and every message name it'],
  ['PERSON', 'an id of policy/roster.yaml, such as rosa'],
  ['INSTANT', 'date and time with its offset, such as 2026-06-03T14:30:00-07:00; --from is now when it is left out'],
  ['--by', 'who orders it'],
  ['--to', 'who is asked instead; they can say no'],
  ['--why', 'in words, kept beside the receipt'],
  ['--contract', 'only what this contract governs'],
  ['--contact', 'only one customer, by the pseudonym that "baton show --json" calls contactRef'],
  ['--customer-only', 'messages to customers only; sellers still hear everything'],
];

function helpFor(summary: string, usage: string): string {
  const meanings = MEANINGS.filter(([word]) => usage.includes(word)).map(([word, meaning]) => `  ${word.padEnd(16)} ${meaning}`);
  return [`baton ${usage}`, '', `${summary[0]?.toUpperCase()}${summary.slice(1)}.`, '', ...meanings, INSTALLATION_HELP].join('\n');
}

/** Why this person may not stop or resume sending, before anybody waits for it. */
async function checkAuthority(wanted: Order, table: Table): Promise<string[]> {
  if (wanted.kind !== 'sending.pause' && wanted.kind !== 'sending.resume') return [];
  if (mayPause(wanted.by, wanted.scope, await dynamodbPolicyBook(table).active())) return [];
  throw new UsageError(`${wanted.by} may not do this: it is for the incident owner or the decision owner of the contract, or for who steps in for them.`);
}

/** Orders are carried out later, by others: what nobody could carry out is said here. */
async function checkNames(wanted: Order, table: Table): Promise<void> {
  if ('handoffId' in wanted && (await dynamodbHandoffReader(table).load(handoffId(wanted.handoffId))) === undefined)
    throw new UsageError(`there is no handoff ${wanted.handoffId}.`);
  const { people } = (await dynamodbPolicyBook(table).active()).roster;
  const named = Object.entries(wanted).flatMap(([field, value]) => (['by', 'to', 'person'].includes(field) ? [String(value)] : []));
  const unknown = named.find((id) => !people.some((person) => person.id === id));
  if (unknown !== undefined) throw new UsageError(`nobody on the roster is called "${unknown}"; it knows ${people.map((person) => person.id).join(', ')}.`);
}

function order(name: string, summary: string, usage: string, read: Reader, beside: Beside = async () => []): Command {
  const help = helpFor(summary, usage);
  return {
    name,
    summary,
    help,
    async run(args, output) {
      const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
      const [subject] = positionals;
      if (subject === undefined || positionals.length > 1) throw new UsageError(`write: baton ${usage}`);
      const installation = findInstallation(values);
      const parsed = OrderEvent.safeParse({ schemaVersion: '1', orderId: `cli-${randomUUID()}`, order: read(subject, values, await timeOf(installation)) });
      if (!parsed.success) throw new UsageError(`${parsed.error.issues.map((issue) => issue.path.slice(1).join('.')).join(', ')} is missing or wrong; write: baton ${usage}`);
      const table = dynamodbTable(installation.outputs.TableName);
      await checkNames(parsed.data.order, table);
      const lines = await beside(parsed.data.order, table);
      await eventbridgeEventBus(installation.outputs.BusName).publish([{ source: 'baton.ops', detailType: parsed.data.order.kind, detail: parsed.data }]);
      output.line(DONE);
      for (const line of lines) output.line(line);
      return 0;
    },
  };
}

const given = ({ why }: Values) => (typeof why === 'string' ? { why } : {});
const kind = <Kind extends Order['kind']>(name: Kind) => ({ kind: name });

export const reassign = order(
  'reassign',
  'ask another person, instead of whoever is asked or owns it',
  'reassign HANDOFF --by PERSON --to PERSON [--why TEXT]',
  (handoffId, values) => ({
    ...kind('handoff.reassign'),
    handoffId,
    by: values.by,
    to: values.to,
    ...given(values),
  }),
);

export const withdraw = order('withdraw', 'end a handoff that nobody needs any more', 'withdraw HANDOFF --by PERSON [--why TEXT]', (handoffId, values) => ({
  ...kind('handoff.withdraw'),
  handoffId,
  by: values.by,
  ...given(values),
}));

export const away = order(
  'away',
  'say that a person cannot answer: what they hold goes on at once',
  'away PERSON --until INSTANT [--from INSTANT]',
  (person, values, now) => ({
    ...kind('person.unavailable'),
    person,
    from: values.from ?? now,
    until: values.until,
  }),
  meetingsOf,
);

/** The meetings that somebody else has to hold. The orphan report lists each until somebody accepts (L-08). */
async function meetingsOf(order: Order, table: Table): Promise<string[]> {
  if (order.kind !== 'person.unavailable') return [];
  const reader = dynamodbHandoffReader(table);
  const held = await Promise.all((await dynamodbPersonIndex(table).heldBy(order.person)).map((id) => reader.load(id)));
  const lines = held.flatMap((loaded) => (loaded === undefined ? [] : meetingLine(loaded.handoff, order.person)));
  return lines.length === 0 ? [] : [`Meetings that ${order.person} was to hold, listed on the report until somebody accepts:`, ...lines];
}

function meetingLine(handoff: Handoff, person: PersonId): string[] {
  const meeting = meetingHeldBy(person, handoff);
  return meeting === undefined ? [] : [`  ${handoff.id} ${meeting.at ?? 'at a time that no source stated'}`];
}

const scopeOf = ({ contract, contact }: Values) =>
  typeof contract === 'string' ? { of: 'contract', contract } : typeof contact === 'string' ? { of: 'contact', contactRef: contact } : { of: 'all' };

export const pause = order(
  'pause',
  'stop sending; clocks, receipts and answers go on',
  'pause REASON --by PERSON [--contract NAME | --contact REF] [--customer-only]',
  (_reason, values) => ({
    ...kind('sending.pause'),
    by: values.by,
    scope: scopeOf(values),
    audience: values['customer-only'] === true ? 'customers' : 'everyone',
  }),
  checkAuthority,
);

export const resume = order(
  'resume',
  'send again what is still wanted',
  'resume REASON --by PERSON [--contract NAME | --contact REF]',
  (_reason, values) => ({ ...kind('sending.resume'), by: values.by, scope: scopeOf(values) }),
  checkAuthority,
);

export const takeover = order('takeover', 'say that a person works with the customer: automation steps aside', 'takeover HANDOFF --by PERSON', (handoffId, values) => ({
  ...kind('human.takeover'),
  handoffId,
  person: values.by,
}));
