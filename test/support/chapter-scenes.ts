// Beginnings, causes and looks that the chapters of chapters.ts share.

import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CreateScheduleCommand, GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { expect } from 'vitest';
import type { Runtime } from '../../infra/local/runtime.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { contractVersion } from '../../shared/contracts/policy-version.ts';
import { type HandoffId, personId } from '../../shared/domain/ids.ts';
import { aRoofInspection } from './leads.ts';
import type { Baton } from './story.ts';

export type Scene = { baton: Baton; runtime: Runtime };
/** `proves` names the roles whose rights it is told for; it may use others by the way. */
export type Chapter = { name: string; proves: RegExp; tell: (scene: Scene) => Promise<void> };

let told = 0;
/** A name nobody used before. */
export const fresh = (what: string): string => {
  told += 1;
  return `${what}-${told}`;
};

const NEAR = { hours: 3 };
/** Between two attempts of a stream's batch, during which everything behind it waits. */
export const LONGEST_PAUSE = { seconds: 60 };
const FAR_AWAY = { postal_code: '10001' };

export async function asked(baton: Baton) {
  const id = await baton.givenSignal(aRoofInspection(), fresh('chapter'));
  const [primary, backup] = await baton.candidates(id);
  const letter = await baton.offerTo(primary, id);
  return { id, primary, backup, letter };
}

export async function accepted(baton: Baton) {
  const offer = await asked(baton);
  const page = await baton.whenAccepted(offer.letter, { dueIn: NEAR });
  expect(page.status).toBe(200);
  await baton.thenOwner(offer.id, offer.primary);
  return offer;
}

export async function confirmed(baton: Baton) {
  const offer = await accepted(baton);
  await baton.whenAnswered(offer.letter, { action: 'confirm-next-step', evidence: 'call', evidenceNote: 'Spoke.' });
  await baton.thenState(offer.id, 'next-step-confirmed');
  return offer;
}

export async function raised(baton: Baton): Promise<HandoffId> {
  const id = await baton.givenSignal(aRoofInspection(FAR_AWAY), fresh('chapter'));
  await baton.thenState(id, 'exception');
  return id;
}

export const thenTold = async (baton: Baton, person: string, id: HandoffId, channel: 'email' | 'sms' = 'email') =>
  expect(await baton.messagesTo(person, id, channel)).not.toEqual([]);

export const put = (baton: Baton, DetailType: string, detail: unknown) =>
  new EventBridgeClient({}).send(
    new PutEventsCommand({ Entries: [{ Source: 'baton.intake', DetailType, EventBusName: baton.installation.outputs.BusName, Detail: JSON.stringify(detail) }] }),
  );

export const optedOut = (baton: Baton, address: string) =>
  put(baton, 'contact.opted-out', {
    schemaVersion: '1',
    announcement: { kind: 'contact.opted-out', source: 'sns', eventId: fresh('sms:stop'), occurredAt: iso(baton), channel: 'sms', address, because: 'keyword' },
  });

/** A seller's yes in Slack, as the intake announces it. */
export async function clickedInSlack({ baton }: Scene): Promise<void> {
  const { id, primary } = await asked(baton);
  const [link] = await dynamodbLinkBook(baton.table).issuedFor(id, 'offer', 1, personId(primary));
  const occurredAt = iso(baton);
  const where = { team: 'T0TEAM', user: 'U0SELLER', channel: 'D0CHANNEL', messageTs: '1.2' };
  const said = { action: 'baton_accept.1', value: link?.id, chosen: { next_action: 'call', due: new Date(baton.runtime.now() + 7_200_000).toISOString() } };
  await put(baton, 'slack.answered', { schemaVersion: '1', announcement: { kind: 'slack.answered', eventId: fresh('click'), occurredAt, ...where, ...said } });
}

/** Tells something while another policy is in force. */
export async function underPolicy(baton: Baton, policy: Baton['policy'], tell: () => Promise<void>): Promise<void> {
  const press = dynamodbPolicyPress(baton.table);
  await press.publish(policy, 'dana', iso(baton));
  try {
    await tell();
  } finally {
    await press.publish(baton.policy, 'dana', iso(baton));
  }
}

/** The same policy, with people asked in turn. */
export function inTurn(policy: Baton['policy']): Baton['policy'] {
  const contracts = policy.contracts.map(({ version: _, ...contract }) => {
    const asking = { ...contract, ask: contract.ask.map((step) => ({ ...step, order: 'fair-turn' as const })) };
    return { ...asking, version: contractVersion(asking, policy.calendars) };
  });
  return { ...policy, contracts };
}

/** Every address of every seller is shut, or open again. */
export async function everySeller(baton: Baton, kind: 'contact.opted-out' | 'contact.opted-in'): Promise<void> {
  const sellers = baton.policy.roster.people.filter((person) => person.roles.includes('seller'));
  for (const [channel, address] of sellers.flatMap(({ email, sms }) => [['email', email] as const, ['sms', sms] as const])) {
    const because = channel === 'sms' ? 'keyword' : 'hard-bounce';
    if (address !== undefined)
      await put(baton, kind, { schemaVersion: '1', announcement: { kind, source: 'sns', eventId: fresh(channel), occurredAt: iso(baton), channel, address, because } });
  }
  await baton.runtime.idle();
}

/** Names in the template are the construct's path and a hash. */
export const functionOf = (runtime: Runtime, id: string): string => {
  const names = runtime.grants().all.flatMap(({ resource }) => /:function:([^:*]+)$/.exec(resource)?.[1] ?? []);
  const found = names.find((name) => name.startsWith(`${id}Function`));
  if (found === undefined) throw new Error(`no function ${id}`);
  return found;
};
export const iso = (baton: Baton): string => new Date(baton.runtime.now()).toISOString();

/** Fires a schedule of the template once more, a minute from now. */
export async function fire({ baton }: Scene, id: string): Promise<void> {
  const client = new SchedulerClient({});
  const { Schedules = [] } = await client.send(new ListSchedulesCommand({}));
  const { Target } = await client.send(new GetScheduleCommand({ Name: Schedules.find(({ Name }) => Name?.startsWith(id))?.Name ?? id }));
  const at = new Date(baton.runtime.now() + 61_000).toISOString().slice(0, 19);
  await client.send(
    new CreateScheduleCommand({ Name: fresh('once'), ScheduleExpression: `at(${at})`, FlexibleTimeWindow: { Mode: 'OFF' }, ActionAfterCompletion: 'DELETE', Target }),
  );
  await baton.fastForward({ seconds: 62 });
}

type Queue = { name: string; visible: number };
export async function waiting({ runtime }: Scene, queue: string): Promise<number> {
  const { queues } = (await (await fetch(new URL('/_baton/overview', runtime.urls.console))).json()) as { queues: Queue[] };
  return queues.find(({ name }) => name.startsWith(queue))?.visible ?? 0;
}

type Standing = { name: string; invocations: number; errors: number };
export async function standing({ runtime }: Scene, name: string): Promise<Standing> {
  const { functions } = (await (await fetch(new URL('/_baton/overview', runtime.urls.console))).json()) as { functions: Standing[] };
  const found = functions.find((one) => one.name.startsWith(`${name}Function`));
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}
