// Meetings, as far as handoffs know them: what a customer booked, and what an owner promised. A meeting proves no ownership.

import type { Handoff } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { Meeting, MeetingNews } from './meeting-facts.ts';
import type { ReceiptOf } from './receipt.ts';
import type { Signal } from './signal.ts';

/** What a signal says of a meeting; undefined when it is about none. The start comes first in the stated timing of a booking. */
export function meetingNews({ kind, request }: Pick<Signal, 'kind' | 'request'>): MeetingNews | undefined {
  if (kind === 'booking.canceled') return { canceled: true };
  if (kind !== 'booking.made' && kind !== 'booking.moved') return undefined;
  const [start = ''] = (request.timing ?? '').split(' ');
  return /^\d{4}-\d{2}-\d{2}T/.test(start) && !Number.isNaN(Date.parse(start)) ? { at: new Date(start).toISOString() } : {};
}

/** The meeting after the news; a cancelled one is gone. */
export function meetingAfter(news: MeetingNews | undefined, before: Meeting | undefined): { meeting?: Meeting } {
  if (news === undefined) return before === undefined ? {} : { meeting: before };
  return news.canceled === true ? {} : { meeting: { from: 'booking', ...(news.at !== undefined && { at: news.at }) } };
}

/** What remains of a meeting when whoever was to hold it no longer owns the request: somebody has to. */
export function meetingLeft({ meeting, ownership, nextStep }: Handoff, { owner }: ReceiptOf<'ownership.ended'>): { meeting?: Meeting } {
  if (meeting !== undefined) return { meeting: { ...meeting, heldBy: owner } };
  const promised = ownership?.nextAction === 'meeting' || nextStep?.evidence === 'meeting';
  return promised ? { meeting: { from: 'promise', heldBy: owner, ...(ownership !== undefined && { at: ownership.dueAt }) } } : {};
}

/** The meeting of a request that nobody owns: the customer may come, and nobody has said that they will be there (L-08). */
export function meetingWithoutSeller({ meeting, ownership, state }: Handoff): Meeting | undefined {
  return state === 'closed' || ownership !== undefined ? undefined : meeting;
}

/** The meeting that this person is to hold, if any. */
export function meetingHeldBy(person: PersonId, handoff: Handoff): Meeting | undefined {
  const { ownership, nextStep, meeting } = handoff;
  if (ownership?.owner !== person) return undefined;
  if (meeting !== undefined) return meeting;
  return ownership.nextAction === 'meeting' || nextStep?.evidence === 'meeting' ? { from: 'promise', at: ownership.dueAt } : undefined;
}
