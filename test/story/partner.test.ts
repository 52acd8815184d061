import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { writeValues } from '../../cli/source-secrets.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { rosterVersion } from '../../shared/contracts/policy-version.ts';
import { personId } from '../../shared/domain/ids.ts';
import { slackActions } from '../../shared/sources/slack-actions.ts';
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

story('O-02 WH-01: the interactive payload of a press in Slack, signed and sent to the address that Slack has, makes an owner; a forged one is refused', async (baton) => {
  const people = baton.policy.roster.people.map((person) => ({ ...person, slack: `U0${person.id.toUpperCase()}` }));
  await dynamodbPolicyPress(baton.table).publish({ ...baton.policy, roster: { version: rosterVersion(people), people } }, 'dana', new Date(baton.runtime.now()).toISOString());
  const secret = 'T0EXAMPLE1=8f742231b10e8888abcd99yyyzzz85a5';
  await writeValues('baton/source/slack', [secret], 'Slack');
  await baton.fastForward({ seconds: 200 });
  const id = await baton.givenSignal(aRoofInspection(), 'pressed-in-slack');
  const [primary] = await baton.candidates(id);
  const link = (await dynamodbLinkBook(baton.table).issuedFor(id, 'offer', 1, personId(primary))).find(({ channel }) => channel === 'slack');
  const now = baton.runtime.now();
  const chosen = { next_action: { selected_option: { value: 'call' } }, due: { selected_option: { value: new Date(now + 7_200_000).toISOString() } } };
  const button = { type: 'button', action_id: 'baton_accept.1', block_id: 'yes', value: link?.id, action_ts: String(now / 1000) };
  const payload = {
    ...{ type: 'block_actions', team: { id: 'T0EXAMPLE1', domain: 'example' }, user: { id: `U0${primary.toUpperCase()}` }, channel: { id: 'D0EXAMPLE1' } },
    ...{ container: { type: 'message', message_ts: '1796051015.000200' }, actions: [button], state: { values: { yes: chosen } } },
    ...{ token: 'proves-nothing', response_url: 'https://hooks.slack.com/actions/T0EXAMPLE1/1/x', trigger_id: '1.2.x' },
  };
  const body = new TextEncoder().encode(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  const url = `${baton.installation.outputs.WebhookUrl}/slack`;
  const { headers } = slackActions.verification.sign({ url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }, secret, new Date(now).toISOString());

  expect((await fetch(url, { method: 'POST', headers: { ...headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` }, body })).status).toBe(401);
  await baton.runtime.idle();
  await baton.thenState(id, 'acceptance-requested');
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  await baton.runtime.idle();
  await baton.thenOwner(id, primary);
  const receipts = await dynamodbHandoffStore(baton.table).receipts(id);
  expect(receipts.find(({ kind }) => kind === 'offer.accepted')?.actor).toEqual({ kind: 'person', person: primary, channel: 'slack' });
});
