// The words in which a story is told. A story runs on the booted template: real functions, rules, state machine, table. Only time is ours.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { expect, it, onTestFinished } from 'vitest';
import { signedHeaders } from '../../cli/commands/send.ts';
import { type Installation, pointAt } from '../../cli/installation.ts';
import { bootRuntime } from '../../infra/local/runtime.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { loadPolicy, type PolicySet } from '../../shared/contracts/policy-files.ts';
import type { Handoff, State } from '../../shared/domain/handoff.ts';
import { type HandoffId, personId } from '../../shared/domain/ids.ts';
import type { FactKind } from '../../shared/domain/receipt.ts';
import type { Totals } from '../../shared/ports/report-sources.ts';
import { openPage, type Page, submit } from './answer-page.ts';
import type { Lead } from './leads.ts';
import { linkIn, type Message, readMailbox } from './mailbox.ts';

type Runtime = Awaited<ReturnType<typeof bootRuntime>>;
/** Where a story is told: on the local runtime, or on a deployment that offers the same hands. */
export type Stage = Pick<Runtime, 'urls' | 'now' | 'advance' | 'idle'> & { outputs: Readonly<Record<string, string>>; stop?(): Promise<void> };
/** What a person needs of a message to answer it. */
type Asked = Pick<Message, 'to' | 'links'>;
type Length = { seconds?: number; minutes?: number; hours?: number; days?: number };

const seconds = ({ seconds: s = 0, minutes = 0, hours = 0, days = 0 }: Length) => s + 60 * minutes + 3600 * hours + 86_400 * days;

/** The sample business's policy, as the stories assume it. */
export function samplePolicy(): PolicySet {
  const read = loadPolicy('policy');
  if (read.kind === 'invalid') throw new Error(read.findings.join('\n'));
  return read.policy;
}

/** One running Baton, and a person's hands on it. */
export class Baton {
  readonly runtime: Stage;
  readonly policy: PolicySet;
  readonly installation: Installation;
  #seen = new Set<string>();

  constructor(runtime: Stage, policy: PolicySet) {
    this.runtime = runtime;
    this.policy = policy;
    this.installation = { outputs: runtime.outputs as Installation['outputs'], urls: runtime.urls };
  }

  get table() {
    return dynamodbTable(this.installation.outputs.TableName);
  }

  /** A website form is sent, signed; answers with the handoff it leads to once everything it caused is done. */
  async givenSignal(lead: Lead, eventId = `story-${randomUUID()}`): Promise<HandoffId> {
    const answer = await this.sendWebsite(lead, eventId);
    expect(answer.status, await answer.text()).toBe(202);
    await this.runtime.idle();
    return signalDigest.handoffId({ source: 'website', eventId });
  }

