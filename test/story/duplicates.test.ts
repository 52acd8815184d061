import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
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

story('D-01 ID-11: two deliveries of one source create the same request at once: one handoff, one person asked, both sources kept', async (baton) => {
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

story('seed failure 6, P-03 LK-28: the phone number changes while a seller decides: a new version of the facts, and no yes to the old one', async (baton) => {
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

const drafts = (baton: Baton, handoffId: HandoffId, draft: string) =>
  baton.whenSaid('baton.ai', 'packet.prepared', { handoffId, eventId: `draft-${handoffId}`, generatorId: 'draft-bot', generatorVersion: '3', draft });

story(
  "the seed's roofing company, D-01 ID-06 P-03: a homeowner sends a form and calls within ten minutes; one person compares, one request survives with both sources, and one draft with it",
  async (baton) => {
    const lead = aRoofInspection({ phone: '+15035550143' });
    const form = await baton.givenSignal(lead);
    const [primary] = await baton.candidates(form);
    const asked = await baton.thenMessageTo(primary, { about: form });
    await drafts(baton, form, 'We got your form and will write back.');
    await baton.fastForward({ minutes: 2 });
    const call = await missedCall(baton, 'CA-homeowner', '+15035550143');
    await drafts(baton, call, 'We missed your call.');

    await baton.thenState(call, 'exception');
    const { exceptions, offers, custodian } = await baton.handoff(call);
    expect(exceptions).toMatchObject([{ class: 'possible-duplicate', owner: 'ina' }]);
    expect(Date.parse(exceptions[0]?.respondBy ?? '') - Date.parse(exceptions[0]?.raisedAt ?? '')).toBe(3_600_000);
    expect({ offers, custodian }).toEqual({ offers: [], custodian: 'ina' });
    const toIna = await baton.thenMessageTo('ina', { about: call });
    const page = await baton.whenOpened(toIna);
    expect(page.text).toContain(form);
    for (const secret of ['5550143', String(lead.email), String(lead.name)]) expect(`${page.html} ${toIna.text}`).not.toContain(secret);
    expect(page.text).toContain('phone number');
    await baton.whenAnswered(toIna, { action: 'accept-exception', confirm: 'yes' });
    await baton.whenAnswered(toIna, { action: 'merge-duplicate' });

    await baton.thenState(call, 'closed');
    await baton.thenReceipts(call, ['handoff.opened', 'exception.raised', 'packet.prepared', 'exception.accepted', 'duplicate.merged', 'exception.resolved', 'handoff.closed']);
    await baton.thenReceipts(form, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'packet.prepared', 'signal.linked']);
    const survivor = await dynamodbHandoffStore(baton.table).load(form);
    expect(survivor?.packet.sources.map(({ system }) => system)).toEqual(['website', 'twilio']);
    await baton.thenMessageTo(primary, { about: form });
    const merged = await baton.whenOpened(asked);
    expect(merged.text).toContain('We got your form');
    expect(merged.text).toMatch(/facts have changed since it was written|datos han cambiado desde que se escribió/);
    expect(merged.text).not.toContain('We missed your call');
    await baton.whenAccepted(asked);
    await baton.thenOwner(form, primary);
    expect((await baton.handoff(call)).ownership).toBeUndefined();
  },
);

story('D-01 E-05: two requests that only share a phone: kept apart, the second goes its own way', async (baton) => {
  await baton.givenSignal(aRoofInspection({ phone: '+15035550144' }));
  const second = await baton.givenSignal(aRoofInspection({ phone: '+15035550144' }));
  const toIna = await baton.thenMessageTo('ina', { about: second });
  await baton.whenAnswered(toIna, { action: 'accept-exception', confirm: 'yes' });
  await baton.whenAnswered(toIna, { action: 'separate-duplicate' });

  await baton.thenState(second, 'acceptance-requested');
  await baton.thenReceipts(second, ['handoff.opened', 'exception.raised', 'exception.accepted', 'duplicate.separated', 'candidates.resolved', 'acceptance.requested']);
});

story('P-03 E-01: the fact that was missing comes with a second form: the exception is over, its owner hears so, and a seller is asked', async (baton) => {
  const lead = aRoofInspection();
  const { postal_code: _none, ...without } = lead;
  const handoff = await baton.givenSignal(without);
  await baton.thenState(handoff, 'exception');
  await baton.thenMessageTo('ina', { about: handoff });
  await baton.sendWebsite(lead, `again-${String(lead.email)}`);
  await baton.runtime.idle();

  await baton.thenState(handoff, 'acceptance-requested');
  await baton.thenMessageTo('ina', { about: handoff });
  await baton.thenReceipts(handoff, ['handoff.opened', 'exception.raised', 'signal.linked', 'exception.cleared', 'candidates.resolved', 'acceptance.requested']);
  const [primary] = await baton.candidates(handoff);
  await baton.whenAccepted(await baton.thenMessageTo(primary, { about: handoff }));
  await baton.thenOwner(handoff, primary);
});

story('L-06 P-02: two forms name two places: the seller who is asked reads both; in silence nobody else is asked by a guess', async (baton) => {
  const lead = aRoofInspection();
  const handoff = await baton.givenSignal(lead);
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  await baton.sendWebsite({ ...lead, postal_code: '97209' }, `again-${String(lead.email)}`);
  await baton.runtime.idle();
  await baton.thenState(handoff, 'acceptance-requested');
  const page = await baton.whenOpened(asked);
  for (const place of [String(lead.postal_code), '97209']) expect(page.text).toContain(place);
  await baton.fastForward({ minutes: 5 });

  await baton.thenState(handoff, 'exception');
  expect((await baton.handoff(handoff)).exceptions).toMatchObject([{ class: 'conflicting-facts', owner: 'ina', because: 'sources differ on: location.postalCode' }]);
  await baton.thenMessageTo('ina', { about: handoff });
});
