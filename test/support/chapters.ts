// The smallest stories that use each right of each role. A chapter throws when what it tells does not come true.

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DescribeExecutionCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { readValues, secretIdOf, writeValues } from '../../cli/source-secrets.ts';
import type { Grant } from '../../infra/local/services/iam.ts';
import { dynamodbClaimBook } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbDeliveryBook } from '../../shared/adapters/dynamodb-delivery-book.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { providerNamed } from '../../shared/sources/registry.ts';
import { openPage } from './answer-page.ts';
import {
  accepted,
  asked,
  type Chapter,
  clickedInSlack,
  confirmed,
  everySeller,
  fire,
  fresh,
  functionOf,
  inTurn,
  iso,
  LONGEST_PAUSE,
  optedOut,
  put,
  raised,
  type Scene,
  standing,
  thenTold,
  underPolicy,
  waiting,
} from './chapter-scenes.ts';
import { aRoofInspection } from './leads.ts';
import { linkIn, readMailbox } from './mailbox.ts';
import { deliveryOf, fixtureOf } from './provider-fixtures.ts';
import type { Baton } from './story.ts';

const delivers = (name: string): Chapter => ({
  name: `${name} delivers`,
  proves: /^ReceiveWebhook/,
  async tell({ baton }) {
    const provider = providerNamed(name);
    const [vector] = fixtureOf(name)?.vectors ?? [];
    if (provider === undefined || vector === undefined) throw new Error(name);
    const secretId = secretIdOf(name, baton.installation.outputs);
    if ((await readValues(secretId)).length === 0) await writeValues(secretId, ['a-secret-of-forty-four-letters-and-digits-0000'], name);
    const [secret = ''] = await readValues(secretId);
    const { delivery } = deliveryOf(vector);
    const signed = provider.verification.sign({ ...delivery, url: `${baton.installation.outputs.WebhookUrl}/${name}` }, secret, new Date(baton.runtime.now()).toISOString());
    const answer = await fetch(signed.url, { method: 'POST', headers: signed.headers, body: signed.body });
    expect([200, 202, 204]).toContain(answer.status);
    await baton.runtime.idle();
  },
});

/** A step of the machine that comes when the row waits for nothing says so on the bus. */
const comesLate = (step: string): Chapter => ({
  name: `${step} comes when all is over`,
  proves: new RegExp(`^${step}`),
  async tell({ baton, runtime }) {
    const { id } = await confirmed(baton);
    const { FunctionError } = await new LambdaClient({}).send(
      new InvokeCommand({ FunctionName: functionOf(runtime, step), Payload: JSON.stringify({ handoffId: id, taskToken: fresh('token') }) }),
    );
    expect(FunctionError).toBeUndefined();
  },
});

/** What cannot be done at all ends in the queue for it. The rights that `without` finds are taken away meanwhile. */
const endsInQueue = (queue: string, without: (grant: Grant) => boolean, cause: (scene: Scene) => Promise<unknown>, seconds = 200): Chapter => ({
  name: `failures end in ${queue}`,
  proves: new RegExp(`^${queue.replace(/(Failed|Undelivered|Unpublished)$/, '') || 'PublishReceipts'}`),
  async tell(scene) {
    const before = await waiting(scene, queue);
    const giveBack = scene.runtime
      .grants()
      .all.filter(without)
      .map((grant) => scene.runtime.withhold(grant));
    try {
      await cause(scene);
      await scene.baton.fastForward({ seconds });
    } finally {
      for (const one of giveBack) one();
    }
    await scene.baton.fastForward(LONGEST_PAUSE);
    expect(await waiting(scene, queue)).toBeGreaterThan(before);
  },
});

/** Something happens, and a function deals with it without a fault. */
const worksThrough = (name: string, what: string, happens: (scene: Scene) => Promise<unknown>): Chapter => ({
  name: what,
  proves: new RegExp(`^${name}`),
  async tell(scene) {
    const before = await standing(scene, name);
    await happens(scene);
    await scene.runtime.idle();
    const after = await standing(scene, name);
    expect(after.invocations).toBeGreaterThan(before.invocations);
    expect(after.errors).toBe(before.errors);
  },
});

