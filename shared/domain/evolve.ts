// evolve(handoff, receipt) → handoff. Total and pure: replaying a log always gives the same row.

import { type Handoff, lastMovedAt, type Offer, type OfferStatus, type RaisedException, TRANSITIONS } from './handoff.ts';
import type { CommandId } from './ids.ts';
import { contradiction, isSafety, joined, stillLacking } from './joined-facts.ts';
import { meetingAfter, meetingLeft } from './meeting.ts';
import type { Actor, Fact, FactKind, Receipt, ReceiptOf } from './receipt.ts';

/** The first receipt makes the handoff; every later one changes it once: a receipt that the row has seen changes nothing. Throws on a receipt that cannot follow, which only a damaged log contains. */
export function evolve(handoff: Handoff | undefined, receipt: Receipt): Handoff {
  if (handoff !== undefined && receipt.seq <= handoff.version) return handoff;
  if (receipt.kind === 'handoff.opened') {
    if (handoff !== undefined) throw new Error(`handoff ${handoff.id} cannot be opened twice`);
    return opened(receipt);
  }
  if (handoff === undefined) throw new Error(`a log cannot begin with ${receipt.kind}`);
  const { from, to } = TRANSITIONS[receipt.kind];
  if (receipt.seq !== handoff.version + 1) throw new Error(`handoff ${handoff.id}: receipt ${receipt.seq} cannot follow ${handoff.version}`);
  if (!from.includes(handoff.state)) throw new Error(`handoff ${handoff.id}: ${receipt.kind} cannot happen in ${handoff.state}`);
  const base: Handoff = {
    ...handoff,
    version: receipt.seq,
    changedAt: receipt.at,
    lastReceipt: receipt.kind,
    packetVersion: receipt.packetVersion,
    state: to === 'same' ? handoff.state : to,
  };
  const after = changed(base, receipt);
  return OBSERVATIONS.has(receipt.kind) ? { ...after, movedAt: lastMovedAt(handoff) } : without(after, 'movedAt');
}

/** What generators and systems outside say, as often as they like. */
const OBSERVATIONS: ReadonlySet<FactKind> = new Set(['packet.prepared', 'ai.refused', 'outcome.recorded']);

/** The row that a whole log, or the start of one, leads to. */
export function replay(receipts: readonly Receipt[]): Handoff {
  const [first, ...rest] = receipts;
  if (first === undefined) throw new Error('an empty log has no handoff');
  return rest.reduce<Handoff>(evolve, evolve(undefined, first));
}

/** Whether a fact comes with a new version of the packet, which its receipt names. */
export const makesPacket = (fact: Fact): boolean =>
  fact.kind === 'clarification.answered' || fact.kind === 'signal.linked' || (fact.kind === 'exception.cleared' && fact.because === 'corrected');

/** Stamps facts into receipts that continue the log of `handoff`, and folds them. */
export function apply(
  handoff: Handoff | undefined,
  facts: readonly Fact[],
  stamp: { at: string; commandId: CommandId; actor: Actor; packetVersion: number; contractVersion: string },
): { receipts: Receipt[]; handoff: Handoff } {
  const receipts: Receipt[] = [];
  let current = handoff;
  for (const fact of facts) {
    const packetVersion = Math.max(stamp.packetVersion, current?.packetVersion ?? 0) + (makesPacket(fact) ? 1 : 0);
    const receipt: Receipt = { ...fact, ...stamp, packetVersion, seq: (current?.version ?? 0) + 1 };
    current = evolve(current, receipt);
    receipts.push(receipt);
  }
  if (current === undefined) throw new Error('nothing to apply');
  return { receipts, handoff: current };
}

