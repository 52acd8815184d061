// The weekly review: which rules people keep saying no to, with the line of the contract to look at (M-09). About rules, never about people.

import type { Handoff } from './handoff.ts';
import { fromLocal, localParts, plusDays } from './local-time.ts';
import { measure, type RejectionCluster } from './measures.ts';

/** A week from Monday to Monday, midnight to midnight of a zone: seven local days, not 168 hours (TM-03). `day` is the Monday it ends on. */
export type Week = { day: string; zone: string; from: string; until: string };

export type WeeklyReview = {
  week: Week;
  /** Every no of the week, and of how many answers. */
  rejections: number;
  answers: number;
  /** The same reason under the same rule, more than once. */
  clusters: readonly RejectionCluster[];
};

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A no may come long after the handoff opened; no offer of a handoff that is older than this still waits. */
const OPENED_BEFORE_DAYS = 28;

/** The week that ended last at a local date. */
export function weekBefore(date: string, zone: string): Week {
  const { weekday } = localParts(`${date}T12:00:00Z`, 'UTC');
  const day = plusDays(date, -WEEKDAYS.indexOf(weekday));
  const midnight = (local: string) => fromLocal(`${local}T00:00`, zone).instant;
  return { day, zone, from: midnight(plusDays(day, -7)), until: midnight(day) };
}

/** Since when a handoff may have opened to be answered in this week. */
export const openedSince = ({ from }: Week): string => new Date(Date.parse(from) - OPENED_BEFORE_DAYS * 24 * 60 * 60 * 1000).toISOString();

/** What the answers of the week say. Handoffs and offers outside of it count for nothing. */
export function weeklyReview(handoffs: readonly Handoff[], week: Week): WeeklyReview {
  const within = (instant: string | undefined) => instant !== undefined && instant >= week.from && instant < week.until;
  const answered = handoffs.map((handoff) => ({ ...handoff, offers: handoff.offers.filter(({ endedAt }) => within(endedAt)) }));
  const offers = answered.flatMap((handoff) => handoff.offers);
  return {
    week,
    rejections: offers.filter(({ status }) => status === 'rejected').length,
    answers: offers.filter(({ status }) => status === 'rejected' || status === 'accepted').length,
    clusters: measure(answered, week.from, week.until).clusters,
  };
}

/** The review in one line. */
export function reviewHeadline({ rejections, clusters }: WeeklyReview): string {
  if (rejections === 0) return 'Nobody said no: no rule to look at.';
  if (clusters.length === 0) return `${rejections === 1 ? '1 no' : `${rejections} noes`}: no rule stands out.`;
  return `${clusters.length === 1 ? '1 rule' : `${clusters.length} rules`} to look at.`;
}

/** Where the line of the contract is, when nobody knows better. */
export const askLine = (contract: string, step: number): string => `policy/contracts/${contract}.yaml, ask, step ${step + 1}`;

/** The review as plain text. */
export function reviewText(review: WeeklyReview, placeOf: (contract: string, step: number) => string = askLine): string {
  const { week, rejections, answers, clusters } = review;
  const local = (instant: string) => localParts(instant, week.zone).date;
  const lines = clusters.flatMap(({ contract, step, rule, reason, count, handoffs }) => [
    `  ${count} × ${reason}`,
    `    look at ${placeOf(contract, step)} (${rule})`,
    `    ${handoffs.slice(0, 5).join(' ')}${handoffs.length > 5 ? ` and ${handoffs.length - 5} more` : ''}`,
  ]);
  return [
    `Weekly review, ${local(week.from)} to ${plusDays(week.day, -1)} (${week.zone})`,
    reviewHeadline(review),
    '',
    `${answers} answers, of these ${rejections} noes.`,
    ...(lines.length > 0 ? ['', 'Rules that were turned down more than once for the same reason', ...lines] : []),
  ].join('\n');
}
