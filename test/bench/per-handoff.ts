// What one handoff asks of every service on the happy path: signal, yes, confirmed. Counted by the runtime, not read from logs.

import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { RuntimeCounts } from '../../infra/local/runtime.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { RunningBaton } from '../support/running-baton.ts';
import { clientOf, type Driver } from './drive.ts';
import { type Print, rounded } from './figure.ts';

/** What one handoff takes of everything that is priced or limited. */
export type Usage = {
  httpRequests: number;
  invocations: number;
  gbSeconds: number;
  busySeconds: number;
  transactions: number;
  writeItems: number;
  writeUnits: number;
  reads: number;
  readItems: number;
  eventsPut: number;
  deliveries: number;
  starts: number;
  transitions: number;
  wakeUps: number;
  emails: number;
  texts: number;
  objectsPut: number;
  secretReads: number;
  objectPuts: number;
  logBytes: number;
};

const HANDOFFS = 20;

/** Counts the whole way of some handoffs after a first one has warmed every cache, and prints each figure for one. */
export async function perHandoffFigures(print: Print, baton: RunningBaton, driver: Driver): Promise<Usage> {
  await live(baton, driver, 1);
  const before = await countsOf(baton);
  const ids = await live(baton, driver, HANDOFFS);
  const spent = difference(before, await countsOf(baton));
  const transitions = (await Promise.all(ids.map((id) => transitionsOf(baton, id)))).reduce((sum, one) => sum + one, 0);
  const usage = usageOf(spent, { transitions, unitsAnItem: await unitsAnItem(driver, ids) });
  for (const [name, value] of Object.entries(usage)) print(`handoff.${name}`, value, UNITS[name] ?? 'each', { handoffs: HANDOFFS, path: 'signal, accepted, confirmed' });
  for (const { name, path, invocations } of spent.functions.filter((one) => one.invocations > 0))
    print('handoff.invocations-of', rounded(invocations / HANDOFFS, 2), 'each', { function: path.split('/')[1] ?? name });
  for (const { caller, service, operation, requests, entries } of spent.requests.filter((one) => one.caller !== 'operator'))
    print('handoff.requests', rounded(requests / HANDOFFS, 2), 'each', { caller, service, operation, entries: rounded(entries / HANDOFFS, 2) });
  return usage;
}

const UNITS: Readonly<Record<string, string>> = { gbSeconds: 'GB-s', busySeconds: 's', logBytes: 'bytes', writeUnits: 'WRU (estimated)' };

async function live(baton: RunningBaton, driver: Driver, count: number): Promise<HandoffId[]> {
  const ids: HandoffId[] = [];
  for (let made = 0; made < count; made++) {
    const { id } = await driver.send();
    await baton.settled();
    const [asked] = await driver.untilAsked([id], 60);
    if (asked === undefined) throw new Error(`${id} asks nobody`);
    await driver.accept(await driver.open(asked));
    await baton.settled();
    const [owned] = await driver.handoffs([id]);
    if (owned !== undefined) await driver.confirm(owned);
    await baton.settled();
    ids.push(id);
  }
  return ids;
}

export async function countsOf({ urls }: Pick<RunningBaton, 'urls'>): Promise<RuntimeCounts> {
  return (await (await fetch(new URL('/_baton/counts', urls.console))).json()) as RuntimeCounts;
}

/** What was added between two counts. */
export function difference(before: RuntimeCounts, after: RuntimeCounts): RuntimeCounts {
  const requests = after.requests.map((one) => {
    const earlier = before.requests.find((other) => other.caller === one.caller && other.service === one.service && other.operation === one.operation);
    return earlier === undefined
      ? one
      : { ...one, requests: one.requests - earlier.requests, entries: one.entries - earlier.entries, bytes: one.bytes - earlier.bytes, refused: one.refused - earlier.refused };
  });
  const functions = after.functions.map((one) => {
    const earlier = before.functions.find(({ name }) => name === one.name);
    if (earlier === undefined) return one;
    const { invocations, errors, milliseconds, logBytes } = earlier;
    return { ...one, invocations: one.invocations - invocations, errors: one.errors - errors, milliseconds: one.milliseconds - milliseconds, logBytes: one.logBytes - logBytes };
  });
  return { requests: requests.filter((one) => one.requests > 0), functions };
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);
const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

