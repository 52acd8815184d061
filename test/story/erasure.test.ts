// A customer who wants to be forgotten.

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { typed } from '../support/command-line.ts';
import { aRoofInspection } from '../support/leads.ts';
import { type Baton, story } from '../support/story.ts';

/** Every item of the table that says one of these. */
async function rowsSaying(baton: Baton, words: readonly string[]): Promise<string[]> {
  const { Items = [] } = await baton.table.documents.send(new ScanCommand({ TableName: baton.table.name, ConsistentRead: true }));
  return Items.filter((item) => words.some((word) => JSON.stringify(item).toLowerCase().includes(word.toLowerCase()))).map(({ pk, sk }) => `${pk} ${sk}`);
}

story('PI-05: an erased customer stands in no row and no delivery; the receipts stay, whoever said STOP stays shut, and another customer is not touched', async (baton) => {
  const lead = aRoofInspection({ name: 'Wilhelmina Featherstone', message: 'Please ask for Mr Pettigrew at the gate.', phone: '+1 503 555 0177' });
  const email = String(lead.email);
  const secrets = ['Featherstone', 'Pettigrew', '5035550177', email];
  const handoff = await baton.givenSignal(lead, 'to-be-forgotten');
  await baton.sendWebsite({ ...lead, message: 'Mr Pettigrew once more.' }, 'to-be-forgotten');
  await baton.runtime.idle();
  const other = await baton.givenSignal(aRoofInspection({ name: 'Someone Else-entirely' }));
  await baton.whenSaid('baton.intake', 'contact.opted-out', {
    announcement: {
      kind: 'contact.opted-out',
      source: 'postmark',
      eventId: 'stop-1',
      occurredAt: new Date(baton.runtime.now()).toISOString(),
      channel: 'email',
      address: email,
      because: 'unsubscribed',
    },
  });
  expect((await rowsSaying(baton, secrets)).length).toBeGreaterThan(1);

  const early = await typed(baton, 'erase', handoff, '--run', '--by', 'dana');
  expect([early.status, early.text]).toEqual([2, expect.stringContaining('is not over')]);
  const origin = { handoffId: handoff, generatorId: 'draft-bot', generatorVersion: '3', eventId: 'forget-1' };
  await baton.whenSaid('baton.ai', 'packet.prepared', { ...origin, draft: 'Dear Mr Pettigrew, we can come on Tuesday.' });
  expect((await rowsSaying(baton, secrets)).map((row) => row.split(' ')[1]?.split('#')[0])).toEqual(expect.arrayContaining(['PACKET', 'SIGNAL', 'CONFLICT', 'GENERATED']));
  const [primary] = await baton.candidates(handoff);
  await baton.whenAnswered(await baton.thenMessageTo(primary, { about: handoff }), { action: 'ask-clarification', question: 'Is Mr Pettigrew the owner?' });
  await baton.whenOrdered({ kind: 'handoff.withdraw', handoffId: handoff, by: 'ina', why: 'Mrs Featherstone asked to be forgotten.' });
  expect(await baton.handoff(handoff)).toMatchObject({ state: 'closed' });

  const shown = await typed(baton, 'erase', handoff);
  expect(shown.text).toMatch(new RegExp(`^handoff ${handoff}, closed, opened .*\\nsignal  website .*\\nNothing was changed; --run erases it\\.$`));
  expect(shown.text).not.toContain(other);
  for (const args of [['--run'], ['--run', '--by', 'nobody']]) expect((await typed(baton, 'erase', handoff, ...args)).status).toBe(2);
  const erased = await typed(baton, 'erase', handoff, '--run', '--by', 'dana');
  expect([erased.status, erased.text]).toEqual([0, expect.stringMatching(/Erased by dana at \S+: 1 handoffs, 1 signals, 1 deliveries\.$/)]);
  expect(await rowsSaying(baton, secrets)).toEqual([]);
  expect((await typed(baton, 'source', 'raw', handoff)).text).toContain('was erased by dana');

  const receipts = await typed(baton, 'show', handoff);
  expect(receipts.status).toBe(0);
  for (const kind of ['handoff.opened', 'acceptance.requested', 'clarification.asked', 'handoff.closed']) expect(receipts.text).toContain(kind);
  expect((await typed(baton, 'erase', handoff, '--run', '--by', 'dana')).status).toBe(0);
  expect((await rowsSaying(baton, ['Else-entirely'])).length).toBeGreaterThan(1);

  const again = await baton.givenSignal(aRoofInspection({ email }));
  expect(await baton.handoff(again)).toMatchObject({ offers: [], exceptions: [{ class: 'prior-opt-out' }] });
});
