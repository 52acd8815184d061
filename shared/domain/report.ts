// The orphan report: what nobody owns, or nobody owns as promised, and whether every signal is accounted for (M-01 to M-04).

import { businessSecondsBetween } from './business-time.ts';
import { type Handoff, lastMovedAt, offerUntil, openException, pendingOffer } from './handoff.ts';
import type { HandoffId, PersonId } from './ids.ts';
import { localParts } from './local-time.ts';
import { meetingWithoutSeller } from './meeting.ts';
import { nextStep } from './next-step.ts';
import type { Calendar, Policy } from './policy.ts';
import type { FactKind } from './receipt.ts';
import type { Signal } from './signal.ts';

/** The sections, worst first: what the customer waits for without anybody being asked comes before what somebody holds. */
export const SECTIONS = [
  'undecided-signal',
  'nobody-asked',
  'rejected-without-owner',
  'meeting-without-seller',
  'offer-past-deadline',
  'workflow-stands-still',
  'exception-not-taken',
  'exception-review-passed',
  'next-step-overdue',
] as const;
export type Section = (typeof SECTIONS)[number];

/** What each section says to a person. */
export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  'undecided-signal': 'Signals that arrived and led to nothing yet',
  'nobody-asked': 'Ready, and nobody is being asked',
  'rejected-without-owner': 'Turned down, and nobody asked since',
  'meeting-without-seller': 'Meetings without an accepted seller',
  'offer-past-deadline': 'Asked, and past the deadline',
  'workflow-stands-still': 'Left alone: no workflow waits for them',
  'exception-not-taken': 'Exceptions that nobody has taken',
  'exception-review-passed': 'Exceptions whose review time passed',
  'next-step-overdue': 'Promised next steps that are overdue',
};

/** One thing that needs a person (M-04). `ageSeconds` is wall time since the customer acted. */
export type ReportRow = {
  section: Section;
  handoff?: HandoffId;
  signal?: { source: string; eventId: string };
  ageSeconds: number;
  /** The same in business time of the handoff's contract; absent when that counts none. */
  businessAgeSeconds?: number;
  /** The one person accountable; absent for a signal that no handoff was opened for. */
  custodian?: PersonId;
  lastReceipt?: { kind: FactKind; at: string };
  why: string;
  /** Where or how to look at it. */
  link: string;
};

/** How rows are written: for whose wall clock, how a reader gets to a handoff, and by which calendar its business time counts. */
export type RowStyle = { now: string; zone: string; linkTo: (id: HandoffId) => string; calendarOf?: (handoff: Handoff) => Calendar | undefined };

/**
 * The section a handoff stands in, or undefined when it is in order: closed, confirmed, or in the hands of a person whose
 * time is not over. What the machinery does by itself gets `graceSeconds` to do it; what a person has to do gets none.
 */
export function classify(handoff: Handoff, now: string, graceSeconds: number): Section | undefined {
  const overdueFor = (since: string) => (Date.parse(now) - Date.parse(since)) / 1000;
  if (meetingWithoutSeller(handoff) !== undefined) return 'meeting-without-seller';
  switch (handoff.state) {
    case 'ready':
    case 'candidates-resolved':
      if (overdueFor(lastMovedAt(handoff)) < graceSeconds) return undefined;
      return handoff.lastReceipt === 'offer.rejected' ? 'rejected-without-owner' : 'nobody-asked';
    case 'acceptance-requested':
    case 'backup-requested':
      return overdueFor(deadline(handoff)) < graceSeconds ? undefined : 'offer-past-deadline';
    case 'exception':
      return exceptionSection(handoff, now);
    case 'accepted':
      return now >= (handoff.ownership?.dueAt ?? now) ? 'next-step-overdue' : undefined;
    case 'next-step-confirmed':
    case 'closed':
      return undefined;
  }
}

const deadline = (handoff: Handoff): string => {
  const offer = pendingOffer(handoff);
  return offer === undefined ? handoff.changedAt : offerUntil(offer);
};

/**
 * Whether the machinery has let go of a handoff: at `since` something was to be done and nothing happened, or it should wait for
 * something and waits for nothing, or for something else. What moved after `since` may still be under way.
 */
export function standsStill({ handoff, wait }: { handoff: Handoff; wait?: { wait: string; wokenAt?: string } }, policy: Policy, since: string): boolean {
  if (lastMovedAt(handoff) > since) return false;
  const step = nextStep(handoff, policy, since);
  if (step.kind !== 'await') return step.kind !== 'done';
  return wait?.wait !== step.wait || (wait.wokenAt !== undefined && wait.wokenAt <= since);
}