const of = (role: string, action: string) => (grant: Grant) => grant.role.startsWith(`${role}Role`) && grant.action === action;
const reportMails = async (baton: Baton) => (await readMailbox(baton.runtime.urls.mailbox)).filter(({ subject }) => /sheet|reconciled/i.test(subject)).length;

/** The stored reviews of weeks. */
async function reviews({ name, documents }: Baton['table']): Promise<{ items: Record<string, unknown>[] }> {
  const items: Record<string, unknown>[] = [];
  for await (const page of paginateScan({ client: documents }, { TableName: name, ConsistentRead: true })) items.push(...(page.Items ?? []));
  return { items: items.filter(({ pk }) => String(pk).startsWith('REPORT#week-')) };
}

const sendSignal = async ({ baton }: Scene): Promise<void> => void (await baton.sendWebsite(aRoofInspection(), fresh('chapter')));

/** The small ones first: of those that use a right of a role they are told for, one must break without it. */
export const CHAPTERS: readonly Chapter[] = [
  {
    name: 'a seller is asked',
    proves: /^(ReceiveWebhook|OpenHandoff|ResolveCandidates|RequestAcceptance|Workflow|PublishReceipts|Notify)/,
    async tell({ baton }) {
      const { id, primary } = await asked(baton);
      await baton.thenState(id, 'acceptance-requested');
      await thenTold(baton, primary, id);
      await thenTold(baton, primary, id, 'sms');
      expect((await dynamodbClaimBook(baton.table).find(id, 'acceptance.requested:3:email'))?.result).toBe('sent');
      expect(await baton.workflow(id)).toBe('RUNNING');
    },
  },
  delivers('typeform'),
  delivers('twilio'),
  delivers('tally'),
  {
    name: 'a seller says yes',
    proves: /^(AnswerOffer|AwaitNextStep|AdvanceClock|Workflow)/,
    async tell({ baton }) {
      const { id, letter } = await accepted(baton);
      expect((await dynamodbWaitBook(baton.table).find(id))?.wait).toContain('next-step');
      expect(await baton.workflow(id)).toBe('RUNNING');
      const receipt = await openPage(`${linkIn(letter)}/receipt`);
      expect(receipt.status).toBe(200);
    },
  },
  {
    name: 'the next step is confirmed',
    proves: /^(AnswerOffer|WakeWorkflow|AdvanceClock)/,
    async tell({ baton }) {
      const { id } = await confirmed(baton);
      expect((await dynamodbWaitBook(baton.table).find(id))?.wokenAt).toBeDefined();
      expect(await baton.workflow(id)).toBe('SUCCEEDED');
    },
  },
  {
    name: 'a seller asks back',
    proves: /^(AnswerOffer|Notify)/,
    async tell({ baton }) {
      const { id, letter } = await asked(baton);
      await baton.whenAnswered(letter, { action: 'ask-clarification', question: 'Is it flat?' });
      await thenTold(baton, 'ina', id);
    },
  },
  {
    name: 'nobody serves the place',
    proves: /^(RaiseException|ResolveCandidates|Workflow|Notify)/,
    async tell({ baton }) {
      const id = await raised(baton);
      await thenTold(baton, 'omar', id);
    },
  },
  {
    name: 'a provider has a message of unknown outcome',
    proves: /^NoteDelivery/,
    async tell({ baton }) {
      const { id } = await asked(baton);
      const effect = 'offer.accepted:99:email';
      await dynamodbClaimBook(baton.table).claim(id, effect, iso(baton));
      const about = { messageId: fresh('message'), reference: `${id}:${effect}`, occurredAt: iso(baton) };
      await put(baton, 'message.reported', { schemaVersion: '1', announcement: { kind: 'message.reported', provider: 'ses', channel: 'email', state: 'sent', ...about } });
      await baton.runtime.idle();
      expect(await dynamodbClaimBook(baton.table).find(id, effect)).toMatchObject({ result: 'sent' });
    },
  },
  {
    name: 'what became of a mail is noted',
    proves: /^NoteDelivery/,
    async tell({ baton }) {
      const { id } = await asked(baton);
      const claim = await dynamodbClaimBook(baton.table).find(id, 'acceptance.requested:3:email');
      expect(await dynamodbDeliveryBook(baton.table).reports('ses', claim?.detail ?? '')).not.toEqual([]);
    },
  },
  worksThrough('NoteDelivery', 'a mail that asks bounces', async ({ baton }) => {
    const { id } = await asked(baton);
    const about = { messageId: fresh('message'), reference: `${id}:acceptance.requested:3:email`, occurredAt: iso(baton) };
    await put(baton, 'message.reported', { schemaVersion: '1', announcement: { kind: 'message.reported', provider: 'ses', channel: 'email', state: 'bounced', ...about } });
  }),
  {
    name: 'no seller can be reached, so a named person hears of it at once',
    proves: /^Notify/,
    async tell({ baton }) {
      await everySeller(baton, 'contact.opted-out');
      try {
        const id = await baton.givenSignal(aRoofInspection(), fresh('chapter'));
        expect((await baton.handoff(id)).exceptions.map((one) => one.class)).toEqual(['undeliverable']);
      } finally {
        await everySeller(baton, 'contact.opted-in');
      }
    },
  },
  worksThrough('SuppressContact', 'somebody says STOP', ({ baton }) => optedOut(baton, '+15035559999')),
  {
    name: 'a seller stays silent',
    proves: /^(AdvanceClock|Workflow)/,
    async tell({ baton }) {
      const { id, backup } = await asked(baton);
      await baton.fastForward({ minutes: 5 });
      await baton.thenState(id, 'backup-requested');
      await thenTold(baton, backup, id);
    },
  },
  {
    name: 'an exception owner stays silent',
    proves: /^(AdvanceClock|Workflow)/,
    async tell({ baton }) {
      const id = await raised(baton);
      await baton.fastForward({ minutes: 30 });
      expect((await baton.handoff(id)).custodian).toBe('dana');
      await thenTold(baton, 'dana', id);
    },
  },
  {
    name: 'a machine is stopped and replaced',
    proves: /^Reconcile/,
    async tell({ baton }) {
      const { id } = await asked(baton);
      const machine = baton.installation.outputs.MachineArn.replace(':stateMachine:', ':execution:');
      await new SFNClient({}).send(new StopExecutionCommand({ executionArn: `${machine}:${id}` }));
      await baton.runtime.idle();
      const { status } = await new SFNClient({}).send(new DescribeExecutionCommand({ executionArn: `${machine}:${id}-r1` }));
      expect(status).toBe('RUNNING');
    },
  },
  {
    name: 'a signal is left lying and picked up',
    proves: /^Reconcile/,
    async tell({ baton }) {
      const at = iso(baton);
      const eventId = fresh('left-lying');
      const signal = { source: 'website', eventId, kind: 'form.submitted', occurredAt: at, receivedAt: at, contact: { email: 'ada@example.com' }, consent: {}, more: {} };
      const wish = { request: { words: 'Leak', category: 'roof-repair' }, location: { postalCode: '97201' } };
      const left = { ...signal, ...wish } as unknown as Signal;
      await dynamodbSignalLog(baton.table).record(left, signalDigest.bodyHash(left), at);
      await baton.fastForward({ minutes: 8 });
      await baton.handoff(signalDigest.handoffId({ source: 'website', eventId }));
    },
  },
  {
    name: 'the week is reviewed',
    proves: /^ReportOrphans/,
    async tell(scene) {
      const { table } = scene.baton;
      const { items } = await reviews(table);
      await Promise.all(items.map(({ pk, sk }) => table.documents.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }))));
      await fire(scene, 'ReportOrphans');
      expect((await reviews(table)).items).toMatchObject([{ summary: { announced: true } }]);
    },
  },
  {
    name: 'the report is published',
    proves: /^ReportOrphans/,
    async tell(scene) {
      const before = await reportMails(scene.baton);
      await fire(scene, 'ReportOrphans');
      expect(await reportMails(scene.baton)).toBe(before + 1);
    },
  },
  {
    name: 'the report looks whether workflows wait',
    proves: /^ReportOrphans/,
    async tell(scene) {
      const id = await raised(scene.baton);
      await scene.baton.fastForward({ minutes: 10 });
      const before = await reportMails(scene.baton);
      await fire(scene, 'ReportOrphans');
      const mails = await readMailbox(scene.baton.runtime.urls.mailbox);
      const report = mails.findLast(({ subject }) => /sheet|reconciled/i.test(subject));
      expect(await reportMails(scene.baton)).toBe(before + 1);
      expect(report?.text).toContain(id);
      expect(report?.text).not.toContain('could not be found out');
    },
  },
  {
    name: 'who is next in turn is asked',
    proves: /^ResolveCandidates/,
    async tell({ baton }) {
      await underPolicy(baton, inTurn(baton.policy), async () => {
        const { id } = await asked(baton);
        await baton.thenState(id, 'acceptance-requested');
      });
    },
  },
  {
    name: 'an offer is given to somebody else by order',
    proves: /^CarryOutOrder/,
    async tell({ baton }) {
      const { id, backup } = await asked(baton);
      await baton.whenOrdered({ kind: 'handoff.reassign', handoffId: id, by: 'ina', to: backup, why: 'knows the house' });
      await baton.thenState(id, 'backup-requested');
    },
  },
  {
    name: 'a seller is away for a minute',
    proves: /^CarryOutOrder/,
    async tell({ baton }) {
      const { id, primary } = await asked(baton);
      const until = new Date(baton.runtime.now() + 60_000).toISOString();
      await baton.whenOrdered({ kind: 'person.unavailable', person: primary, from: iso(baton), until });
      await baton.fastForward({ minutes: 2 });
      await baton.thenState(id, 'backup-requested');
    },
  },
  {
    name: 'an exception owner is away for a minute',
    proves: /^CarryOutOrder/,
    async tell({ baton }) {
      const id = await raised(baton);
      const until = new Date(baton.runtime.now() + 60_000).toISOString();
      await baton.whenOrdered({ kind: 'person.unavailable', person: 'omar', from: iso(baton), until });
      await baton.fastForward({ minutes: 2 });
      expect((await baton.handoff(id)).custodian).toBe('dana');
    },
  },
  {
    name: 'no message reaches a seller',
    proves: /^CarryOutOrder/,
    async tell({ baton }) {
      const { id } = await asked(baton);
      for (const channel of ['email', 'sms']) {
        const effect = `acceptance.requested:3:${channel}`;
        await baton.whenSaid('baton.delivery', 'offer.undeliverable', { handoffId: id, effect, channel, state: 'bounced', occurredAt: iso(baton) });
      }
      await baton.thenState(id, 'backup-requested');
    },
  },
  comesLate('RequestAcceptance'),
  comesLate('RaiseException'),
  comesLate('AwaitNextStep'),
  endsInQueue(
    'ReportOrphansUndelivered',
    (grant) => grant.action === 'lambda:InvokeFunction' && grant.resource.includes('ReportOrphans'),
    (scene) => fire(scene, 'ReportOrphans'),
  ),
  endsInQueue(
    'ReconcileUndelivered',
    (grant) => grant.action === 'lambda:InvokeFunction' && grant.resource.includes('Reconcile'),
    (scene) => fire(scene, 'Reconcile'),
  ),
  endsInQueue('OpenHandoffFailed', of('OpenHandoff', 'dynamodb:PutItem'), sendSignal),
  endsInQueue('NotifyFailed', of('Notify', 'dynamodb:GetItem'), sendSignal),
  endsInQueue('SuppressContactFailed', of('SuppressContact', 'dynamodb:PutItem'), ({ baton }) => optedOut(baton, '+15035559998')),
  endsInQueue('NoteDeliveryFailed', of('NoteDelivery', 'dynamodb:PutItem'), sendSignal),
  endsInQueue('CarryOutOrderFailed', of('CarryOutOrder', 'dynamodb:BatchGetItem'), async ({ baton }) => {
    const { id } = await asked(baton);
    await baton.whenOrdered({ kind: 'handoff.withdraw', handoffId: id, by: 'ina' });
  }),
  endsInQueue('AnswerOfferFailed', of('AnswerOffer', 'dynamodb:BatchGetItem'), clickedInSlack),
  endsInQueue('WakeWorkflowFailed', of('WakeWorkflow', 'dynamodb:GetItem'), async ({ baton }) => accepted(baton)),
  endsInQueue('ReportOrphansFailed', of('ReportOrphans', 'dynamodb:Query'), (scene) => fire(scene, 'ReportOrphans')),
  endsInQueue('ReconcileFailed', of('Reconcile', 'dynamodb:Query'), (scene) => fire(scene, 'Reconcile')),
  endsInQueue('Unpublished', of('PublishReceipts', 'events:PutEvents'), sendSignal, 1200),
];
