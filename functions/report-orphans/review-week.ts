import type { ReportPublishedEvent } from '../../shared/contracts/report-event.ts';
import { openedSince, reviewHeadline, reviewText, type WeeklyReview, weekBefore, weeklyReview } from '../../shared/domain/weekly-review.ts';
import type { DayBook } from '../../shared/ports/day-book.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { ReportShelf } from '../../shared/ports/report-shelf.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import { reviewHtml } from './review-html.ts';

export type ReviewWeekDeps = { days: DayBook; shelf: ReportShelf; bus: EventBus; time: TimeSource; zone: string };

/** What the shelf calls the review of the week that ended on this Monday. */
const nameOf = (day: string) => `week-${day}`;

/**
 * Publishes the review of the week that ended last, also when it is empty, unless it stands already (M-09). Every daily report
 * asks: on Monday it is made, and made up for on any later day. A run that cannot make it fails, and with it the alarm of the
 * daily report rings.
 */
export async function reviewWeek({ days, shelf, bus, time, zone }: ReviewWeekDeps, day: string, scheduledAt: string): Promise<WeeklyReview | undefined> {
  const week = weekBefore(day, zone);
  if ((await shelf.find(nameOf(week.day)))?.announced === true) return undefined;
  const review = weeklyReview(await days.openedBetween(openedSince(week), week.until), week);
  const at = time.now();
  const [headline, text, html] = [reviewHeadline(review), reviewText(review), reviewHtml(review)];
  const put = (name: string, type: string, body: string) => shelf.put(`reports/${week.day}/weekly-review.${name}`, type, body);
  const files = {
    json: await put('json', 'application/json', `${JSON.stringify({ schemaVersion: '1', headline, ...review }, null, 2)}\n`),
    html: await put('html', 'text/html; charset=utf-8', html),
  };
  const detail: ReportPublishedEvent = { schemaVersion: '1', day: week.day, scheduledAt, headline, listed: review.clusters.length, reconciled: true, review: 'week' };
  const summary = { schemaVersion: '1', day: week.day, zone, scheduledAt, generatedAt: at, headline, files, text, html };
  await shelf.publish(nameOf(week.day), { ...summary, announced: false }, at); // the mail reads it
  await bus.publish([{ source: 'baton.report', detailType: 'report.published', detail, at }]);
  await shelf.publish(nameOf(week.day), { ...summary, announced: true }, at);
  return review;
}
