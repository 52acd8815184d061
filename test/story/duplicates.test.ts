import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { aRoofInspection } from '../support/leads.ts';
import { type Baton, story } from '../support/story.ts';

/** The call system announces a call that nobody answered; it knows the number and nothing else. */
async function missedCall(baton: Baton, eventId: string, phone: string): Promise<HandoffId> {
  const at = new Date(baton.runtime.now()).toISOString();
  const signal = { source: 'twilio', eventId, kind: 'call.missed', occurredAt: at, receivedAt: at, contact: { phone }, request: {}, location: {}, consent: {}, more: {} };
  const entry = { Source: 'baton.intake', DetailType: 'signal.received', EventBusName: baton.installation.outputs.BusName, Detail: JSON.stringify({ schemaVersion: '1', signal }) };
  const { FailedEntryCount } = await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [entry] }));
  expect(FailedEntryCount).toBe(0);
  await baton.runtime.idle();
  return signalDigest.handoffId(signal);
}

story('D-01 ID-11: two channels create the same request at once: one handoff, one person asked, both sources kept', async (baton) => {
  const before = await baton.totals();
  const lead = aRoofInspection();
  await Promise.all([baton.sendWebsite(lead, `form-${String(lead.email)}`), baton.sendWebsite({ ...lead, message: 'From the automation.' }, `automation-${String(lead.email)}`)]);
  await baton.runtime.idle();
  const after = await baton.totals();
  expect({ received: after.received - before.received, linked: after.linked - before.linked, offered: after.offered - before.offered }).toEqual({
    received: 2,
    linked: 1,
    offered: 1,
  });
});

story('P-03 LK-28: the phone number changes while a seller decides: a new version of the facts, and no yes to the old one', async (baton) => {
  const lead = aRoofInspection({ phone: '+15035550142' });
  const handoff = await baton.givenSignal(lead);
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  const old = await baton.whenOpened(asked);
  await baton.sendWebsite({ ...lead, phone: '+15035550177' }, `again-${String(lead.email)}`);
  await baton.runtime.idle();

  await baton.thenMessageTo(primary, { about: handoff });
  expect((await baton.handoff(handoff)).packetVersion).toBe(2);
  expect(old.text).not.toContain('website, website');
  expect((await baton.whenOpened(asked)).text).toContain('website, website');
  await baton.whenAccepted(asked);
  await baton.thenOwner(handoff, primary);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'signal.linked', 'offer.accepted']);
});

story('D-01 ID-06: a homeowner sends a form and calls within ten minutes: one reviewer compares, nobody else is asked, and both sources end in one handoff', async (baton) => {
  const form = await baton.givenSignal(aRoofInspection({ phone: '+15035550143' }));
  const [primary] = await baton.candidates(form);
  await baton.thenMessageTo(primary, { about: form });
  await baton.fastForward({ minutes: 2 });
  const call = await missedCall(baton, 'CA-homeowner', '+15035550143');

  await baton.thenState(call, 'exception');
  expect((await baton.handoff(call)).exceptions.map((one) => one.class)).toEqual(['possible-duplicate']);
  expect((await baton.handoff(call)).offers).toEqual([]);
  const toIna = await baton.thenMessageTo('ina', { about: call });
  const page = await baton.whenOpened(toIna);
  expect(page.text).toContain(form);
  expect(page.text).not.toContain('5550143');
  await baton.whenAnswered(toIna, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toIna, { action: 'merge-duplicate' });

  await baton.thenState(call, 'closed');
  await baton.thenReceipts(call, ['handoff.opened', 'exception.raised', 'exception.accepted', 'duplicate.merged', 'exception.resolved', 'handoff.closed']);
  await baton.thenReceipts(form, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'signal.linked']);
  await baton.thenMessageTo(primary, { about: form });
});

story('D-01 E-05: two requests that only share a phone: kept apart, the second goes its own way', async (baton) => {
  await baton.givenSignal(aRoofInspection({ phone: '+15035550144' }));
  const second = await baton.givenSignal(aRoofInspection({ phone: '+15035550144' }));
  const toIna = await baton.thenMessageTo('ina', { about: second });
  await baton.whenAnswered(toIna, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toIna, { action: 'separate-duplicate' });

  await baton.thenState(second, 'acceptance-requested');
  await baton.thenReceipts(second, ['handoff.opened', 'exception.raised', 'exception.accepted', 'duplicate.separated', 'candidates.resolved', 'acceptance.requested']);
});
