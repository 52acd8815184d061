import { describe, expect, test } from 'vitest';
import { answerFromSlack } from '../../functions/answer-offer/answer-from-slack.ts';
import { type NotifyDeps, notify } from '../../functions/notify/notify.ts';
import { slackChat } from '../../shared/adapters/slack-chat.ts';
import type { SlackAnswered } from '../../shared/domain/announcement.ts';
import type { SlackMessage } from '../../shared/ports/message-sender.ts';
import { anOfferedWorld, post, staff, type World } from '../support/answering.ts';
import { aPolicy, ROSA } from '../support/builders.ts';
import { memoryClaimBook, memoryMessageLedger, memoryPauseBook, memoryReportShelf, memorySuppressionBook } from '../support/memory-books.ts';
import { memoryEmailSender, memoryEventBus, memorySlackSender, memorySmsSender } from '../support/memory-outside.ts';

const MEMBERS: Readonly<Record<string, string>> = { rosa: 'U0ROSA123', sam: 'U0SAM4567' };
const inSlack = () =>
  aPolicy({ people: staff().map((person) => ({ ...person, speaks: 'en' as const, ...(MEMBERS[person.id] !== undefined && { slack: MEMBERS[person.id] as string }) })) });
const packet = { contact: { name: 'Ana Perez', email: 'ana.perez@example.com', phone: '+15035550142' }, request: { words: 'It leaks', category: 'roof-inspection' } };
const offered = () => anOfferedWorld({ packet, policy: inSlack() });

/** What a person does in Slack: chooses, and presses. */
async function press(world: World, button: string, chosen: Record<string, string> = {}, more: Partial<SlackAnswered> = {}) {
  const slack = memorySlackSender();
  const click = {
    ...{ eventId: 'e-1', occurredAt: world.time.now(), team: 'T0TEAM', user: MEMBERS.rosa ?? '', channel: 'D0CHANNEL', messageTs: '1.2', action: button },
    ...{ value: await world.linkOf(ROSA, { channel: 'slack' }), chosen },
    ...more,
  };
  const outcome = await answerFromSlack({ ...world.deps, slack }, click);
  return { outcome: outcome.kind, said: slack.sent, state: (await world.row()).state };
}

const inTwoHours = (world: World) => new Date(Date.parse(world.time.now()) + 7_200_000).toISOString();

