// What becomes of one claimed message: sent, alone or with others, held until the hour has a place for it, or left out with a reason.

import type { OfferUndeliverableEvent } from '../../shared/contracts/announcement-event.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { LinkChannel } from '../../shared/domain/link.ts';
import { type Admission, type Asking, admit, type Ledger, withoutPlace } from '../../shared/domain/message-limit.ts';
import { namedBy, referenceOf } from '../../shared/domain/message-reference.ts';
import type { Claim, ClaimBook } from '../../shared/ports/claim-book.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { MessageLedger } from '../../shared/ports/message-ledger.ts';
import type { Sent } from '../../shared/ports/message-sender.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';
import { type DeliverDeps, deliver, mostTogether } from './deliver.ts';
import { messageNamed, type Outgoing, type OutgoingDeps, type Ready } from './outgoing.ts';

export type CarryOutDeps = OutgoingDeps &
  DeliverDeps & {
    claims: ClaimBook;
    /** Asked before every send: staff may say STOP too (MS-14, MS-15). */
    suppressions: Pick<SuppressionBook, 'standing'>;
    ledger: MessageLedger;
    bus: EventBus;
    /** Told of every message that was settled or held, for logs and figures. */
    settled: (outcome: 'sent' | 'refused' | 'skipped' | 'held', effect: string, id: HandoffId) => void;
  };

type Named = { id: HandoffId; effect: string };
type Settled = Exclude<Sent, { kind: 'not-taken' }>;
type Result = Settled | { kind: 'skipped'; because: string };

/** Carries out a message that the caller has claimed. Throws when its outcome is unclear. */
export async function carryOut(deps: CarryOutDeps, message: Outgoing): Promise<void> {
  if ('skip' in message) {
    if (message.asks !== undefined) await sayUndeliverable(deps, message, message.asks.channel, 'shut');
    return settle(deps, message, { kind: 'skipped', because: message.skip });
  }
  const shut = message.channel === 'slack' ? undefined : await deps.suppressions.standing(message.channel, message.address);
  if (shut !== undefined) return leaveOut(deps, message, 'shut', `this address takes no messages: ${shut.because}`);
  const admission = await placeFor(deps, message);
  switch (admission.kind) {
    case 'go':
      return send(deps, message, await theOthers(deps, admission.together));
    case 'carried':
      return follow(deps, message, admission.by);
    case 'wait':
      await deps.claims.hold(message.id, message.effect, `${limitOf(message)}; the next place is free ${admission.until}`);
      return deps.settled('held', message.effect, message.id);
    case 'no-place':
      return leaveOut(deps, message, 'limit', `${limitOf(message)}, and none was free in time`);
  }
}

/** Whether trying a held message again would change anything. Nothing is taken by asking. */
export async function mayGo(deps: CarryOutDeps, message: Ready): Promise<boolean> {
  if (!isLimited(message)) return true;
  const admission = admit(await deps.ledger.read(message.to.id, message.channel), asking(deps, message), deps.time.now());
  return admission.kind !== 'wait' && !(admission.kind === 'carried' && (await resultOf(deps, admission.by)) === undefined);
}

type Limited = Ready & { urgency: Asking['urgency']; limit: number };
const isLimited = (message: Ready): message is Limited => message.urgency !== 'always' && message.limit !== undefined;

async function placeFor(deps: CarryOutDeps, message: Ready): Promise<Admission> {
  if (!isLimited(message)) return { kind: 'go', together: [] };
  const decided = (from: (ledger: Ledger) => Ledger) => deps.ledger.admit(message.to.id, message.channel, (ledger) => admit(from(ledger), asking(deps, message), deps.time.now()));
  const admission = await decided((ledger) => ledger);
  if (admission.kind !== 'carried' || (await claimOf(deps, admission.by))?.result !== 'skipped') return admission;
  return decided((ledger) => withoutPlace(ledger, admission.by)); // the one that was to carry it was overtaken and never went
}

const asking = (deps: CarryOutDeps, { id, effect, urgency, until, limit, channel }: Limited): Asking => ({
  ...{ message: referenceOf({ id, effect }), urgency, limit, most: mostTogether(deps, channel) },
  ...(until !== undefined && { until }),
});

const limitOf = ({ limit, channel }: Ready): string => `limit of ${limit} an hour by ${channel}`;