function opened(receipt: ReceiptOf<'handoff.opened'>): Handoff {
  return {
    id: receipt.handoffId,
    version: receipt.seq,
    state: 'ready',
    source: { system: receipt.source, eventId: receipt.sourceEventId },
    occurredAt: receipt.occurredAt,
    openedAt: receipt.at,
    changedAt: receipt.at,
    lastReceipt: receipt.kind,
    contract: receipt.contract,
    contractVersion: receipt.contractVersion,
    packetVersion: receipt.packetVersion,
    contactRef: receipt.contactRef,
    custodian: receipt.intakeLead,
    intakeLead: receipt.intakeLead,
    candidates: [],
    offers: [],
    exceptions: [],
    ...meetingAfter(receipt.meeting, undefined),
    ...(receipt.required !== undefined && { arrival: { required: receipt.required, missing: receipt.missing } }),
    ...(receipt.missing.length > 0 && { lacking: receipt.missing, toRaise: missingContext(receipt.missing) }),
    ...(receipt.possibleDuplicate !== undefined && { possibleDuplicate: receipt.possibleDuplicate, toRaise: mayBeDuplicate(receipt.possibleDuplicate) }),
    ...(receipt.window !== undefined && { windowRule: receipt.window.rule }),
    ...(receipt.optedOut !== undefined && { toRaise: { class: 'prior-opt-out', because: `had asked for no contact by ${receipt.optedOut.join(' and ')}` } }),
    ...(receipt.safety !== undefined && { toRaise: { class: 'safety-urgent', because: receipt.safety } }),
  };
}

const missingContext = (missing: readonly string[]) => ({ class: 'missing-context' as const, because: `missing: ${missing.join(', ')}` });
const mayBeDuplicate = ({ of, evidence }: { of: string; evidence: readonly string[] }) => ({
  class: 'possible-duplicate' as const,
  because: `may be ${of}: ${evidence.join(', ')}`,
});

function changed(base: Handoff, receipt: Exclude<Receipt, { kind: 'handoff.opened' }>): Handoff {
  const { at } = receipt;
  switch (receipt.kind) {
    case 'candidates.resolved':
      return { ...base, candidates: receipt.candidates, ...(receipt.raise !== undefined && !isSafety(base.toRaise) && { toRaise: receipt.raise }) };
    case 'acceptance.requested':
    case 'backup.requested':
      return without({ ...base, offers: [...base.offers, asked(receipt)] }, 'toAsk');
    case 'offer.accepted':
      return owned(base, receipt);
    case 'offer.superseded':
      return { ...base, offers: ended(base.offers, receipt.offer, 'superseded', at) };
    case 'offer.reminded':
      return { ...base, offers: revisedOffer(base, receipt.offer, (offer) => ({ ...offer, remindedAt: at })) };
    case 'offer.withdrawn':
      return { ...base, offers: ended(base.offers, receipt.offer, 'withdrawn', at) };
    case 'offer.undeliverable':
      return { ...base, offers: ended(base.offers, receipt.offer, 'undeliverable', at) };
    case 'delivery.failed':
      return { ...base, offers: revisedOffer(base, receipt.offer, (offer) => ({ ...offer, undelivered: [...(offer.undelivered ?? []), receipt.channel] })) };
    case 'ownership.ended':
      return disowned(base, receipt);
    case 'handoff.reassigned':
      return reassigned(base, receipt);
    case 'human.takeover':
      return { ...base, takenOver: { person: receipt.person, at } };
    case 'packet.prepared':
      return { ...base, generated: generatedBy(receipt, base.generated?.firstAt ?? at) };
    case 'outcome.recorded':
      return { ...base, recorded: { system: receipt.system, result: receipt.result, at, ...(receipt.revenue !== undefined && { revenue: receipt.revenue }) } };
    case 'ai.refused':
      return base;
    case 'offer.timed-out':
      return { ...base, offers: ended(base.offers, receipt.offer, 'timed-out', at) };
    case 'offer.rejected':
      return turnedDown(base, receipt);
    case 'duplicate.marked':
      return {
        ...base,
        offers: ended(base.offers, receipt.offer, 'duplicate', at),
        toRaise: { class: receipt.raise, because: `marked as a duplicate of ${receipt.of}` },
        possibleDuplicate: { of: receipt.of, evidence: ['marked'] },
      };
    case 'signal.linked':
      return joined(base, receipt);
    case 'duplicate.merged':
      return without({ ...base, mergedInto: receipt.into }, 'possibleDuplicate');
    case 'duplicate.separated':
      return separated(base, receipt);
    case 'clarification.asked':
      return {
        ...base,
        offers: revisedOffer(base, receipt.offer, (offer) => ({
          ...offer,
          status: 'clarifying',
          questions: (offer.questions ?? 0) + 1,
          clarification: { askedAt: at, owedBy: receipt.owedBy, expiresAt: receipt.expiresAt },
        })),
      };
    case 'clarification.answered': {
      const { deadlineAt, warnAt, packetVersion } = receipt;
      return {
        ...base,
        offers: revisedOffer(base, receipt.offer, (offer) => ({
          ...without(offer, 'clarification', 'warnAt', 'remindedAt'),
          status: 'pending',
          deadlineAt,
          packetVersion,
          ...(warnAt !== undefined && { warnAt }),
        })),
      };
    }
    case 'clarification.expired':
      return {
        ...base,
        offers: ended(base.offers, receipt.offer, 'withdrawn', at),
        toRaise: { class: receipt.raise, because: `${receipt.owedBy} owed the answer to a question until ${receipt.expiresAt}` },
      };
    case 'exception.raised': {
      const { exception: number, class: raised, because, owner, respondBy } = receipt;
      const exception: RaisedException = { number, class: raised, because, owner, earlierOwners: [], raisedAt: at, respondBy };
      const put = without({ ...base, custodian: owner, exceptions: [...base.exceptions, exception] }, 'toRaise', 'toAsk', 'ownership', 'overdue');
      return raised === 'conflicting-facts' ? without(put, 'contradictions') : put;
    }
    case 'exception.accepted':
      return { ...base, exceptions: revised(base.exceptions, receipt.exception, (one) => ({ ...one, acceptedAt: at, reviewAt: receipt.reviewAt })) };
    case 'exception.escalated':
      return {
        ...base,
        custodian: receipt.to,
        exceptions: revised(base.exceptions, receipt.exception, (one) =>
          without({ ...one, owner: receipt.to, earlierOwners: [...one.earlierOwners, one.owner], respondBy: receipt.respondBy }, 'acceptedAt', 'reviewAt'),
        ),
      };
    case 'exception.resolved': {
      const exceptions = resolved(base.exceptions, receipt.exception, at);
      if (receipt.resolution !== 'assigned' || receipt.to === undefined) return { ...base, exceptions };
      return { ...base, exceptions, custodian: base.intakeLead, toAsk: receipt.to };
    }
    case 'exception.cleared':
      return cleared(base, receipt);
    case 'next-step.confirmed':
      return without({ ...base, nextStep: { confirmedAt: at, evidence: receipt.evidence } }, 'overdue');
    case 'next-step.overdue':
      return { ...base, overdue: { at, graceUntil: receipt.graceUntil, raise: receipt.raise } };
    case 'handoff.closed':
      return without({ ...base, outcome: { kind: receipt.outcome, at, by: receipt.by } }, 'toRaise', 'toAsk');
  }
}

