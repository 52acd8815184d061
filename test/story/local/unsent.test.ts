import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamodbClaimBook } from '../../../shared/adapters/dynamodb-claim-book.ts';
import { aRoofInspection } from '../../support/leads.ts';
import { bootOwnBaton, type OwnBaton } from '../../support/story.ts';

const EFFECT = 'acceptance.requested:3:email';
let own: OwnBaton;
let runtime: OwnBaton['runtime'];
let baton: OwnBaton['baton'];

beforeAll(async () => {
  own = await bootOwnBaton();
  ({ baton, runtime } = own);
});
afterAll(() => own.end());

/** Takes the right to send mail away from `notify`: messages are claimed, and nobody takes them. */
function withoutMail(): () => void {
  const grants = runtime.grants().all.filter((grant) => grant.role.startsWith('Notify') && grant.action === 'ses:SendEmail');
  expect(grants.length).toBeGreaterThan(0);
  const giveBack = grants.map((grant) => runtime.withhold(grant));
  return () => {
    for (const give of giveBack) give();
  };
}

test('MS-05 LA-03: a message that is claimed and not taken goes out with the repetition a minute later, well within the window', async () => {
  const mailWorks = withoutMail();
  const id = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(id);
  const claims = dynamodbClaimBook(baton.table);
  expect(await claims.find(id, EFFECT)).toMatchObject({ attempts: 0, held: 'the provider took nothing: AccessDeniedException' });
  expect(await baton.messagesTo(primary, id, 'email')).toEqual([]);
  expect(await baton.messagesTo(primary, id, 'sms')).toHaveLength(1);

  mailWorks();
  await baton.fastForward({ seconds: 70 });
  const mails = await baton.messagesTo(primary, id, 'email');
  expect(mails).toHaveLength(1);
  expect(await claims.find(id, EFFECT)).toMatchObject({ attempts: 1, result: 'sent' });
  expect(await baton.messagesTo(primary, id, 'sms')).toHaveLength(1);
  const [offer] = (await baton.handoff(id)).offers;
  expect(Date.parse(mails[0]?.sentAt ?? '')).toBeLessThan(Date.parse(offer?.warnAt ?? ''));

  await baton.fastForward({ minutes: 15 });
  expect((await baton.messagesTo(primary, id, 'email')).filter((one) => one.subject === mails[0]?.subject)).toHaveLength(1);
});

test('E-05: a message that the provider has and nobody heard of is settled by its report, and not sent again', async () => {
  const mailWorks = withoutMail();
  const id = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(id);
  mailWorks();
  const occurredAt = new Date(runtime.now()).toISOString();
  const announcement = { kind: 'message.reported' as const, provider: 'ses', channel: 'email', state: 'sent', messageId: 'heard-later', reference: `${id}:${EFFECT}`, occurredAt };
  await baton.whenReported(announcement);
  await baton.fastForward({ seconds: 200 });
  expect(await dynamodbClaimBook(baton.table).find(id, EFFECT)).toMatchObject({ attempts: 0, result: 'sent', detail: 'heard-later' });
  expect((await baton.messagesTo(primary, id, 'email')).filter((one) => one.subject.startsWith('Will you take it'))).toEqual([]);
});

test('DB-20: nothing comes out of the stream for 25 hours; whoever then answers for the handoff was told of it once, by the sweep, and nobody a second time afterwards', async () => {
  const grants = runtime.grants().all.filter((grant) => grant.role.startsWith('PublishReceipts') && grant.action === 'events:PutEvents');
  expect(grants.length).toBeGreaterThan(0);
  const giveBack = grants.map((grant) => runtime.withhold(grant));
  const id = await baton.givenSignal(aRoofInspection());
  await baton.fastForward({ hours: 25 });
  const { exceptions, offers } = await baton.handoff(id);
  for (const { to } of offers) expect(await baton.messagesTo(to, id, 'email')).toEqual([]);
  const accountable = exceptions.flatMap((one) => [...one.earlierOwners, one.owner]);
  expect(accountable.length).toBeGreaterThan(1);
  const told = async () => Promise.all(accountable.map(async (person) => (await baton.messagesTo(person, id, 'email')).length));
  expect(await told()).toEqual(accountable.map(() => 1));

  for (const give of giveBack) give();
  await baton.fastForward({ minutes: 60 });
  expect(await told()).toEqual(accountable.map(() => 1));
}, 240_000);