/** What waited and is still wanted; what is settled meanwhile goes nowhere. */
async function theOthers(deps: CarryOutDeps, together: readonly string[]): Promise<Outgoing[]> {
  const others = await Promise.all(together.map((name) => messageNamed(deps, name)));
  const known = others.filter((one) => one !== undefined);
  const claims = await Promise.all(known.map(({ id, effect }) => deps.claims.find(id, effect)));
  return known.filter((_, index) => claims[index] !== undefined && claims[index]?.result === undefined);
}

/** Sends, and settles the message before those that went along: whoever dies in between finds the first one settled, and the others follow it. */
async function send(deps: CarryOutDeps, message: Ready, others: readonly Outgoing[]): Promise<void> {
  const along = others.filter((one) => 'message' in one);
  const sent = await tried(deps, message, () => deliver(deps, [message, ...along]));
  if (sent === undefined) return;
  await settle(deps, message, sent, message);
  for (const one of others) {
    if ('skip' in one) await settle(deps, one, { kind: 'skipped', because: one.skip });
    else await settleAlong(deps, one, referenceOf(message), sent);
  }
}

/**
 * Asks the provider, counted just before. One that took nothing is asked again: Lambda repeats the event within minutes, then
 * reconcile does, and it was no attempt (MS-05). Undefined when a result came meanwhile.
 */
export async function tried({ claims, settled }: CarryOutDeps, { id, effect }: Named, ask: () => Promise<Sent>): Promise<Settled | undefined> {
  if (!(await claims.trying(id, effect))) return undefined;
  const sent = await ask();
  if (sent.kind !== 'not-taken') return sent;
  await claims.hold(id, effect, `the provider took nothing: ${sent.because}`, { taken: false });
  settled('held', effect, id);
  throw new Error(`${effect} of ${id} was not taken: ${sent.because}`);
}

/** A message that another one carries has the result of that one, once there is one. */
async function follow(deps: CarryOutDeps, message: Ready, by: string): Promise<void> {
  const result = await resultOf(deps, by);
  if (result === undefined) return deps.claims.hold(message.id, message.effect, `in one message with ${by}`);
  await settleAlong(deps, message, by, result);
}

async function settleAlong(deps: CarryOutDeps, message: Ready, by: string, result: Settled): Promise<void> {
  await deps.claims.hold(message.id, message.effect, `in one message with ${by}`);
  await settle(deps, message, result, message);
}

async function claimOf({ claims }: CarryOutDeps, reference: string): Promise<Claim | undefined> {
  const named = namedBy(reference);
  return named === undefined ? undefined : claims.find(named.id, named.effect);
}

async function resultOf(deps: CarryOutDeps, reference: string): Promise<Settled | undefined> {
  const claim = await claimOf(deps, reference);
  if (claim?.result === undefined) return undefined;
  const { result, detail = '' } = claim;
  return result === 'sent' ? { kind: 'sent', providerId: detail } : { kind: 'refused', because: detail };
}

async function leaveOut(deps: CarryOutDeps, message: Ready, state: 'shut' | 'limit', because: string): Promise<void> {
  if (message.urgency === 'asks') await sayUndeliverable(deps, message, message.channel, state);
  await settle(deps, message, { kind: 'skipped', because });
}

/** A refusal of an offer is told before it is settled, so that dying in between tells it again (O-08). */
export async function settle(deps: CarryOutDeps, { id, effect }: Named, result: Result, message?: Ready): Promise<void> {
  if (result.kind === 'refused' && message?.urgency === 'asks') await sayUndeliverable(deps, message, message.channel, 'refused');
  await deps.claims.settle(id, effect, result.kind, result.kind === 'sent' ? result.providerId : result.because, deps.time.now());
  deps.settled(result.kind, effect, id);
}

/** Nobody is asked on this channel. When none is left, the offer moves on at once (O-08, MS-14). */
function sayUndeliverable({ bus, time }: CarryOutDeps, { id, effect }: Named, channel: LinkChannel, state: OfferUndeliverableEvent['state']): Promise<void> {
  const detail: OfferUndeliverableEvent = { schemaVersion: '1', handoffId: id, effect, channel, state, occurredAt: time.now() };
  return bus.publish([{ source: 'baton.delivery', detailType: 'offer.undeliverable', detail }]);
}