/** It is a request of its own: it begins where it would have begun, and what it lacks is put to a person as for any other. */
const separated = (base: Handoff, receipt: ReceiptOf<'duplicate.separated'>): Handoff => without(begunAnew(base, receipt), 'possibleDuplicate');

function cleared(base: Handoff, receipt: ReceiptOf<'exception.cleared'>): Handoff {
  if (receipt.because === 'merged') return without(begunAnew(base, receipt), 'possibleDuplicate');
  if (receipt.because === 'facts-arrived' || receipt.because === 'safety') return begunAnew(base, receipt);
  const { lacking = [], contradictions: _settled, ...rest } = base;
  const still = stillLacking(lacking, receipt.paths ?? []);
  return begunAnew({ ...rest, ...(still.length > 0 && { lacking: still }) }, receipt);
}

/** Nobody has to look at it any more for what stopped it; what else stops it is put to a person next. */
function begunAnew(base: Handoff, { exception, at }: ReceiptOf<'duplicate.separated' | 'exception.cleared'>): Handoff {
  const { lacking = [], contradictions = [] } = base;
  const known = base.exceptions.some((one) => one.class === 'missing-context');
  const toRaise = lacking.length > 0 && !known ? missingContext(lacking) : contradictions.length > 0 ? contradiction(contradictions) : undefined;
  return { ...base, custodian: base.intakeLead, exceptions: resolved(base.exceptions, exception, at), ...(toRaise !== undefined && { toRaise }) };
}

