import { describe, expect, test } from 'vitest';
import { parse } from '../../shared/contracts/contract-error.ts';
import { ReceiptEvent } from '../../shared/contracts/receipt-event.ts';
import { commandId, handoffId, personId } from '../../shared/domain/ids.ts';
import type { FactKind, Receipt } from '../../shared/domain/receipt.ts';

const id = handoffId(`h-${'0'.repeat(32)}`);
const [ana, ben] = [personId('ana'), personId('ben')];
const at = '2026-11-30T15:04:05.000Z';
const stamp = { seq: 1, at, commandId: commandId('c'), actor: { kind: 'system', component: 'x' }, packetVersion: 1, contractVersion: 'v' } as const;
const asked = { ...stamp, offer: 1, to: ana, step: 0, rule: 'r', deadlineAt: at };

/** One of every kind the domain knows; a new kind does not compile until it stands here, and then must meet the contract. */
const EVERY_KIND: Readonly<Record<FactKind, Receipt>> = {
  'handoff.opened': {
    kind: 'handoff.opened',
    ...stamp,
    handoffId: id,
    source: 's',
    sourceEventId: 'e',
    occurredAt: at,
    contract: 'c',
    intakeLead: ana,
    contactRef: 'p',
    missing: [],
  },
  'candidates.resolved': {
    kind: 'candidates.resolved',
    ...stamp,
    candidates: [{ person: ana, step: 0, rule: 'r' }],
    considered: [
      { person: ana, eligible: true, rule: 'r' },
      { person: ben, eligible: false, failed: 'f' },
    ],
    rosterVersion: 'v',
  },
  'acceptance.requested': { kind: 'acceptance.requested', ...asked },
  'backup.requested': { kind: 'backup.requested', ...asked },
  'offer.accepted': { kind: 'offer.accepted', ...stamp, offer: 1, by: ana, proposedOwner: ana, nextAction: 'call', dueAt: at, late: false, channel: 'email' },
  'offer.superseded': { kind: 'offer.superseded', ...stamp, offer: 1, by: ana },
  'offer.rejected': { kind: 'offer.rejected', ...stamp, offer: 1, by: ana, reason: 'other', field: 'f', raise: 'system-fault', flagRule: true },
  'offer.reminded': { kind: 'offer.reminded', ...stamp, offer: 1, to: ana, deadlineAt: at },
  'offer.timed-out': { kind: 'offer.timed-out', ...stamp, offer: 1, to: ana, deadlineAt: at },
  'clarification.asked': { kind: 'clarification.asked', ...stamp, offer: 1, by: ana, owedBy: ben, expiresAt: at },
  'clarification.answered': { kind: 'clarification.answered', ...stamp, offer: 1, by: ben, to: ana, deadlineAt: at, warnAt: at },
  'clarification.expired': { kind: 'clarification.expired', ...stamp, offer: 1, owedBy: ben, expiresAt: at, raise: 'clarification-expired' },
  'duplicate.marked': { kind: 'duplicate.marked', ...stamp, offer: 1, by: ana, of: id, raise: 'possible-duplicate' },
  'signal.linked': {
    kind: 'signal.linked',
    ...stamp,
    source: 'twilio',
    sourceEventId: 'CA1',
    occurredAt: at,
    evidence: ['same-phone', 'same-name'],
    added: ['contact.email'],
    conflicting: ['request.words'],
    merged: id,
  },
  'duplicate.merged': { kind: 'duplicate.merged', ...stamp, exception: 1, by: ana, into: id },
  'duplicate.separated': { kind: 'duplicate.separated', ...stamp, exception: 1, by: ana, from: id },
  'exception.raised': { kind: 'exception.raised', ...stamp, exception: 1, class: 'system-fault', owner: ana, backup: ben, respondBy: at, because: 'b' },
  'exception.accepted': { kind: 'exception.accepted', ...stamp, exception: 1, by: ana, reviewAt: at, channel: 'sms' },
  'exception.escalated': { kind: 'exception.escalated', ...stamp, exception: 1, from: ana, to: ben, respondBy: at, because: 'no-response' },
  'exception.resolved': { kind: 'exception.resolved', ...stamp, exception: 1, by: ana, resolution: 'assigned', to: ben },
  'exception.cleared': { kind: 'exception.cleared', ...stamp, exception: 1, because: 'facts-arrived' },
  'next-step.confirmed': { kind: 'next-step.confirmed', ...stamp, by: ana, evidence: 'call' },
  'next-step.overdue': { kind: 'next-step.overdue', ...stamp, owner: ana, dueAt: at, graceUntil: at, raise: 'nobody-answered' },
  'offer.withdrawn': { kind: 'offer.withdrawn', ...stamp, offer: 1, to: ana, because: 'reassigned' },
  'delivery.failed': { kind: 'delivery.failed', ...stamp, offer: 1, to: ana, channel: 'email', reason: 'bounced' },
  'offer.undeliverable': { kind: 'offer.undeliverable', ...stamp, offer: 1, to: ana },
  'ownership.ended': { kind: 'ownership.ended', ...stamp, owner: ana, because: 'overdue' },
  'handoff.reassigned': { kind: 'handoff.reassigned', ...stamp, to: ben, by: ana },
  'human.takeover': { kind: 'human.takeover', ...stamp, person: ana },
  'packet.prepared': { kind: 'packet.prepared', ...stamp, generator: 'g', generatorVersion: '1', parts: ['summary', 'draft', 'priority'] },
  'ai.refused': { kind: 'ai.refused', ...stamp, generator: 'g', wanted: 'accept' },
  'outcome.recorded': { kind: 'outcome.recorded', ...stamp, system: 'crm', result: 'won' },
  'handoff.closed': { kind: 'handoff.closed', ...stamp, outcome: 'completed', by: ana },
};

const event = (receipt: unknown) => ({ schemaVersion: '1', handoffId: id, receipt });

describe('receipt event', () => {
  test.each(Object.values(EVERY_KIND))('L-03: $kind goes through its contract without losing anything', (receipt) => {
    expect(parse(ReceiptEvent, event(receipt), 'it')).toEqual(event(receipt));
  });

  test.each([
    ['an unknown kind', { ...stamp, kind: 'offer.forgotten' }],
    ['a missing field', { ...EVERY_KIND['offer.superseded'], by: undefined }],
    ['a place that is not a whole number', { ...EVERY_KIND['offer.superseded'], seq: 1.5 }],
    ['an actor of no kind', { ...EVERY_KIND['offer.superseded'], actor: {} }],
    ['a text where a truth value belongs', { ...EVERY_KIND['offer.accepted'], late: 'false' }],
  ])('WH-13: %s is refused, not repaired', (_name, wrong) => {
    expect(() => parse(ReceiptEvent, event(wrong), 'it')).toThrow('does not meet its contract');
  });

  test('a later version is not read as this one', () => {
    expect(() => parse(ReceiptEvent, { ...event(EVERY_KIND['handoff.closed']), schemaVersion: '2' }, 'it')).toThrow('schemaVersion');
  });
});
