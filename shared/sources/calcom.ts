// Cal.com: bookings, hosted there or by the business itself. A custom payload template can make the body anything: leave it empty.

import type { BookingFacts } from '../domain/bookings.ts';
import type { SignalKind } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { type Field, ignored, objectIn, objectsIn, one, readObject, signalOf } from './stated-signal.ts';
import { statedBooking } from './stated-thread.ts';
import { bodyHmac } from './verify/raw-hmac.ts';

/** A move has an event of its own, so it is one signal. */
const KINDS: ReadonlyMap<string, SignalKind> = new Map([
  ['BOOKING_CREATED', 'booking.made'],
  ['BOOKING_REQUESTED', 'booking.made'],
  ['BOOKING_RESCHEDULED', 'booking.moved'],
  ['BOOKING_CANCELLED', 'booking.canceled'],
]);

/** Without a secret the header holds a constant text, which is no signature of anything. */
export const calcom: Provider = {
  name: 'calcom',
  title: 'Cal.com',
  secret: { from: 'baton', what: 'Secret' },
  setup: [
    'Settings > Developer > Webhooks > New: Subscriber URL <url>, Secret <secret>, no custom payload template.',
    'Triggers: booking created, requested, rescheduled, canceled.',
  ],
  contentTypes: ['application/json'],
  verification: bodyHmac({ header: 'x-cal-signature-256', encoding: 'hex' }),
  read: (delivery, receivedAt, { country }) => readObject(delivery, (event) => readEvent(event, receivedAt, country)),
  answer: received,
};

function readEvent(event: JsonObject, receivedAt: string, country: string): Reading {
  const trigger = textOf(event.triggerEvent) ?? '';
  const kind = KINDS.get(trigger);
  if (kind === undefined) return ignored(trigger === 'PING' ? 'test delivery of the provider' : 'no booking');
  const booking = objectIn(event.payload);
  const was = booking.rescheduleUid ?? booking.fromReschedule;
  const threads = [
    ['meeting', booking.uid],
    ['meeting', was],
  ] as const;
  return one(
    signalOf(
      { source: 'calcom', id: [trigger, booking.uid], kind, at: textOf(event.createdAt), receivedAt, threads, booking: bookingOf(booking, was) },
      fieldsOf(booking),
      country,
    ),
  );
}

function bookingOf(booking: JsonObject, was: JsonValue | undefined): BookingFacts | undefined {
  const [attendee] = objectsIn(booking.attendees);
  const { uid: id, startTime: startsAt, endTime: endsAt } = booking;
  return statedBooking({ id, was, startsAt, endsAt, zone: attendee?.timeZone, host: objectIn(booking.organizer).email });
}

function fieldsOf(booking: JsonObject): Field[] {
  const [attendee] = objectsIn(booking.attendees);
  const { name, email, phoneNumber, timeZone, language } = attendee ?? {};
  const responses = Object.entries(objectIn(booking.responses)).map(([key, response]): Field => [RESPONSES.get(key) ?? key, objectIn(response).value]);
  const stated = new Set(responses.filter(([, value]) => textOf(value) !== undefined).map(([key]) => key));
  const unless = (key: string, value: Field[1]): Field[] => (stated.has(key) ? [] : [[key, value]]);
  return [
    ...responses,
    ...unless('name', name),
    ...unless('email', email),
    ...unless('phone', phoneNumber),
    ...unless('message', booking.additionalNotes),
    ['language', objectIn(language).locale],
    ['timing', [textOf(booking.startTime), textOf(timeZone)].filter((text) => text !== undefined).join(' ')],
    ['meeting', booking.eventTitle ?? booking.title],
    ['meeting_end', booking.endTime],
    ['meeting_host', objectIn(booking.organizer).email],
    ['meeting_id', booking.uid],
    ['moved_from', booking.rescheduleUid ?? booking.fromReschedule],
    ['cancel_reason', booking.cancellationReason],
  ];
}

const RESPONSES: ReadonlyMap<string, string> = new Map([
  ['attendeePhoneNumber', 'phone'],
  ['smsReminderNumber', 'sms_reminder_number'],
  ['notes', 'message'],
]);