  /** The same delivery, without waiting for what it causes. */
  async sendWebsite(lead: Lead, eventId: string): Promise<Response> {
    const { SecretString = '' } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: this.installation.outputs.WebsiteSecretArn }));
    const body = JSON.stringify({ request_id: eventId, ...lead });
    const headers = { 'content-type': 'application/json', ...signedHeaders(body, eventId, SecretString, new Date(this.runtime.now())) };
    return fetch(`${this.installation.outputs.WebhookUrl}/website`, { method: 'POST', body, headers });
  }

  /** Something is said on the bus by somebody outside, and everything that it causes happens. */
  async whenSaid(source: 'baton.ops' | 'baton.ai' | 'baton.delivery' | 'baton.intake', detailType: string, detail: object): Promise<void> {
    const entry = { Source: source, DetailType: detailType, EventBusName: this.installation.outputs.BusName, Detail: JSON.stringify({ schemaVersion: '1', ...detail }) };
    const { FailedEntryCount } = await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [entry] }));
    expect(FailedEntryCount).toBe(0);
    await this.runtime.idle();
  }

  /** A provider reports about a message. */
  whenReported(announcement: { kind: 'message.reported' } & Record<string, unknown>): Promise<void> {
    return this.whenSaid('baton.intake', 'message.reported', { announcement });
  }

  /** Staff order something, as `baton reassign` and its kin do. */
  whenOrdered(order: { kind: string } & Record<string, unknown>): Promise<void> {
    return this.whenSaid('baton.ops', order.kind, { orderId: `story-${randomUUID()}`, order });
  }

  /** Lets time pass, and two seconds more: the machine wakes a second after a deadline, so that it never wakes before it. */
  async fastForward(length: Length): Promise<void> {
    await this.runtime.advance(seconds(length) + 2);
  }

  /** The next unread message to a person about a handoff, by default the e-mail. */
  async thenMessageTo(person: string, { about, saying, channel = 'email' }: { about: HandoffId; saying?: string; channel?: 'email' | 'sms' }): Promise<Message> {
    const found = await this.messagesTo(person, about, channel);
    const message = found.find((one) => !this.#seen.has(one.id) && (saying === undefined || `${one.subject}\n${one.text}`.includes(saying)));
    if (message === undefined)
      throw new Error(
        `no unread ${channel} to ${person} about ${about}${saying === undefined ? '' : ` saying "${saying}"`}; there were: ${found.map((one) => one.subject).join(' | ') || 'none'}`,
      );
    this.#seen.add(message.id);
    return message;
  }

  /** The e-mail that asks about an offer, found by its link: for crowds, where reading the whole mailbox each time would take long. */
  offerTo(person: string, about: HandoffId, number = 1): Promise<Asked> {
    return this.#askedBy(person, about, { purpose: 'offer', number });
  }

  /** The same for an exception. */
  exceptionTo(person: string, about: HandoffId, number = 1): Promise<Asked> {
    return this.#askedBy(person, about, { purpose: 'exception', number });
  }

  async #askedBy(person: string, about: HandoffId, { purpose, number }: { purpose: 'offer' | 'exception'; number: number }): Promise<Asked> {
    const links = await dynamodbLinkBook(this.table).issuedFor(about, purpose, number, personId(person));
    const link = links.find((one) => one.channel === 'email');
    if (link === undefined) throw new Error(`${person} was not asked about ${about}`);
    return { to: this.person(person).email ?? '', links: [new URL(`/a/${link.id}`, this.runtime.urls.console).href] };
  }

  async thenNoMessageTo(person: string, about: HandoffId): Promise<void> {
    const found = [...(await this.messagesTo(person, about, 'email')), ...(await this.messagesTo(person, about, 'sms'))].filter((one) => !this.#seen.has(one.id));
    expect(found.map((one) => one.subject || one.text)).toEqual([]);
  }

  /** Every message to a person about a handoff, read or not, oldest first. */
  async messagesTo(person: string, about: HandoffId, channel: 'email' | 'sms'): Promise<Message[]> {
    const { email, sms } = this.person(person);
    const address = channel === 'email' ? email : sms;
    const mine = (await readMailbox(this.runtime.urls.mailbox)).filter((one) => one.channel === channel && one.to === address);
    const links = dynamodbLinkBook(this.table);
    const kept: Message[] = [];
    for (const message of mine) {
      const link = message.links.find((one) => new URL(one).pathname.startsWith('/a/'));
      const id = link === undefined ? undefined : new URL(link).pathname.split('/')[2];
      const target = id === undefined ? undefined : await links.find(id);
      if (target?.handoffId === about) kept.push(message);
    }
    return kept;
  }

  person(id: string) {
    const person = this.policy.roster.people.find((one) => one.id === id);
    if (person === undefined) throw new Error(`nobody is called ${id}`);
    return person;
  }

  whenOpened(message: Asked): Promise<Page> {
    return openPage(linkIn(message));
  }

  /** Sends one answer from the page of a message, and waits for what it causes. */
  async whenAnswered(message: Asked, fields: Record<string, string>): Promise<Page> {
    const page = await submit(await this.whenOpened(message), fields);
    await this.runtime.idle();
    return page;
  }

  /** A yes, with a next action and a due time in so many hours (default: in three). */
  whenAccepted(message: Asked, promise: { nextAction?: string; dueIn?: Length } = {}): Promise<Page> {
    return this.whenAnswered(message, {
      action: 'accept',
      nextAction: promise.nextAction ?? 'call',
      dueChoice: 'other',
      due: this.localTime(message, promise.dueIn ?? { hours: 3 }),
    });
  }

  /** A date and time as the page's field takes it, in the zone of the person the message went to. */
  localTime(message: Asked, ahead: Length): string {
    const zone = this.policy.roster.people.find((one) => one.email === message.to || one.sms === message.to)?.zone ?? 'UTC';
    const at = new Date(this.runtime.now() + seconds(ahead) * 1000);
    const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at);
    return parts.replace(' ', 'T');
  }

  totals(): Promise<Totals> {
    return dynamodbTotalsBook(this.table).totals();
  }

  async handoff(id: HandoffId): Promise<Handoff> {
    const loaded = await dynamodbHandoffStore(this.table).load(id);
    if (loaded === undefined) throw new Error(`there is no handoff ${id}`);
    return loaded.handoff;
  }

  /** The people who may be asked, in order: least open first, so earlier stories of the same file decide who that is. */
  async candidates(id: HandoffId): Promise<[string, string]> {
    const [primary, backup] = (await this.handoff(id)).candidates.map((one) => one.person);
    if (primary === undefined || backup === undefined) throw new Error(`handoff ${id} has fewer than two candidates`);
    return [primary, backup];
  }

  async thenState(id: HandoffId, state: State): Promise<void> {
    expect((await this.handoff(id)).state).toBe(state);
  }

  async thenOwner(id: HandoffId, person: string): Promise<void> {
    const { ownership, custodian } = await this.handoff(id);
    expect({ owner: ownership?.owner, custodian }).toEqual({ owner: person, custodian: person });
  }

  async thenReceipts(id: HandoffId, kinds: FactKind[]): Promise<void> {
    const receipts = await dynamodbHandoffStore(this.table).receipts(id);
    expect(receipts.map((one) => one.kind)).toEqual(kinds);
  }

  /** Where the waiting machine of a handoff stands. */
  async workflow(id: HandoffId): Promise<string> {
    const executionArn = `${this.installation.outputs.MachineArn.replace(':stateMachine:', ':execution:')}:${id}`;
    const { status } = await new SFNClient({}).send(new DescribeExecutionCommand({ executionArn }));
    return status ?? 'UNKNOWN';
  }
}

