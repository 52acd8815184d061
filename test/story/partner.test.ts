import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { rosterVersion } from '../../shared/contracts/policy-version.ts';
import { personId } from '../../shared/domain/ids.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

const run = promisify(execFile);

story('D: a partner puts a request on the bus with the example as it stands, twice, and one seller is asked once', async (baton) => {
  const put = () => run(process.execPath, ['examples/partner/put-signal.ts', 'partner-4711'], { env: { ...process.env, BATON_BUS: baton.installation.outputs.BusName } });
  await put();
  await put();
  await baton.runtime.idle();
  const id = signalDigest.handoffId({ source: 'website', eventId: 'partner-4711' });
  await baton.thenState(id, 'acceptance-requested');
  expect((await baton.totals()).received).toBe(1);
});

story('O-02: a click in Slack, as the intake announces it, makes an owner; a click by somebody else does not', async (baton) => {
  const people = baton.policy.roster.people.map((person) => ({ ...person, slack: `U0${person.id.toUpperCase()}` }));
  await dynamodbPolicyPress(baton.table).publish({ ...baton.policy, roster: { version: rosterVersion(people), people } }, 'dana', new Date(baton.runtime.now()).toISOString());
  const id = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(id);
  const link = (await dynamodbLinkBook(baton.table).issuedFor(id, 'offer', 1, personId(primary))).find(({ channel }) => channel === 'slack');
  const due = new Date(baton.runtime.now() + 7_200_000).toISOString();
  const click = async (user: string, eventId: string) => {
    const message = { kind: 'slack.answered', eventId, occurredAt: due, team: 'T0TEAM', user, channel: 'D0CHANNEL', messageTs: '1.2', action: 'baton_accept.1' };
    const detail = { schemaVersion: '1', announcement: { ...message, value: link?.id, chosen: { next_action: 'call', due } } };
    const entry = { EventBusName: baton.installation.outputs.BusName, Source: 'baton.intake', DetailType: 'slack.answered', Detail: JSON.stringify(detail) };
    await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [entry] }));
    await baton.runtime.idle();
  };
  await click('U0STRANGER', 'click-1');
  await baton.thenState(id, 'acceptance-requested');
  await click(`U0${primary.toUpperCase()}`, 'click-2');
  await baton.thenOwner(id, primary);
  const receipts = await dynamodbHandoffStore(baton.table).receipts(id);
  expect(receipts.find(({ kind }) => kind === 'offer.accepted')?.actor).toEqual({ kind: 'person', person: primary, channel: 'slack' });
});
