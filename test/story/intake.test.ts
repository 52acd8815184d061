import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

story('D-01 ID-11: the same signal from ten deliveries at once opens one handoff and asks one person once', async (baton) => {
  const lead = aRoofInspection();
  const answers = await Promise.all(Array.from({ length: 10 }, () => baton.sendWebsite(lead, 'twice-delivered')));
  await baton.runtime.idle();

  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 202));
  const handoff = signalDigest.handoffId({ source: 'website', eventId: 'twice-delivered' });
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested']);
  const [primary] = await baton.candidates(handoff);
  expect(await baton.messagesTo(primary, handoff, 'email')).toHaveLength(1);
});

story('EB-01 EB-02: a partner puts the signal on the bus, twice with two event ids: one handoff', async (baton) => {
  const at = new Date(baton.runtime.now()).toISOString();
  const signal = { source: 'website', eventId: 'partner-1', kind: 'form.submitted', occurredAt: at, receivedAt: at, contact: { email: 'a@example.com' } };
  const rest = { request: { words: 'Leak', category: 'roof-repair' }, location: { postalCode: '97201' }, consent: {}, more: {} };
  const entry = {
    Source: 'baton.intake',
    DetailType: 'signal.received',
    EventBusName: baton.installation.outputs.BusName,
    Detail: JSON.stringify({ schemaVersion: '1', signal: { ...signal, ...rest } }),
  };
  const { FailedEntryCount } = await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [entry, entry] }));
  await baton.runtime.idle();

  expect(FailedEntryCount).toBe(0);
  await baton.thenReceipts(signalDigest.handoffId(signal), ['handoff.opened', 'candidates.resolved', 'acceptance.requested']);
});

story('L-01: a signal that no contract starts on is kept with the reason and opens nothing', async (baton) => {
  const before = await baton.totals();
  const answer = await baton.sendWebsite(aRoofInspection({ category: 'gutter-cleaning' }), 'gutters');
  await baton.runtime.idle();

  expect(answer.status).toBe(202);
  const after = await baton.totals();
  expect({ received: after.received - before.received, ignored: after.ignored - before.ignored }).toEqual({ received: 1, ignored: 1 });
});

story('WH-01 WH-06 WH-10: what is not genuine is refused exactly, tells nothing and stores nothing', async (baton) => {
  const before = await baton.totals();
  const base = baton.installation.outputs.WebhookUrl;
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, base), { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  const statuses = await Promise.all([
    post('/in', '{}'),
    post('/in/website', '{}'),
    post('/in/nobody-knows-this', '{}'),
    post('/in/website/deeper', '{}'),
    post('/in/website', 'x'.repeat(257 * 1024)),
    post('/in/website', '{}', { 'content-type': 'text/plain' }),
    fetch(new URL('/in/website', base)),
  ]);
  for (const answer of statuses) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect([404, 410]).not.toContain(answer.status);
    expect((await answer.text()).length).toBeLessThan(200);
  }
  await baton.runtime.idle();
  expect(await baton.totals()).toEqual(before);
});

story('WH-07: the same id with another body keeps the first and opens nothing new', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection(), 'same-id');
  const again = await baton.sendWebsite(aRoofInspection({ message: 'Something else entirely.' }), 'same-id');
  await baton.runtime.idle();

  expect(again.status).toBe(202);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested']);
});
