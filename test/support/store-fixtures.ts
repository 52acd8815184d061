// Handoffs at any point of their way, made of facts alone so that no policy is needed.

import { createHash } from 'node:crypto';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, type HandoffId, handoffId, type PersonId, personId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Fact, Receipt } from '../../shared/domain/receipt.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { Alongside, HandoffStore, IssuedLink } from '../../shared/ports/handoff-store.ts';

export const ana = personId('ana');
export const ben = personId('ben');
export const chen = personId('chen');

/** The id that a name always leads to. */
export const idOf = (name: string): HandoffId => handoffId(`h-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`);

/** Minutes after eight in the morning of the day on which these tests happen. */
export const at = (minute: number): string => new Date(Date.parse('2026-03-02T08:00:00.000Z') + minute * 60_000).toISOString();

export type Step = { before: Handoff | undefined; after: Handoff; receipts: Receipt[] };

/** What one command leads to, not yet written. */
export function step(before: Handoff | undefined, command: string, minute: number, ...facts: Fact[]): Step {
  const stamp = { at: at(minute), commandId: commandId(command), actor: { kind: 'system', component: 'test' } as const, packetVersion: 1, contractVersion: 'v1' };
  const { receipts, handoff: after } = apply(before, facts, stamp);
  return { before, after, receipts };
}

export const opening = (id: HandoffId): Fact => ({
  kind: 'handoff.opened',
  handoffId: id,
  source: 'website',
  sourceEventId: id,
  occurredAt: at(0),
  contract: 'roof-inspection',
  intakeLead: chen,
  contactRef: 'c-1',
  missing: [],
});

export const resolution: Fact = {
  kind: 'candidates.resolved',
  candidates: [
    { person: ana, step: 1, rule: 'territory' },
    { person: ben, step: 2, rule: 'territory' },
  ],
  considered: [
    { person: ana, eligible: true, rule: 'territory' },
    { person: chen, eligible: false, failed: 'role' },
  ],
  rosterVersion: 'r1',
};

export const request = (offer: number, to: PersonId, minute: number): Fact => ({
  kind: offer === 1 ? 'acceptance.requested' : 'backup.requested',
  offer,
  to,
  step: offer,
  rule: 'territory',
  deadlineAt: at(minute),
});

export const acceptance = (offer: number, by: PersonId, minute: number): Fact => ({
  kind: 'offer.accepted',
  offer,
  by,
  proposedOwner: ana,
  nextAction: 'call',
  dueAt: at(minute),
  late: false,
  channel: 'email',
});

export const raising = (exception: number): Fact => ({
  kind: 'exception.raised',
  exception,
  class: 'nobody-answered',
  owner: chen,
  backup: ben,
  respondBy: at(600),
  because: 'everyone who could be asked was asked',
});

export const aPacket = (version = 1): Packet => ({
  version,
  contact: { name: 'Ada Marchetti', email: 'ada@example.org' },
  request: { category: 'inspection' },
  location: { postalCode: '97201' },
  consent: {},
  sources: [{ system: 'website', eventId: 'e-1', kind: 'form.submitted', occurredAt: at(0) }],
  more: { roof: 'slate' },
  unknown: ['contact.phone'],
});

export const aSignal = (eventId: string, minute = 0): Signal => ({
  source: 'website',
  eventId,
  kind: 'form.submitted',
  occurredAt: at(minute),
  receivedAt: at(minute),
  contact: { email: 'ada@example.org' },
  request: {},
  location: {},
  consent: {},
  more: {},
});

export const aLink = (id: string, fields: Partial<IssuedLink> = {}): IssuedLink => ({
  id,
  purpose: 'offer',
  number: 1,
  person: ana,
  channel: 'email',
  expiresAt: at(60),
  ...fields,
});

/** Writes a step that must be the first to be written. */
export async function commit(store: HandoffStore, { before, after, receipts }: Step, alongside: Alongside = {}): Promise<Handoff> {
  const appended = await store.append(before, after, receipts, alongside);
  if (appended.kind !== 'written') throw new Error(`expected to write, but the answer was ${appended.kind}`);
  return after;
}

/** Opens a handoff and brings it to its first offer. */
export async function givenAnOffer(store: HandoffStore, id: HandoffId, to: PersonId = ana): Promise<Handoff> {
  const opened = await commit(store, step(undefined, 'open', 0, opening(id)), { packet: aPacket() });
  const resolved = await commit(store, step(opened, 'resolve', 1, resolution));
  return commit(store, step(resolved, 'request', 2, request(1, to, 30)));
}
