// What is announced beside signals meets its contract, whatever the delivery says; for providers whose deliveries cannot be signed here, or wrap what they say.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnnouncementEvent } from '../../shared/contracts/announcement-event.ts';
import { ContractError, parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import type { Announcement } from '../../shared/domain/announcement.ts';
import type { Reading } from '../../shared/ports/signal-source.ts';
import { awsAnnouncements } from '../../shared/sources/aws-delivery.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { type JsonObject, readJson } from '../../shared/sources/read-json.ts';
import { PROVIDERS, providerNamed } from '../../shared/sources/registry.ts';
import { stopMeaning } from '../../shared/sources/stated-stop.ts';
import { tokenOf } from '../../shared/sources/verify/jws.ts';

const NOW = '2026-11-30T15:04:05.000Z';
const bytes = (text: string) => new TextEncoder().encode(text);

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', '__proto__', 'constructor', '+12065550143', '12065550143', 'anonymous', 'ada@example.com', 'STOP', 'no more texts', '9', '21610'],
    ...[
      '2026-11-30T10:00:00Z',
      '1796051045',
      '1e300',
      '-1',
      'x'.repeat(5000),
      'Delivery',
      'Permanent',
      'inbound',
      'missed',
      'T0EXAMPLE1',
      'delivered',
      'failed',
      'bounce',
      'spamreport',
    ],
  ),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: nasty },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false, 1796051045, 1796051037100),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.record({ emailAddress: nasty, id: nasty, value: nasty, type: fc.constant('button'), action_id: nasty, action_ts: nasty }), { maxLength: 3 }),
  fc.record(
    {
      id: nasty,
      text: nasty,
      reference: nasty,
      timestamp: nasty,
      bounceType: nasty,
      headers: fc.array(fc.record({ name: nasty, value: nasty }), { maxLength: 3 }),
      messageId: nasty,
    },
    { requiredKeys: [] },
  ),
);
const KEYS = [
  ...[
    'eventType',
    'notificationType',
    'mail',
    'bounce',
    'complaint',
    'delivery',
    'messageId',
    'context',
    'eventTimestamp',
    'originationNumber',
    'messageBody',
    'inboundMessageId',
    'receipt',
    'content',
  ],
  ...[
    'event',
    'email',
    'sg_message_id',
    'sg_event_id',
    'timestamp',
    'type',
    'status',
    'message_uuid',
    'messageId',
    'err-code',
    'msisdn',
    'from',
    'to',
    'text',
    'uuid',
    'direction',
    'sig',
  ],
  ...[
    'team',
    'user',
    'channel',
    'message',
    'container',
    'actions',
    'state',
    'payload',
    'RecordType',
    'MessageID',
    'Email',
    'Type',
    'SuppressSending',
    'OriginalRecipient',
    'From',
    'TextBody',
    'Headers',
  ],
  ...[
    'call_id',
    'event_timestamp',
    'external_number',
    'contact',
    'data',
    'topic',
    'id',
    'item',
    'resource_id',
    'answered',
    'triggerEvent',
    'createdAt',
    'hs_object_id',
    'detail',
    'account_id',
  ],
];
const object = fc.dictionary(fc.constantFrom(...KEYS), value, { minKeys: 1, maxKeys: 12, noNullPrototype: true });

function mustMeet(announcements: readonly Announcement[]): void {
  for (const announcement of announcements) {
    const wire: unknown = JSON.parse(JSON.stringify({ schemaVersion: '1', announcement }));
    expect(() => parse(AnnouncementEvent, wire, 'the announcement')).not.toThrow();
    expect(announcement.occurredAt <= NOW).toBe(true);
  }
}

function mustHold(read: () => Reading): void {
  try {
    const reading = read();
    if (reading.kind !== 'signals') return;
    mustMeet(reading.announcements ?? []);
    for (const signal of reading.signals) expect(() => parse(SignalEvent, JSON.parse(JSON.stringify({ schemaVersion: '1', signal })), 'the signal')).not.toThrow();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
  }
}

const reading = (name: string, contentType: string, body: string) => {
  const provider = providerNamed(name);
  if (provider === undefined) throw new Error(name);
  return () => sourceOf(provider, { country: 'US' }).read({ url: '', headers: { 'content-type': contentType }, body: bytes(body) }, NOW);
};

describe('announcements', () => {
  const json = PROVIDERS.filter(({ contentTypes }) => contentTypes.includes('application/json')).map(({ name }) => name);
  test.each(json)('%s: any object states what meets the contracts, or is refused', (name) => {
    fc.assert(
      fc.property(object, (event) => mustHold(reading(name, 'application/json', JSON.stringify(event)))),
      { numRuns: 200 },
    );
  });

  test('sendgrid: any list of events', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 4 }), (events) => mustHold(reading('sendgrid', 'application/json', JSON.stringify(events)))),
      { numRuns: 300 },
    );
  });

  test('sns: whatever the message inside says', () => {
    fc.assert(
      fc.property(object, fc.constantFrom('Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation', 'x'), nasty, (event, Type, SubscribeURL) => {
        const message = JSON.stringify({ Type, Message: JSON.stringify(event), TopicArn: 'arn:aws:sns:us-east-1:1:t', Timestamp: NOW, SubscribeURL });
        mustHold(reading('sns', 'text/plain', message));
        const result = (() => {
          try {
            return reading('sns', 'text/plain', message)();
          } catch {
            return undefined;
          }
        })();
        expect(result !== undefined && result.kind === 'ignored' && result.visit !== undefined).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('slack: whatever the payload says', () => {
    fc.assert(
      fc.property(object, nasty, (event, text) => {
        mustHold(reading('slack', 'application/x-www-form-urlencoded', new URLSearchParams({ payload: JSON.stringify({ ...event, type: 'block_actions' }) }).toString()));
        mustHold(reading('slack', 'application/x-www-form-urlencoded', new URLSearchParams({ payload: text }).toString()));
      }),
      { numRuns: 300 },
    );
  });

  test('dialpad: whatever the token claims', () => {
    fc.assert(
      fc.property(object, (claims) => mustHold(reading('dialpad', 'application/jwt', tokenOf(claims, 'k')))),
      { numRuns: 300 },
    );
  });

  test('AWS on the default bus: whatever the detail says', () => {
    fc.assert(
      fc.property(fc.constantFrom('aws.ses', 'aws.sms-voice', 'x'), object, (source, detail) =>
        mustMeet(awsAnnouncements(source, readJson(JSON.stringify(detail)) as JsonObject, NOW)),
      ),
      { numRuns: 500 },
    );
  });

  test('a text is a stop however it is cased or padded, and no text crashes the judgement', () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom('stop', 'Stop', 'STOP'), fc.nat(3), (text, word, pad) => {
        expect(['opt-out', 'opt-in', 'asks-to-stop', undefined]).toContain(stopMeaning(text));
        expect(stopMeaning(`${' '.repeat(pad)}${word}${'.'.repeat(pad)}`)).toBe('opt-out');
      }),
    );
  });
});