describe('a click in Slack', () => {
  test('O-02: a yes with its next action and time makes an owner, in the log as Slack', async () => {
    const world = await offered();
    const due = inTwoHours(world);
    expect(await press(world, 'baton_accept.1', { next_action: 'call', due })).toMatchObject({ outcome: 'settled', state: 'accepted', said: [{ to: 'U0ROSA123' }] });
    expect((await world.row()).ownership).toMatchObject({ owner: ROSA, nextAction: 'call', dueAt: due });
    expect((await world.store.receipts(world.id)).at(-1)?.actor).toEqual({ kind: 'person', person: ROSA, channel: 'slack' });
    expect(await world.store.acceptances(world.id)).toHaveLength(1);
  });

  test('LK-23: pressed twice, or delivered twice, it is one answer', async () => {
    const world = await offered();
    const chosen = { next_action: 'call', due: inTwoHours(world) };
    await press(world, 'baton_accept.1', chosen);
    const count = (await world.store.receipts(world.id)).length;
    expect(await press(world, 'baton_accept.1', chosen)).toMatchObject({ outcome: 'settled', state: 'accepted' });
    expect(await world.store.receipts(world.id)).toHaveLength(count);
  });

  test.each([
    ['nothing chosen', {}],
    ['no time', { next_action: 'call' }],
    ['no next action', { due: '2026-03-02T18:00:00.000Z' }],
    ['a time that is no instant', { next_action: 'call', due: 'soon' }],
    ['a time that passed', { next_action: 'call', due: '2020-01-01T00:00:00.000Z' }],
    ['an action that the contract does not know', { next_action: 'sing', due: '2026-03-02T18:00:00.000Z' }],
    ['names of an object', { __proto__: 'x', constructor: 'y' }],
  ])('LK-04: a yes with %s writes nothing and says so', async (_, chosen) => {
    const world = await offered();
    const { outcome, state, said } = await press(world, 'baton_accept.1', chosen);
    expect([outcome, state]).toEqual(['wrong', 'acceptance-requested']);
    expect(said[0]?.text).toMatch(/^Nothing was saved\. .+\.$/);
  });

  test('O-02: a no needs its factual reason', async () => {
    const world = await offered();
    expect(await press(world, 'baton_reject.1')).toMatchObject({ outcome: 'wrong', state: 'acceptance-requested' });
    expect(await press(world, 'baton_reject.1', { reason: 'because' })).toMatchObject({ outcome: 'wrong' });
    expect(await press(world, 'baton_reject.1', { reason: 'no-capacity' })).toMatchObject({ outcome: 'settled' });
    expect((await world.store.receipts(world.id)).some(({ kind }) => kind === 'offer.rejected')).toBe(true);
  });

  test('LK-10, LK-14: another member, another link, another button: nothing is written and nobody is told', async () => {
    const world = await offered();
    const chosen = { next_action: 'call', due: inTwoHours(world) };
    const quiet = { state: 'acceptance-requested', said: [] };
    expect(await press(world, 'baton_accept.1', chosen, { user: 'U0SAM4567' })).toEqual({ outcome: 'not-theirs', ...quiet });
    for (const value of ['nonsense', '', '0'.repeat(32), await world.linkOf(ROSA), await world.linkOf(ROSA, { channel: 'sms' })])
      expect(await press(world, 'baton_accept.1', chosen, { value })).toEqual({ outcome: 'no-link', ...quiet });
    for (const button of ['baton_accept', 'baton_close.1', 'baton_accept.0', 'baton_accept.1.1', 'accept']) expect((await press(world, button, chosen)).outcome).toBe('no-link');
  });

  test('LK-15: who comes second over any channel is not told that it is theirs', async () => {
    const world = await offered();
    await post(world, await world.linkOf(ROSA), { action: 'reject', reason: 'no-capacity' });
    const { outcome, state, said } = await press(world, 'baton_accept.1', { next_action: 'call', due: inTwoHours(world) });
    expect([outcome, state === 'accepted']).toEqual(['settled', false]);
    expect(said[0]?.text).toBe('Your answer arrived. The link in the message shows what stands now.');
  });
});

describe('the message in Slack', () => {
  async function told(world: World, kind: string): Promise<SlackMessage[]> {
    const slack = memorySlackSender();
    const deps: NotifyDeps = {
      ...{ store: world.store, links: world.links, policies: world.policies, claims: memoryClaimBook(world.table), email: memoryEmailSender(), sms: memorySmsSender(), slack },
      ...{ reports: memoryReportShelf(world.table), suppressions: memorySuppressionBook(world.table), time: world.time, pauses: memoryPauseBook() },
      ...{ ledger: memoryMessageLedger(world.table), bus: memoryEventBus() },
      ...{ publicUrl: 'https://baton.example', opsEmail: 'ops@roof.example', settled: () => {} },
    };
    const receipt = (await world.store.receipts(world.id)).findLast((one) => one.kind === kind);
    if (receipt === undefined) throw new Error(`nothing is ${kind}`);
    await notify(deps, { schemaVersion: '1', handoffId: world.id, receipt });
    await notify(deps, { schemaVersion: '1', handoffId: world.id, receipt });
    return slack.sent;
  }

  test('O-01, LK-04: an offer has buttons with an opaque link and nothing chosen, once', async () => {
    const world = await offered();
    const sent = await told(world, 'acceptance.requested');
    expect(sent).toMatchObject([{ to: 'U0ROSA123' }]);
    const text = JSON.stringify(sent);
    expect(text).toContain(`"action_id":"baton_accept.1"`);
    expect(text).toContain(`"value":"${await world.linkOf(ROSA, { channel: 'slack' })}"`);
    expect(text).not.toContain('initial_option');
    expect(text).not.toMatch(/Ana|555-?0142|ana\.perez/);
  });

  test('what the message offers is what an answer takes', async () => {
    const world = await offered();
    const [message] = await told(world, 'acceptance.requested');
    const options = (id: string) => (JSON.stringify(message).match(new RegExp(`"action_id":"${id}".*?"options":\\[(.*?)\\]`))?.[1] ?? '').match(/"value":"([^"]+)"/)?.[1] ?? '';
    expect(await press(world, 'baton_accept.1', { next_action: options('next_action'), due: options('due') })).toMatchObject({ outcome: 'settled', state: 'accepted' });
  });

  test('PI-08: after a yes it names no way to reach the customer, and no button is left', async () => {
    const world = await offered();
    await press(world, 'baton_accept.1', { next_action: 'call', due: inTwoHours(world) });
    const text = JSON.stringify(await told(world, 'offer.accepted'));
    expect(text).not.toMatch(/5550142|ana\.perez|baton_/);
    expect(text).toContain(`https://baton.example/a/${await world.linkOf(ROSA, { channel: 'slack' })}`);
  });
});