/** Whom staff name goes before everything but a matter of safety, whose owner is asked first. */
function reassigned(base: Handoff, { to }: ReceiptOf<'handoff.reassigned'>): Handoff {
  const offers = base.offers.map((offer): Offer => (offer.status === 'timed-out' ? { ...offer, status: 'withdrawn' } : offer));
  const moved = { ...base, toAsk: to, offers };
  return isSafety(base.toRaise) ? moved : without(moved, 'toRaise');
}

function turnedDown(base: Handoff, receipt: ReceiptOf<'offer.rejected'>): Handoff {
  const { offer: number, reason, field, raise, excludedUntil, at } = receipt;
  const said = { reason, ...(excludedUntil !== undefined && { excludedUntil }) };
  const offers = ended(base.offers, number, 'rejected', at).map((offer) => (offer.number === number ? { ...offer, ...said } : offer));
  const missed = reason === 'missing-required-field' && field !== undefined ? { lacking: [...new Set([...(base.lacking ?? []), field])] } : {};
  return { ...base, offers, ...missed, ...(raise !== undefined && { toRaise: { class: raise, because: `rejected: ${reason}` } }) };
}

function asked(receipt: ReceiptOf<'acceptance.requested' | 'backup.requested'>): Offer {
  const { offer: number, to, step, rule, deadlineAt, warnAt, packetVersion, at } = receipt;
  return { number, to, step, rule, status: 'pending', requestedAt: at, deadlineAt, packetVersion, ...(warnAt !== undefined && { warnAt }) };
}

function disowned(base: Handoff, receipt: ReceiptOf<'ownership.ended'>): Handoff {
  const offers = ended(base.offers, base.ownership?.offer ?? 0, 'withdrawn', receipt.at);
  return without({ ...base, ...meetingLeft(base, receipt), custodian: base.intakeLead, offers }, 'ownership', 'overdue', 'nextStep');
}

function owned(base: Handoff, receipt: ReceiptOf<'offer.accepted'>): Handoff {
  const { by: owner, offer, nextAction, dueAt, late, channel, at, packetVersion } = receipt;
  const known = base.offers.some((one) => one.number === offer);
  const taken: Offer = { number: offer, to: owner, step: 0, rule: 'taken by the exception owner', status: 'accepted', requestedAt: at, deadlineAt: at, packetVersion, endedAt: at };
  const offers = known ? ended(base.offers, offer, 'accepted', at) : [...base.offers, taken];
  const open = base.exceptions.find((one) => one.resolvedAt === undefined);
  const exceptions = open === undefined ? base.exceptions : resolved(base.exceptions, open.number, at);
  const met = base.meeting?.from === 'promise' ? without(base, 'meeting') : base; // whoever says yes makes a promise of their own
  return without(
    { ...met, custodian: owner, offers, exceptions, ownership: { owner, offer, acceptedAt: at, nextAction, dueAt, late, channel } },
    'toAsk',
    'toRaise',
    'contradictions',
  );
}

const generatedBy = ({ seq, generator, generatorVersion, packetVersion }: ReceiptOf<'packet.prepared'>, firstAt: string) => ({
  seq,
  generator,
  generatorVersion,
  packetVersion,
  firstAt,
});

const ended = (offers: readonly Offer[], number: number, status: OfferStatus, endedAt: string): Offer[] =>
  offers.map((offer) => (offer.number === number ? { ...without(offer, 'clarification'), status, endedAt } : offer));

const revisedOffer = (base: Handoff, number: number, revise: (offer: Offer) => Offer): Offer[] => base.offers.map((offer) => (offer.number === number ? revise(offer) : offer));

const revised = (exceptions: readonly RaisedException[], number: number, revise: (exception: RaisedException) => RaisedException): RaisedException[] =>
  exceptions.map((exception) => (exception.number === number ? revise(exception) : exception));

const resolved = (exceptions: readonly RaisedException[], number: number, resolvedAt: string) => revised(exceptions, number, (one) => ({ ...one, resolvedAt }));

function without<T extends object, K extends keyof T>(value: T, ...keys: K[]): T {
  const copy = { ...value };
  for (const key of keys) delete copy[key];
  return copy;
}