/** A handoff as a row of its section. */
export function rowOf(handoff: Handoff, section: Section, style: RowStyle): ReportRow {
  const calendar = style.calendarOf?.(handoff);
  return {
    section,
    handoff: handoff.id,
    ageSeconds: age(handoff.occurredAt, style.now),
    ...(calendar !== undefined && { businessAgeSeconds: Math.floor(businessSecondsBetween(handoff.occurredAt, style.now, calendar)) }),
    custodian: handoff.custodian,
    lastReceipt: { kind: handoff.lastReceipt, at: handoff.changedAt },
    why: why(handoff, section, style),
    link: style.linkTo(handoff.id),
  };
}

/** A signal that was stored and neither opened nor ignored. */
export function signalRow(signal: Signal, style: RowStyle): ReportRow {
  const { source, eventId, kind, occurredAt, receivedAt } = signal;
  return {
    section: 'undecided-signal',
    signal: { source, eventId },
    ageSeconds: age(occurredAt, style.now),
    why: `${kind} arrived ${wall(receivedAt, style.zone)} and was neither opened nor ignored`,
    link: `${source} ${eventId}`,
  };
}

/** The instant as the zone's wall clock shows it: `2026-03-02 08:00`. */
export function wall(instant: string, zone: string): string {
  const { date, time } = localParts(instant, zone);
  return `${date} ${time}`;
}

function exceptionSection(handoff: Handoff, now: string): Section | undefined {
  const exception = openException(handoff);
  if (exception?.acceptedAt === undefined) return 'exception-not-taken';
  return now >= (exception.reviewAt ?? now) ? 'exception-review-passed' : undefined;
}

/** Whose workflow was lost still stands where it stood: the reason says both. */
function leftAlone(handoff: Handoff, style: RowStyle): string {
  const stands = classify(handoff, style.now, 0);
  const where = stands === undefined ? `${handoff.state} since ${wall(lastMovedAt(handoff), style.zone)}` : why(handoff, stands, style);
  return `${where}; no workflow waits for it`;
}

function why(handoff: Handoff, section: Section, style: RowStyle): string {
  const { zone } = style;
  const offer = pendingOffer(handoff) ?? handoff.offers.at(-1);
  const exception = openException(handoff);
  switch (section) {
    case 'rejected-without-owner':
      return `${offer?.to} said no (${offer?.reason}) ${wall(lastMovedAt(handoff), zone)}; nobody was asked since`;
    case 'offer-past-deadline':
      if (offer?.clarification !== undefined) return `${offer.clarification.owedBy} owed ${offer.to} the answer to a question until ${wall(offer.clarification.expiresAt, zone)}`;
      return `${offer?.to} was asked until ${wall(offer?.deadlineAt ?? handoff.changedAt, zone)}; nobody was asked since`;
    case 'exception-not-taken': {
      const before = exception?.earlierOwners.length ? `, after ${exception.earlierOwners.join(' and ')} did not` : '';
      return `${exception?.class}: ${exception?.because}; ${exception?.owner} was to take it by ${wall(exception?.respondBy ?? handoff.changedAt, zone)}${before}`;
    }
    case 'exception-review-passed':
      return `${exception?.class}: ${exception?.owner} took it and was to look again by ${wall(exception?.reviewAt ?? handoff.changedAt, zone)}`;
    case 'next-step-overdue':
      return `${handoff.ownership?.owner} promised "${handoff.ownership?.nextAction}" by ${wall(handoff.ownership?.dueAt ?? handoff.changedAt, zone)}; nothing shows that it happened`;
    case 'meeting-without-seller':
      return meetingWhy(handoff, zone);
    case 'workflow-stands-still':
      return leftAlone(handoff, style);
    case 'nobody-asked':
    case 'undecided-signal':
      return `${handoff.state} since ${wall(lastMovedAt(handoff), zone)}; nobody is being asked`;
  }
}

function meetingWhy({ meeting, state, offers }: Handoff, zone: string): string {
  const when = meeting?.at === undefined ? 'at a time that no source stated' : wall(meeting.at, zone);
  const held = meeting?.heldBy === undefined ? 'nobody accepted it yet' : `${meeting.heldBy} was to hold it and does no longer`;
  const asked = offers.find(({ status }) => status === 'pending' || status === 'clarifying')?.to;
  return `a meeting ${when}; ${held}; ${asked === undefined ? state : `${asked} is being asked`}`;
}

const age = (since: string, now: string): number => Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 1000));
