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
    ['the recorded delivery report', rawBody('twilio-sms-status'), 'message status callback'],
    ['a call status', 'CallSid=CA00000000000000000000000000000301&CallStatus=completed', 'call status callback'],
    ['a recording', 'CallSid=CA00000000000000000000000000000301&RecordingSid=RE1', 'recording callback'],
  ])('%s is ignored with the reason', (_name, body, because) => {
    expect(read(body)).toEqual({ kind: 'ignored', because });
  });

  test.each(['STOP', ' stop ', 'Unsubscribe', 'END', 'quit', 'STOPALL', 'revoke', 'OPTOUT', 'cancel'])('D-02: "%s" as the whole text is an opt-out: recorded, no lead', (words) => {
    expect(sms({ Body: words })).toMatchObject({ kind: 'signals', signals: [{ notALead: 'opt-out', request: { words } }] });
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
