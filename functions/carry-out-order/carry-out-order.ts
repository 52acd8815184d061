// Orders and reports from outside become transitions like everybody's answers: decided on the row, written once, announced by their receipts.

import type { OfferUndeliverableEvent } from '../../shared/contracts/announcement-event.ts';
import type { Order, OrderEvent } from '../../shared/contracts/order-event.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import { commandId, type HandoffId, handoffId, type PersonId } from '../../shared/domain/ids.ts';
import { meetingWithoutSeller } from '../../shared/domain/meeting.ts';
import type { Meeting } from '../../shared/domain/meeting-facts.ts';
import { carriedBy, type Ledger } from '../../shared/domain/message-limit.ts';
import { namedBy } from '../../shared/domain/message-reference.ts';
import type { Generated } from '../../shared/domain/packet.ts';
import { mayPause } from '../../shared/domain/pause.ts';
import { transition, type Wish } from '../../shared/domain/workflow-transition.ts';
import type { AbsenceBook, PersonIndex } from '../../shared/ports/absence-book.ts';
import type { HandoffStore, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { MessageLedger } from '../../shared/ports/message-ledger.ts';
import type { OutcomeBook } from '../../shared/ports/outcome-book.ts';
import type { PauseBook } from '../../shared/ports/pause-book.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { LinkSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type CarryOutOrderDeps = {
  store: HandoffStore;
  policies: PolicyBook;
  absences: AbsenceBook;
  pauses: Pick<PauseBook, 'pause' | 'resume'>;
  people: PersonIndex;
  ledger: Pick<MessageLedger, 'read'>;
  outcomes: OutcomeBook;
  seal: Pick<LinkSeal, 'mint'>;
  time: TimeSource;
};

/** What became of it at one handoff: `written`, or why nothing changed there. */
export type Carried = {
  /** Absent for what concerns no single handoff. */
  handoffId?: HandoffId;
  outcome: 'written' | 'unknown-handoff' | Exclude<Decision['kind'], 'decided'>;
  because?: string;
  /** The meeting that nobody holds from now on (L-08). */
  meeting?: Meeting;
};

/** What a wish brings along besides its receipts. */
type Besides = { why?: string | undefined; generated?: Omit<Generated, 'at'> };

const ATTEMPTS = 5;

/** Carries out one order. Repeating it changes nothing: its id is part of every command. */
export async function carryOutOrder(deps: CarryOutOrderDeps, { orderId, order }: OrderEvent): Promise<Carried[]> {
  if (order.kind === 'person.unavailable') return unavailable(deps, order, orderId);
  if (order.kind === 'sending.pause' || order.kind === 'sending.resume') return sending(deps, order, orderId);
  const carried = await direct(deps, order.handoffId, wishOf(order, orderId), { why: 'why' in order ? order.why : undefined });
  if (order.kind === 'outcome.recorded' && carried.outcome === 'unknown-handoff') {
    const { handoffId: about, system, result, revenue } = order;
    await deps.outcomes.unmatched({ orderId, handoffId: about, system, result, ...(revenue !== undefined && { revenue }), at: deps.time.now() });
  }
  return [carried];
}

/** Whoever is unavailable is asked nothing from now on; what they hold goes on at once (L-08). */
async function unavailable(deps: CarryOutOrderDeps, { person, from, until }: Extract<Order, { kind: 'person.unavailable' }>, orderId: string): Promise<Carried[]> {
  const now = deps.time.now();
  await deps.absences.note({ person, from: inUtc(from), until: inUtc(until) });
  if (now < inUtc(from) || now >= inUtc(until)) return [];
  const wish: Wish = { command: { kind: 'release', commandId: commandId(`order:${orderId}`), person }, actor: { kind: 'policy', rule: 'person.unavailable' } };
  const carried: Carried[] = [];
  for (const id of await deps.people.heldBy(person)) carried.push(await direct(deps, id, wish));
  return carried;
}

/** Stops or resumes sending, for whoever the contract names to (C-02). It touches no handoff: what was held is judged again, on the row as it is by then (D-05). */
async function sending({ pauses, policies, time }: CarryOutOrderDeps, order: Extract<Order, { kind: 'sending.pause' | 'sending.resume' }>, orderId: string): Promise<Carried[]> {
  const { scope, by } = order;
  if (!mayPause(by, scope, await policies.active())) return [{ outcome: 'refused', because: 'no-authority' }];
  if (order.kind === 'sending.pause') await pauses.pause({ scope, audience: order.audience, by, since: time.now() }, orderId);
  else await pauses.resume(scope, by, time.now(), orderId);
  return [];
}

