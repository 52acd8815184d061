// The process of `notify` ends at any of its steps. Lambda repeats the event after one and after two minutes more; that is all that happens.

import { expect, test } from 'vitest';
import { noteDelivery } from '../../functions/note-delivery/note-delivery.ts';
import { type NotifyDeps, notify } from '../../functions/notify/notify.ts';
import type { MessageReported } from '../../shared/domain/announcement.ts';
import type { Email, Sms } from '../../shared/ports/message-sender.ts';
import { anOfferedWorld, staff } from '../support/answering.ts';
import { aPolicy } from '../support/builders.ts';
import { killable } from '../support/killable.ts';
import { memoryClaimBook, memoryDeliveryBook, memoryMessageLedger, memoryPauseBook, memoryReportShelf, memorySuppressionBook } from '../support/memory-books.ts';
import { memoryEmailSender, memoryEventBus, memorySlackSender, memorySmsSender } from '../support/memory-outside.ts';

const WINDOW = 300_000;
const reference = (message: Email | Sms) => (message as { reference?: string }).reference ?? '';

/** What went out by each channel, and when, after a death at step `dies` of the first run (before or after its effect). */
async function told(death: { step: number; when: 'before' | 'after' }, { reported }: { reported: boolean }) {
  const world = await anOfferedWorld({ policy: aPolicy({ people: staff() }) });
  const [receipt] = (await world.store.receipts(world.id)).filter((one) => one.kind === 'acceptance.requested');
  if (receipt === undefined) throw new Error('nobody is asked');
  const begin = Date.parse(world.time.now());
  const claims = memoryClaimBook(world.table);
  const sent: { to: string; reference: string; text: string; after: number }[] = [];
  const keep = (message: Email | Sms) => {
    sent.push({ to: message.to, reference: reference(message), text: message.text, after: Date.parse(world.time.now()) - begin });
    return { kind: 'sent', providerId: `p-${sent.length}` } as const;
  };
  const alive: NotifyDeps = {
    store: world.store,
    links: world.links,
    policies: world.policies,
    claims,
    pauses: memoryPauseBook(),
    email: memoryEmailSender(keep),
    sms: memorySmsSender(keep),
    slack: memorySlackSender(),
    reports: memoryReportShelf(world.table),
    suppressions: memorySuppressionBook(world.table),
    ledger: memoryMessageLedger(world.table),
    bus: memoryEventBus(),
    time: world.time,
    publicUrl: 'https://baton.example',
    opsEmail: 'ops@roof.example',
    settled: () => {},
  };
  const event = { schemaVersion: '1', handoffId: world.id, receipt } as const;
  const { deps, steps } = killable(alive, death);
  const survived = await notify(deps, event).then(
    () => true,
    () => false,
  );
  if (reported)
    for (const [index, one] of sent.entries()) {
      const report: MessageReported = {
        kind: 'message.reported',
        provider: 'ses',
        messageId: `p-${index + 1}`,
        state: 'sent',
        occurredAt: world.time.now(),
        channel: 'email',
        reference: one.reference,
      };
      await noteDelivery({ deliveries: memoryDeliveryBook(world.table), claims, bus: memoryEventBus() }, [report]);
    }
  for (const wait of survived ? [] : [60, 120]) {
    world.time.forward(wait);
    await notify(alive, event);
  }
  return { sent, steps: steps(), open: [...world.table.claims.values()].filter((claim) => claim.result !== 'sent') };
}

const DEATHS = (steps: number) => Array.from({ length: steps }, (_, step) => (['before', 'after'] as const).map((when) => ({ step, when }))).flat();

test('MS-05 LA-03 SF-19: wherever the process ends, everybody is told within the window, at most twice, with the same link and words', async () => {
  const { steps, sent } = await told({ step: 1000, when: 'before' }, { reported: false });
  expect(sent).toHaveLength(2);
  expect(steps).toBeGreaterThan(12);
  let twice = 0;
  for (const death of DEATHS(steps)) {
    const { sent, open } = await told(death, { reported: false });
    for (const to of ['rosa@roof.example', '+15035550101']) {
      const mine = sent.filter((one) => one.to === to);
      expect({ death, between: mine.length >= 1 && mine.length <= 2, inTime: (mine[0]?.after ?? WINDOW) <= 60_000 }).toEqual({ death, between: true, inTime: true });
      expect(new Set(mine.map(({ reference, text }) => `${reference} ${text}`)).size).toBe(1);
      twice += mine.length - 1;
    }
    expect({ death, open }).toEqual({ death, open: [] });
  }
  expect(twice).toBeGreaterThan(0);
});

test('E-05: when the provider reports what it has, nothing goes out twice wherever the process ended', async () => {
  const { steps } = await told({ step: 1000, when: 'before' }, { reported: true });
  for (const death of DEATHS(steps)) {
    const { sent, open } = await told(death, { reported: true });
    expect({ death, to: sent.map((one) => one.to).sort(), open }).toEqual({ death, to: ['+15035550101', 'rosa@roof.example'], open: [] });
  }
});
