// Calendly: meetings that invitees book, move and cancel. After a day of failures it disables the hook, and 410 deletes it.

import { ContractError } from '../contracts/contract-error.ts';
import type { BookingFacts } from '../domain/bookings.ts';
import type { SignalKind } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { type Field, ignored, objectIn, objectsIn, one, readObject, signalOf } from './stated-signal.ts';
import { statedBooking } from './stated-thread.ts';
import { pairsHeader, timedHmac } from './verify/raw-hmac.ts';

export const calendly: Provider = {
  name: 'calendly',
  title: 'Calendly',
  secret: { from: 'baton', what: 'signing_key of the webhook subscription' },
  setup: ['API: POST /webhook_subscriptions with url <url>, signing_key <secret>, events invitee.created and invitee.canceled.', 'Webhooks need a paid plan.'],
  contentTypes: ['application/json'],
  verification: timedHmac({ encoding: 'hex', unit: 'seconds', front: (time) => `${time}.`, toleranceSeconds: 180, layout: pairsHeader('calendly-webhook-signature', 'v1') }),
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

/**
 * A meeting that moves comes twice: the old invitee canceled as `rescheduled`, and the new one created with an `old_invitee`.
 * The second says everything, so it is the move and the first is left out.
 */
function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const invitee = objectIn(event.payload);
  const movedFrom = lastPart(invitee.old_invitee);
  const signal = (kind: SignalKind) => {
    const id = [event.event, inviteeId(invitee)];
    const threads = [
      ['meeting', inviteeId(invitee)],
      ['meeting', movedFrom],
    ] as const;
    return one(
      signalOf(
        { source: 'calendly', id, kind, at: textOf(event.created_at), receivedAt, threads, booking: bookingOf(invitee, movedFrom) },
        [...fieldsOf(invitee), ['moved_from', movedFrom]],
        country,
      ),
    );
  };
  if (event.event === 'invitee.created') return signal(movedFrom === undefined ? 'booking.made' : 'booking.moved');
  if (event.event !== 'invitee.canceled') return ignored('no booking');
  return invitee.rescheduled === true ? ignored('moved: the new booking says so') : signal('booking.canceled');
}

function inviteeId({ uri }: JsonObject): string {
  const id = lastPart(uri);
  if (id === undefined) throw new ContractError('the booking', ['payload.uri']);
  return id;
}

const lastPart = (uri: JsonValue | undefined): string | undefined => /\/([A-Za-z0-9-]{1,100})$/.exec(textOf(uri) ?? '')?.[1];

function bookingOf(invitee: JsonObject, was: string | undefined): BookingFacts | undefined {
  const { start_time: startsAt, end_time: endsAt, event_memberships: members } = objectIn(invitee.scheduled_event);
  const [host] = objectsIn(members);
  return statedBooking({ id: inviteeId(invitee), was, startsAt, endsAt, zone: invitee.timezone, host: host?.user_email });
}

/** Links to cancel or move the meeting are left out: whoever has them can use them. */
function fieldsOf(invitee: JsonObject): Field[] {
  const meeting = objectIn(invitee.scheduled_event);
  const location = objectIn(meeting.location);
  const [host] = objectsIn(meeting.event_memberships);
  const answers = answersOf(invitee);
  const reminder = textOf(invitee.text_reminder_number);
  const called = location.type === 'outbound_call' && reminder === undefined && !answers.some(([name]) => name === 'phone') ? location.location : undefined;
  return [
    ['name', invitee.name],
    ['first_name', invitee.first_name],
    ['last_name', invitee.last_name],
    ['email', invitee.email],
    ...answers,
    ['phone', answers.some(([name, answer]) => name === 'phone' && answer === reminder) ? undefined : reminder],
    ['phone', called],
    ['timing', [textOf(meeting.start_time), textOf(invitee.timezone)].filter((text) => text !== undefined).join(' ')],
    ['meeting', meeting.name],
    ['meeting_end', meeting.end_time],
    ['meeting_host', host?.user_email],
    ['meeting_id', lastPart(meeting.uri)],
    ['invitee_id', lastPart(invitee.uri)],
    ['cancel_reason', objectIn(invitee.cancellation).reason],
    ...Object.entries(objectIn(invitee.tracking)),
  ].filter(([name, value]) => value !== undefined && !(isNamePart(name) && textOf(invitee.name) !== undefined)) as Field[];
}

const isNamePart = (name: JsonValue | undefined): boolean => name === 'first_name' || name === 'last_name';

/** A question about a phone states the number. One other answer is the person's own words; of several, each keeps its question. */
function answersOf({ questions_and_answers: list }: JsonObject): Field[] {
  const asked = objectsIn(list).map(({ question, answer }, index): Field => {
    const title = textOf(question) ?? `question ${index + 1}`;
    return [/\b(?:phone|mobile|cell|tel[e\u00e9]fono|m[o\u00f3]vil)\b/iu.test(title) ? 'phone' : title, answer];
  });
  const others = asked.filter(([name]) => name !== 'phone');
  return others.length === 1 ? asked.map(([name, answer]): Field => [name === 'phone' ? name : 'message', answer]) : asked;
}