function wishOf(order: Exclude<Order, { kind: 'person.unavailable' | 'sending.pause' | 'sending.resume' }>, orderId: string): Wish {
  const said = (by: PersonId) => ({ by, channel: 'api' as const, commandId: commandId(`order:${orderId}`) });
  const actor = (person: PersonId) => ({ kind: 'person' as const, person, channel: 'api' as const });
  switch (order.kind) {
    case 'handoff.reassign':
      return { command: { kind: 'reassign', ...said(order.by), to: order.to }, actor: actor(order.by) };
    case 'handoff.withdraw':
      return { command: { kind: 'withdraw', ...said(order.by) }, actor: actor(order.by) };
    case 'human.takeover':
      return { command: { kind: 'take-over', ...said(order.person) }, actor: actor(order.person) };
    case 'outcome.recorded': {
      const { system, result, revenue } = order;
      const stated = { system, result, ...(revenue !== undefined && { revenue }) };
      return { command: { kind: 'record-outcome', commandId: commandId(`order:${orderId}`), ...stated }, actor: { kind: 'system', component: system } };
    }
    case 'next-step.evidence':
      return { command: { kind: 'confirm-next-step', ...said(order.person), evidence: order.evidence }, actor: actor(order.person) };
  }
}

/** A message about an offer did not get through: the fact is noted, and only an offer that still waits moves on (O-08). */
export async function noteUndelivered(deps: CarryOutOrderDeps, { handoffId: about, effect, channel, state: reason }: OfferUndeliverableEvent): Promise<Carried[]> {
  const id = handoffId(about);
  const asked = await askedIn(deps, id, effect);
  if (asked === undefined) return [{ handoffId: id, outcome: 'unknown-handoff', because: effect }];
  const note = (one: HandoffId, offer: number, name: string) =>
    direct(deps, one, {
      command: { kind: 'note-undelivered', commandId: commandId(`undelivered:${name}`), offer, channel, reason },
      actor: { kind: 'system', component: 'note-delivery' },
    });
  const carried = [await note(id, asked.offer, effect)];
  for (const [other, name] of along(await deps.ledger.read(asked.to, channel), `${id}:${effect}`)) {
    const offer = (await askedIn(deps, other, name))?.offer;
    if (offer !== undefined) carried.push(await note(other, offer, name));
  }
  return carried;
}

/** The offer that a message was about. */
async function askedIn({ store }: CarryOutOrderDeps, id: HandoffId, effect: string) {
  const seq = Number(/:(\d+):/.exec(effect)?.[1]);
  const receipt = (await store.receipts(id)).find((one) => one.seq === seq);
  return receipt?.kind === 'acceptance.requested' || receipt?.kind === 'backup.requested' ? receipt : undefined;
}

/** What went along in the same message and did not arrive either (O-09). */
const along = (ledger: Ledger, message: string): [HandoffId, string][] =>
  carriedBy(ledger, message).flatMap((name) => {
    const named = namedBy(name);
    return named === undefined ? [] : [[named.id, named.effect]];
  });

/** Decides on the row as it is and writes once; whoever else was first is read back and decided on again. */
export async function direct(deps: CarryOutOrderDeps, id: HandoffId, wish: Wish, besides: Besides = {}): Promise<Carried> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const loaded = await deps.store.load(id);
    if (loaded === undefined) return { handoffId: id, outcome: 'unknown-handoff' };
    const outcome = await attempted(deps, loaded, wish, besides);
    if (outcome !== 'stale') return { handoffId: id, ...outcome };
  }
  throw new Error(`handoff ${id} kept changing under ${ATTEMPTS} attempts`);
}

async function attempted(deps: CarryOutOrderDeps, { handoff }: LoadedHandoff, wish: Wish, { why, generated }: Besides): Promise<Omit<Carried, 'handoffId'> | 'stale'> {
  const now = deps.time.now();
  const made = transition(handoff, wish, await deps.policies.at(handoff.contract, handoff.contractVersion), now);
  if (made.kind !== 'transition') return { outcome: made.kind, ...('because' in made && { because: made.because }) };
  const seq = made.after.version;
  const links = await Promise.all(made.links.map(async (link) => ({ ...link, id: await deps.seal.mint(link) })));
  const written = await deps.store.append(handoff, made.after, made.receipts, {
    links,
    ...(why !== undefined && { notes: [{ seq, kind: 'explanation' as const, text: why }] }),
    ...(generated !== undefined && made.receipts.some(({ kind }) => kind === 'packet.prepared') && { generated: { seq, generated: { ...generated, at: now } } }),
  });
  if (written.kind === 'stale') return 'stale';
  const meeting = meetingWithoutSeller(made.after);
  return { outcome: written.kind === 'written' ? 'written' : 'already-done', ...(meeting !== undefined && { meeting }) };
}

const inUtc = (text: string): string => new Date(text).toISOString();
