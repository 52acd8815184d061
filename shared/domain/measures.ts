// What the handoffs of a period show, stage by stage, without ever counting one stage as the next (M-06 to M-09).

import { type Handoff, type Offer, openException } from './handoff.ts';
import type { RejectReason } from './policy.ts';
import { type Elapsed, type Spread, spread } from './spread.ts';

/** How many handoffs reached each stage. Each is counted by its own evidence; none follows from another. */
export type Funnel = {
  opened: number;
  /** Opened with everything the contract requires. */
  ready: number;
  withCandidates: number;
  asked: number;
  accepted: number;
  acceptedByBackup: number;
  acceptedLate: number;
  takenByExceptionOwner: number;
  nextStepConfirmed: number;
  /** A meeting was booked or took place; it is nobody's yes. */
  meetings: number;
  /** Somebody called or wrote, or closed it because nobody could be reached: tried, which is no conversation. */
  contactAttempts: number;
  /** Somebody met the customer, or worked at their place. */
  conversations: number;
  /** Staff sent a quote. */
  proposals: number;
  /** Staff looked at it, and said that it is nothing for them. */
  notAFit: number;
  closed: number;
  /** Somebody let their time to answer pass. */
  timedOut: number;
  /** The system that is the authority on it said how it ended. */
  outcomeFromSystem: number;
  /** Accepted, and nobody has said how it ended. */
  outcomeUnknown: number;
};

/** Shares of what they name, from 0 to 1; absent where there is nothing to take a share of. */
export type Rates = Partial<{
  completeAtArrival: number;
  offersAccepted: number;
  offersTimedOut: number;
  inException: number;
  /** Of all that opened: a named person said yes, with a receipt. */
  acceptanceReceipts: number;
  /** Of all: the next step is there, and nobody, no system either, has said how it ended. */
  unknownState: number;
  askedAgain: number;
  dueOnTime: number;
  outcomesRecorded: number;
}>;

/** Rejections for the same reason under the same rule: a rule to look at, not a person (M-09). */
export type RejectionCluster = { contract: string; step: number; rule: string; reason: RejectReason; count: number; handoffs: readonly string[] };

export type Measures = {
  from: string;
  until: string;
  funnel: Funnel;
  times: {
    eventToOffer?: Spread;
    offerToAcceptance?: Spread;
    eventToAcceptance?: Spread;
    exceptionAge?: Spread;
    /** How fast a machine wrote something: a technical figure, apart from every step of a person (M-07). */
    eventToDraft?: Spread;
  };
  rates: Rates;
  /** What the authoritative systems say last, as their own codes: `crm won`. */
  outcomes: Readonly<Record<string, number>>;
  /** What they say it brought, by currency, in its smallest unit. */
  revenue: Readonly<Record<string, number>>;
  rejections: Readonly<Partial<Record<RejectReason, number>>>;
  /** Of the facts that the contract requires, the share that was there at arrival, by source (P-04). */
  completeness: Readonly<Record<string, number>>;
  clusters: readonly RejectionCluster[];
};

/** Measures the handoffs that opened from `from` up to `until`, as they stand at `until`. Work nobody accepted counts as still waiting. */
export function measure(handoffs: readonly Handoff[], from: string, until: string): Measures {
  return {
    from,
    until,
    funnel: funnelOf(handoffs),
    times: timesOf(handoffs, until),
    rates: ratesOf(handoffs, until),
    outcomes: sums(handoffs.flatMap(({ recorded }) => (recorded === undefined ? [] : [[`${recorded.system} ${recorded.result}`, 1]]))),
    revenue: sums(handoffs.flatMap(({ recorded }) => (recorded?.revenue === undefined ? [] : [[recorded.revenue.currency, recorded.revenue.minorUnits]]))),
    rejections: rejectionsOf(handoffs),
    completeness: completenessOf(handoffs),
    clusters: clustersOf(handoffs),
  };
}

function funnelOf(handoffs: readonly Handoff[]): Funnel {
  const count = (holds: (handoff: Handoff) => boolean) => handoffs.filter(holds).length;
  return {
    opened: handoffs.length,
    ready: count((one) => (one.arrival === undefined ? one.exceptions.every(({ class: name }) => name !== 'missing-context') : one.arrival.missing.length === 0)),
    withCandidates: count((one) => one.candidates.length > 0),
    asked: count((one) => one.offers.some(wasAsked)),
    accepted: count(wasAccepted),
    acceptedByBackup: count((one) => one.offers.some((offer) => offer.status === 'accepted' && wasAsked(offer) && offer.number > 1)),
    acceptedLate: count((one) => one.ownership?.late === true),
    takenByExceptionOwner: count((one) => one.offers.some((offer) => offer.status === 'accepted' && !wasAsked(offer))),
    nextStepConfirmed: count((one) => one.nextStep !== undefined),
    meetings: count((one) => one.meeting !== undefined || one.nextStep?.evidence === 'meeting'),
    contactAttempts: count((one) => one.nextStep?.evidence === 'call' || one.nextStep?.evidence === 'message' || one.outcome?.kind === 'contact-failed'),
    conversations: count((one) => one.nextStep?.evidence === 'meeting' || one.nextStep?.evidence === 'visit'),
    proposals: count((one) => one.nextStep?.evidence === 'quote'),
    notAFit: count((one) => one.outcome?.kind === 'not-a-fit'),
    closed: count((one) => one.outcome !== undefined),
    timedOut: count((one) => one.offers.some((offer) => offer.status === 'timed-out')),
    outcomeFromSystem: count((one) => one.recorded !== undefined),
    outcomeUnknown: count((one) => wasAccepted(one) && one.outcome === undefined && one.recorded === undefined),
  };
}

