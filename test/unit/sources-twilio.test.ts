import { describe, expect, test } from 'vitest';
import { ContractError } from '../../shared/contracts/contract-error.ts';
import type { Reading } from '../../shared/ports/signal-source.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { twilio } from '../../shared/sources/twilio.ts';
import recorded from './fixtures/webhook-vectors.json' with { type: 'json' };

const NOW = '2026-11-30T15:04:05.000Z';
const source = sourceOf(twilio, { country: 'US' });
const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';
const read = (body: string, type = FORM): Reading => source.read({ url: '', headers: { 'content-type': type }, body: new TextEncoder().encode(body) }, NOW);
const form = (fields: Record<string, string>) => read(new URLSearchParams(fields).toString());
const rawBody = (id: string) => recorded.vectors.find((one) => one.id === id)?.rawBody ?? '';
const sms = (more: Record<string, string>) => form({ MessageSid: 'SM00000000000000000000000000000101', From: '+12065550143', To: '+12065550100', SmsStatus: 'received', ...more });
const dial = (more: Record<string, string>) => form({ CallSid: 'CA00000000000000000000000000000301', From: '+12065550143', ...more });

describe('Twilio', () => {
  test('the recorded missed call is a signal of the caller, with where the number was registered kept apart from facts', () => {
    const reading = read(rawBody('twilio-voice-dial-action'));
    expect(reading).toMatchObject({
      kind: 'signals',
      signals: [
        {
          source: 'twilio',
          eventId: 'CA00000000000000000000000000000301:dial:no-answer',
          kind: 'call.missed',
          occurredAt: NOW,
          contact: { phone: '+12065550143' },
          request: {},
          location: {},
          more: { FromZip: '98101', DialCallStatus: 'no-answer' },
        },
      ],
    });
  });

  test('the recorded text message is a signal with the words as typed', () => {
    expect(read(rawBody('twilio-sms-inbound'))).toMatchObject({
      signals: [{ eventId: 'SM00000000000000000000000000000101', kind: 'message.received', request: { words: 'Hi! Is the 5pm slot still open? 50% off + free filter, right? ☃' } }],
    });
  });

  test('the recorded event stream names the same message by the same id', () => {
    expect(read(rawBody('twilio-event-streams-json'), 'application/json')).toMatchObject({
      signals: [{ eventId: 'SM00000000000000000000000000000101', occurredAt: '2026-11-30T15:03:58.000Z', contact: { phone: '+12065550143' } }],
    });
  });

  test.each(['no-answer', 'busy', 'failed'])('a dial that ended %s was missed', (status) => {
    expect(dial({ DialCallStatus: status }).kind).toBe('signals');
  });

  test.each(['completed', 'answered', 'canceled', ''])('a dial that ended "%s" was not', (status) => {
    expect(dial({ DialCallStatus: status })).toEqual({ kind: 'ignored', because: 'call was not missed' });
  });

  test.each([
    ['a message on its way', 'MessageSid=SM00000000000000000000000000000201&MessageStatus=queued', 'message status callback'],
    ['a call status', 'CallSid=CA00000000000000000000000000000301&CallStatus=completed', 'call status callback'],
    ['a recorded conversation', 'CallSid=CA00000000000000000000000000000301&RecordingSid=RE00000001&RecordingSource=DialVerb', 'recording of an answered call'],
    ['a recording that failed', 'CallSid=CA00000000000000000000000000000301&RecordingSid=RE00000001&RecordingStatus=absent', 'no finished recording'],
  ])('%s is ignored with the reason', (_name, body, because) => {
    expect(read(body)).toEqual({ kind: 'ignored', because });
  });

  test.each(['STOP', ' stop ', 'Unsubscribe', 'END', 'quit', 'STOPALL', 'revoke', 'OPTOUT', 'cancel'])('D-02: "%s" as the whole text is an opt-out: recorded, no lead', (words) => {
    expect(sms({ Body: words })).toMatchObject({ kind: 'signals', signals: [{ notALead: 'opt-out', request: { words } }] });
  });

  test('CC-04, MS-06: the recorded delivery report is announced about its message, and no signal', () => {
    expect(read(rawBody('twilio-sms-status'))).toEqual({
      kind: 'signals',
      signals: [],
      announcements: [
        { kind: 'message.reported', provider: 'twilio', messageId: 'SM00000000000000000000000000000201', state: 'failed', occurredAt: NOW, channel: 'sms', detail: '30003' },
      ],
    });
  });

  test('MS-09: a report that the person opted out is an opt-out of that number', () => {
    const reading = form({ MessageSid: 'SM00000000000000000000000000000201', MessageStatus: 'failed', To: '+12065550143', ErrorCode: '21610' });
    expect(reading).toMatchObject({
      announcements: [{ kind: 'message.reported' }, { kind: 'contact.opted-out', channel: 'sms', address: '+12065550143', because: 'refused-by-carrier' }],
    });
  });

  test('a voicemail is a signal with the link to its recording and the call it belongs to', () => {
    const voicemail = { CallSid: 'CA00000000000000000000000000000301', RecordingSid: 'RE00000000000000000000000000000001', RecordingUrl: 'https://api.twilio.com/rec/RE1' };
    expect(form({ ...voicemail, From: '+12065550143', RecordingDuration: '22' })).toMatchObject({
      signals: [
        {
          eventId: 'RE00000000000000000000000000000001:action',
          kind: 'voicemail.left',
          contact: { phone: '+12065550143' },
          more: { RecordingUrl: 'https://api.twilio.com/rec/RE1', CallSid: 'CA00000000000000000000000000000301' },
        },
      ],
    });
    expect(form({ ...voicemail, RecordingStatus: 'completed', RecordingSource: 'RecordVerb', RecordingStartTime: 'Mon, 30 Nov 2026 15:03:40 +0000' })).toMatchObject({
      signals: [{ eventId: 'RE00000000000000000000000000000001:completed', contact: {}, occurredAt: '2026-11-30T15:03:40.000Z' }],
    });
  });

  test('MS-08: STOP shuts the number at once, START opens it again', () => {
    expect(sms({ Body: 'Stop.' })).toMatchObject({ announcements: [{ kind: 'contact.opted-out', channel: 'sms', address: '+12065550143', because: 'keyword', source: 'twilio' }] });
    expect(sms({ Body: 'START' })).toMatchObject({ announcements: [{ kind: 'contact.opted-in', address: '+12065550143' }] });
  });

  test.each(['please no more texts', 'Stop texting me', 'do not contact me again', 'take me off your list', 'don’t text me'])(
    'MS-10: "%s" stops messages and stays a message that a person reads',
    (Body) => {
      const reading = sms({ Body });
      expect(reading).toMatchObject({ signals: [{ request: { words: Body } }], announcements: [{ kind: 'contact.opted-out', because: 'asked-in-words' }] });
      expect(reading.kind === 'signals' && reading.signals[0]?.notALead).toBeUndefined();
    },
  );

  test.each(["don't stop", 'Is the bus stop near you?', 'can you end the lease', 'remove the old roof please'])('MS-08: "%s" stops nothing: only a person can tell', (Body) => {
    const reading = sms({ Body });
    expect(reading.kind === 'signals' && (reading.announcements ?? [])).toEqual([]);
  });

  test.each(['cancel my visit', 'please stop by tomorrow', 'HELP the roof is open', 'help'])('"%s" is a message', (words) => {
    const reading = sms({ Body: words });
    expect(reading.kind === 'signals' && reading.signals[0]?.notALead).toBeUndefined();
  });

  test("Twilio's own verdict comes before the words", () => {
    expect(sms({ Body: 'arrêt', OptOutType: 'STOP' })).toMatchObject({ signals: [{ notALead: 'opt-out' }] });
    expect(sms({ Body: 'START', OptOutType: 'START' })).toMatchObject({ signals: [{ notALead: 'opt-in' }] });
    expect(sms({ Body: 'HELP', OptOutType: 'HELP' })).toMatchObject({ signals: [{ notALead: 'help keyword' }] });
  });

  test.each(['anonymous', '+266696687', '+7378742833', '+2562533', 'client:alice', 'sip:x@example.com'])('ID-04: %s is no caller id, and stays as sent', (From) => {
    expect(dial({ From, DialCallStatus: 'busy' })).toMatchObject({ signals: [{ contact: {}, more: { From } }] });
  });

  test('a WhatsApp sender is known by the number', () => {
    expect(sms({ From: 'whatsapp:+12065550143', Body: 'Hi' })).toMatchObject({ signals: [{ contact: { phone: '+12065550143' } }] });
  });

  test('a picture without words is a message without words', () => {
    expect(sms({ Body: '', NumMedia: '1', MediaUrl0: 'https://media.example/1' })).toMatchObject({ signals: [{ request: {}, more: { MediaUrl0: 'https://media.example/1' } }] });
  });

  test.each(['', 'x=1', 'MessageSid=short&Body=x', 'CallSid=%00&DialCallStatus=busy', 'MessageSid=SM00000000000000000000000000000101&MessageSid=SM2&Body=x'])(
    'a form that names no event is refused: %s',
    (body) => {
      expect(() => read(body)).toThrow(ContractError);
    },
  );

  test.each(['{}', 'null', '[1]', '[{"type":"com.twilio.messaging.inbound-message.received"}]'])('an event list that is none is refused: %s', (body) => {
    expect(() => read(body, 'application/json')).toThrow(ContractError);
  });

  test('events about other things are ignored', () => {
    expect(read('[{"type":"com.twilio.messaging.message.sent"}]', 'application/json').kind).toBe('ignored');
    expect(read('[]', 'application/json').kind).toBe('ignored');
    expect(read('[', 'application/json').kind).toBe('unreadable');
  });

  test('WH-10: more parameters than a callback has are not read', () => {
    expect(read(Array.from({ length: 501 }, (_, n) => `p${n}=1`).join('&'))).toEqual({ kind: 'unreadable' });
  });

  test('the answer is TwiML that says nothing', () => {
    expect(source.answer(['x'])).toEqual({ status: 200, contentType: 'text/xml; charset=utf-8', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' });
  });
});