function usageOf(spent: RuntimeCounts, { transitions, unitsAnItem: units }: { transitions: number; unitsAnItem: number }): Usage {
  const made = spent.requests.filter(({ caller }) => caller !== 'operator');
  const sum = (service: string, operations: ReadonlySet<string> | string, of: 'requests' | 'entries' = 'requests') =>
    made
      .filter((one) => one.service === service && (typeof operations === 'string' ? operations === one.operation : operations.has(one.operation)))
      .reduce((total, one) => total + one[of], 0);
  const invoked = (of: (one: RuntimeCounts['functions'][number]) => number) => spent.functions.reduce((total, one) => total + of(one), 0);
  const single = sum('dynamodb', SINGLE_WRITES);
  const transacted = sum('dynamodb', 'TransactWriteItems', 'entries');
  const http = invoked(({ path, invocations }) => (/ReceiveWebhook|AnswerOffer/.test(path) ? invocations : 0));
  const all: Usage = {
    httpRequests: http,
    invocations: invoked(({ invocations }) => invocations),
    gbSeconds: invoked(({ milliseconds, memoryMegabytes }) => (milliseconds / 1000) * (memoryMegabytes / 1024)),
    busySeconds: invoked(({ milliseconds }) => milliseconds / 1000),
    transactions: sum('dynamodb', 'TransactWriteItems'),
    writeItems: transacted + single,
    writeUnits: (2 * transacted + single) * units,
    reads: sum('dynamodb', READS),
    readItems: sum('dynamodb', READS, 'entries'),
    eventsPut: sum('events', 'PutEvents', 'entries'),
    deliveries: invoked(({ path, invocations }) => (/OpenHandoff|Notify|WakeWorkflow/.test(path) ? invocations : 0)),
    starts: sum('states', 'StartExecution'),
    transitions,
    wakeUps: sum('states', 'SendTaskSuccess'),
    emails: sum('ses', new Set(['POST'])),
    texts: sum('sms-voice', 'SendTextMessage'),
    objectsPut: sum('s3', 'PUT'),
    secretReads: sum('secretsmanager', 'GetSecretValue'),
    objectPuts: sum('s3', 'PUT'),
    logBytes: invoked(({ logBytes }) => logBytes),
  };
  return Object.fromEntries(Object.entries(all).map(([name, total]) => [name, rounded(total / HANDOFFS, 3)])) as Usage;
}

/** Standard workflows are billed by states entered, and one for the start. */
async function transitionsOf({ outputs, urls }: RunningBaton, id: HandoffId): Promise<number> {
  const executionArn = `${outputs.MachineArn?.replace(':stateMachine:', ':execution:')}:${id}`;
  const { events = [] } = await new SFNClient(clientOf({ endpoint: urls.aws })).send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  return 1 + events.filter(({ type }) => type?.endsWith('StateEntered')).length;
}

/** Write units of a mean item of these handoffs: a unit holds 1 KB, and each index that an item stands in is one write more. */
async function unitsAnItem({ table }: Driver, ids: readonly HandoffId[]): Promise<number> {
  const own = new Set<string>(ids);
  const units: number[] = [];
  for await (const page of paginateScan({ client: table.documents }, { TableName: table.name })) {
    for (const item of page.Items ?? []) {
      if (![...own].some((id) => String(item.pk).includes(id) || item.handoffId === id)) continue;
      const indexes = Number(item.openPk !== undefined) + Number(item.personPk !== undefined);
      units.push(Math.ceil(Buffer.byteLength(JSON.stringify(item)) / 1024) + indexes);
    }
  }
  return units.reduce((sum, one) => sum + one, 0) / Math.max(1, units.length);
}