function timesOf(handoffs: readonly Handoff[], now: string): Measures['times'] {
  const asked = handoffs.flatMap(({ occurredAt, offers }) => [elapsed(occurredAt, offers.find(wasAsked)?.requestedAt, now)]);
  const answered = handoffs.flatMap((one) => one.offers.filter((offer) => wasAsked(offer) && offer.number === 1).map((offer) => elapsed(offer.requestedAt, acceptedAt(one), now)));
  const owned = handoffs.map((one) => elapsed(one.occurredAt, acceptedAt(one) ?? endedAt(one), now));
  const exceptions = handoffs.flatMap((one) => one.exceptions.map(({ raisedAt, resolvedAt }) => elapsed(raisedAt, resolvedAt, now)));
  const drafted = handoffs.flatMap(({ occurredAt, generated }) => (generated?.firstAt === undefined ? [] : [elapsed(occurredAt, generated.firstAt, now)]));
  return named({
    eventToOffer: spread(asked),
    offerToAcceptance: spread(answered),
    eventToAcceptance: spread(owned),
    exceptionAge: spread(exceptions),
    eventToDraft: spread(drafted),
  });
}

function ratesOf(handoffs: readonly Handoff[], now: string): Rates {
  const offers = handoffs.flatMap((one) => one.offers.filter(wasAsked)).filter((offer) => offer.status !== 'pending');
  const promised = handoffs.filter((one) => one.nextStep !== undefined || (one.ownership !== undefined && one.ownership.dueAt <= now));
  const accepted = handoffs.filter(wasAccepted);
  return named({
    completeAtArrival: share(handoffs, (one) => !one.exceptions.some((exception) => exception.class === 'missing-context')),
    offersAccepted: share(offers, (offer) => offer.status === 'accepted'),
    offersTimedOut: share(offers, (offer) => offer.status === 'timed-out'),
    acceptanceReceipts: share(handoffs, wasAccepted),
    unknownState: share(handoffs, (one) => one.state === 'next-step-confirmed' && one.outcome === undefined && one.recorded === undefined),
    inException: share(handoffs, (one) => openException(one) !== undefined),
    askedAgain: share(handoffs, (one) => one.offers.filter(wasAsked).length > 1),
    dueOnTime: share(promised, (one) => one.nextStep !== undefined && one.ownership !== undefined && one.nextStep.confirmedAt <= one.ownership.dueAt),
    outcomesRecorded: share(accepted, (one) => one.outcome !== undefined || one.recorded !== undefined),
  });
}

function sums(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const totals = new Map<string, number>();
  for (const [name, count] of entries) totals.set(name, (totals.get(name) ?? 0) + count);
  return Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function rejectionsOf(handoffs: readonly Handoff[]): Measures['rejections'] {
  const counts: Partial<Record<RejectReason, number>> = {};
  for (const { reason } of handoffs.flatMap((one) => one.offers)) if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** A contract that requires nothing says nothing about its sources. */
function completenessOf(handoffs: readonly Handoff[]): Record<string, number> {
  const counts = new Map<string, { required: number; there: number }>();
  for (const { source, arrival } of handoffs) {
    if (arrival === undefined || arrival.required === 0) continue;
    const { required, there } = counts.get(source.system) ?? { required: 0, there: 0 };
    counts.set(source.system, { required: required + arrival.required, there: there + arrival.required - arrival.missing.length });
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([source, { required, there }]) => [source, there / required]));
}

/** Largest first; a single no is no cluster. */
function clustersOf(handoffs: readonly Handoff[]): RejectionCluster[] {
  const clusters = new Map<string, RejectionCluster>();
  for (const handoff of handoffs) {
    for (const { reason, step, rule } of handoff.offers) {
      if (reason === undefined) continue;
      const key = JSON.stringify([handoff.contract, step, rule, reason]);
      const known = clusters.get(key) ?? { contract: handoff.contract, step, rule, reason, count: 0, handoffs: [] };
      clusters.set(key, { ...known, count: known.count + 1, handoffs: [...known.handoffs, handoff.id] });
    }
  }
  return [...clusters.values()].filter(({ count }) => count > 1).sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
}

/** An exception owner who takes a handoff has an offer that ends in the instant it begins: nobody was asked. */
const wasAsked = (offer: Offer): boolean => offer.requestedAt !== offer.deadlineAt;

const wasAccepted = (handoff: Handoff): boolean => acceptedAt(handoff) !== undefined;

/** The first yes, also when the ownership ended since. */
const acceptedAt = ({ offers }: Handoff): string | undefined => offers.find((offer) => offer.status === 'accepted')?.endedAt;

/** A handoff that was closed without an owner waits no longer. */
const endedAt = ({ outcome }: Handoff): string | undefined => outcome?.at;

function elapsed(from: string, until: string | undefined, now: string): Elapsed {
  return { seconds: Math.max(0, (Date.parse(until ?? now) - Date.parse(from)) / 1000), still: until === undefined };
}

function share<T>(all: readonly T[], holds: (one: T) => boolean): number | undefined {
  return all.length === 0 ? undefined : all.filter(holds).length / all.length;
}

/** The same without what is undefined. */
function named<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
