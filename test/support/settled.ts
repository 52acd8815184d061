// When a Baton that runs elsewhere is done: nothing there says "idle", but the table says what should be true when it is.

import { DescribeExecutionCommand, type SFNClient } from '@aws-sdk/client-sfn';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { CONSUMERS } from '../../infra/constructs/handoff-bus.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import type { Item, Table } from '../../shared/adapters/dynamodb-table.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { eventually } from './eventually.ts';

export type Watched = {
  table: Table;
  workflows: SFNClient;
  machineArn: string;
  /** Deliveries that were taken in, from any source. */
  delivered: readonly { source: string; eventId: string }[];
  /** How many messages were sent so far. */
  sent: () => Promise<number>;
  /** True when something was caused whose effect the table does not foretell: then it must stay as it is for longer. */
  unforeseen: boolean;
};

const BOUND_SECONDS = 60;
/** How many looks in a row must see the same, so that an effect nobody expects has time to show. */
const STEADY_LOOKS = { foreseen: 4, unforeseen: 25 };
/** An opening is told to a customer in closed hours alone, and a joining source only to whoever knew the request before. Who put facts right is told nothing. */
const HEARD: ReadonlySet<string> = new Set(CONSUMERS.Notify.detailType.filter((kind) => kind !== 'handoff.opened' && kind !== 'signal.linked'));

/** Returns when everything that should have happened has. Throws with what is still open when the bound passes. */
export async function untilSettled(watched: Watched): Promise<void> {
  let last = { print: '', looks: 0 };
  await eventually('everything settles', BOUND_SECONDS, async () => {
    const items = await everything(watched.table);
    const open = await openMatters(watched, items);
    if (open.length > 0) {
      last = { print: '', looks: 0 };
      throw new Error(`not yet: ${open.slice(0, 5).join('; ')}`);
    }
    const print = JSON.stringify([items, await watched.sent()]);
    last = { print, looks: print === last.print ? last.looks + 1 : 0 };
    return last.looks >= (watched.unforeseen ? STEADY_LOOKS.unforeseen : STEADY_LOOKS.foreseen);
  });
}

async function everything({ name, documents }: Table): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of paginateScan({ client: documents }, { TableName: name, ConsistentRead: true })) items.push(...(page.Items ?? []));
  return items.sort((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}

async function openMatters(watched: Watched, items: readonly Item[]): Promise<string[]> {
  const bySort = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const signals = new Map(bySort('SIGNAL').map((item) => [String(item.pk), (item.standing as { kind: string }).kind]));
  const undecided = watched.delivered.map(({ source, eventId }) => `SIGNAL#${source}#${eventId}`).filter((pk) => (signals.get(pk) ?? 'received') === 'received');
  const policy = policyOf(watched.table);
  const waiting = await Promise.all(bySort('HEAD').map(async (head) => missingWait(watched, head.handoff as Handoff, items, await policy(head.handoff as Handoff))));
  return [...undecided, ...unsentMessages(items), ...waiting.flatMap((one) => (one === undefined ? [] : [one]))];
}

/** Receipts that somebody hears of and whose message is neither settled nor held for later. */
function unsentMessages(items: readonly Item[]): string[] {
  const claims = items.filter(({ sk }) => sk === 'CLAIM').map((item) => item.claim as { handoffId: string; effect: string; result?: string; held?: string });
  const unsettled = claims.filter((claim) => claim.result === undefined && claim.held === undefined).map(({ handoffId, effect }) => `${handoffId} ${effect}`);
  const settled = new Set(claims.map(({ handoffId, effect }) => `${handoffId} ${effect.replace(/:(?:email|sms)$/, '')}`));
  const receipts = items.filter(({ sk }) => String(sk).startsWith('RECEIPT#')).map((item) => ({ id: String(item.pk).slice('HANDOFF#'.length), receipt: item.receipt as Receipt }));
  const unheard = receipts
    .filter(({ receipt }) => HEARD.has(receipt.kind) && !(receipt.kind === 'exception.cleared' && receipt.because === 'corrected'))
    .map(({ id, receipt }) => `${id} ${receipt.kind}:${receipt.seq}`);
  return [...unsettled, ...unheard.filter((name) => !settled.has(name))];
}

/** What the machine of a handoff should be doing and is not. */
async function missingWait(watched: Watched, handoff: Handoff, items: readonly Item[], policy: Policy): Promise<string | undefined> {
  const step = nextStep(handoff, policy, new Date().toISOString());
  if (step.kind === 'done') return (await isRunning(watched, handoff.id)) ? `${handoff.id} is done and its machine still runs` : undefined;
  if (step.kind !== 'await') return `${handoff.id} needs ${step.kind}`;
  const stored = items.find(({ pk, sk }) => pk === `HANDOFF#${handoff.id}` && sk === 'WAIT');
  return stored?.wait === step.wait && stored.wokenAt === undefined ? undefined : `${handoff.id} does not wait for ${step.wait}`;
}

async function isRunning({ workflows, machineArn }: Watched, id: string): Promise<boolean> {
  const executionArn = `${machineArn.replace(':stateMachine:', ':execution:')}:${id}`;
  const { status } = await workflows.send(new DescribeExecutionCommand({ executionArn }));
  return status === 'RUNNING';
}

function policyOf(table: Table): (handoff: Handoff) => Promise<Policy> {
  const book = dynamodbPolicyBook(table, { pointerSeconds: 60 });
  return ({ contract, contractVersion }) => book.at(contract, contractVersion);
}