describe('Slack itself', () => {
  const answering = (answer: () => Response | Promise<Response>, tokens: readonly string[] = ['xoxb-1']) => {
    const asked: { url: string; init: RequestInit }[] = [];
    const request = async (url: unknown, init: unknown) => {
      asked.push({ url: String(url), init: init as RequestInit });
      return answer();
    };
    return { asked, chat: slackChat({ tokens: { active: async () => tokens }, request: request as typeof fetch }) };
  };
  const message = { to: 'U0ROSA123', text: 'hello' };

  test('a message that Slack took is sent, and names its place', async () => {
    const { chat, asked } = answering(() => Response.json({ ok: true, channel: 'D1', ts: '1.2' }));
    expect(await chat.send(message)).toEqual({ kind: 'sent', providerId: 'D1:1.2' });
    expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer xoxb-1' });
    expect(JSON.parse(String(asked[0]?.init.body))).toMatchObject({ channel: 'U0ROSA123', text: 'hello' });
  });

  test('without a token, or refused for good, it is refused with the reason', async () => {
    expect(await answering(() => Response.json({}), []).chat.send(message)).toEqual({ kind: 'refused', because: 'no Slack token is set up' });
    expect(await answering(() => Response.json({ ok: false, error: 'channel_not_found' })).chat.send(message)).toEqual({ kind: 'refused', because: 'channel_not_found' });
    expect(await answering(() => Response.json({ ok: false, error: '<b>' })).chat.send(message)).toEqual({ kind: 'refused', because: 'an unknown error' });
  });

  test('MS-05: what Slack did not take may be sent again', async () => {
    for (const answer of [() => new Response('', { status: 429 }), () => Response.json({ ok: false, error: 'ratelimited' })])
      expect(await answering(answer).chat.send(message)).toEqual({ kind: 'not-taken', because: 'ratelimited' });
    const unreachable = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
    expect(await answering(() => Promise.reject(unreachable)).chat.send(message)).toEqual({ kind: 'not-taken', because: 'ECONNREFUSED' });
  });

  test('MS-05: what leaves the outcome open is thrown', async () => {
    for (const answer of [() => new Response('', { status: 503 }), () => Response.json({ ok: false, error: 'internal_error' })])
      await expect(answering(answer).chat.send(message)).rejects.toThrow(/^Slack answered/);
    await expect(answering(() => Promise.reject(new Error('no route'))).chat.send(message)).rejects.toThrow('no route');
    await expect(answering(() => new Response('<html>')).chat.send(message)).rejects.toThrow();
  });
});