let running: Promise<Baton> | undefined;

/** The next Wednesday at ten or eleven in Portland, so that no story depends on the hour at which it is told. */
function wednesdayMorning(now: number): string {
  const day = new Date(now);
  day.setUTCDate(day.getUTCDate() + ((3 - day.getUTCDay() + 7) % 7 || 7));
  day.setUTCHours(18, 0, 0, 0);
  return day.toISOString();
}

/** A Baton with the runtime under it, for stories that take its rights away or look into its folder; whoever boots it ends it. */
export type OwnBaton = { baton: Baton; runtime: Runtime; dataDir: string; end: () => Promise<void> };

export async function bootOwnBaton(): Promise<OwnBaton> {
  const dataDir = mkdtempSync(join(tmpdir(), 'baton-story-'));
  const forget = () => rmSync(dataDir, { recursive: true, force: true });
  const runtime = await bootRuntime({ cdkOut: 'cdk.out', dataDir, port: 0, quiet: true, startsAt: wednesdayMorning(Date.now()) });
  process.once('beforeExit', forget);
  pointAt(runtime.urls.aws);
  const policy = samplePolicy();
  await dynamodbPolicyPress(dynamodbTable(runtime.outputs.TableName ?? '')).publish(policy, 'dana', new Date(runtime.now()).toISOString());
  const end = async () => {
    await runtime.stop();
    forget();
  };
  return { baton: new Baton(runtime, policy), runtime, dataDir, end };
}

/** Boots one Baton for the stories of a file. It ends with the process that runs the file. */
export const bootBaton = async (): Promise<Baton> => (await bootOwnBaton()).baton;

export type Story = { name: string; tell: (baton: Baton) => Promise<void> };
let collected: Story[] | undefined;

/** Loads files of stories without telling any, for whoever tells them elsewhere. */
export async function collectStories(load: () => Promise<unknown>): Promise<Story[]> {
  const stories: Story[] = [];
  collected = stories;
  await load();
  collected = undefined;
  return stories;
}

/** Tells one story. Its name begins with the rule or case ids it shows. */
export function story(name: string, tell: (baton: Baton) => Promise<void>, timeoutSeconds = 120): void {
  if (collected !== undefined) {
    collected.push({ name, tell });
    return;
  }
  it(
    name,
    async () => {
      running ??= bootBaton();
      const baton = await running;
      onTestFinished(() => baton.runtime.idle());
      await tell(baton);
    },
    timeoutSeconds * 1000,
  );
}
