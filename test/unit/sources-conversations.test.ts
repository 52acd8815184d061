// What phones, calendars, chats and CRMs say beyond their recorded deliveries: moves, misses, statuses, and who is nobody.

import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerTo } from '../../functions/receive-webhook/answer.ts';
import { receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import type { Reading } from '../../shared/ports/signal-source.ts';
import { aircall } from '../../shared/sources/aircall.ts';
import { calcom } from '../../shared/sources/calcom.ts';
import { calendly } from '../../shared/sources/calendly.ts';
import { callrail } from '../../shared/sources/callrail.ts';
import { dialpad } from '../../shared/sources/dialpad.ts';
import { hubspot } from '../../shared/sources/hubspot.ts';
import { intercom } from '../../shared/sources/intercom.ts';
import { type Provider, sourceOf } from '../../shared/sources/provider.ts';
import { quo } from '../../shared/sources/quo.ts';
import { slackActions } from '../../shared/sources/slack-actions.ts';
import { plainText } from '../../shared/sources/stated-markup.ts';
import { claimsOf, tokenOf } from '../../shared/sources/verify/jws.ts';
import { hubspotUrl, hubspotV3 } from '../../shared/sources/verify/url-hmac.ts';
import { vonage } from '../../shared/sources/vonage.ts';
import { memoryEventBus, memoryRawShelf } from '../support/memory-outside.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';
import recorded from './fixtures/webhook-vectors-mail.json' with { type: 'json' };

const NOW = '2026-11-30T15:04:05.000Z';
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const read = (provider: Provider, value: unknown, contentType = 'application/json'): Reading =>
  sourceOf(provider, { country: 'US' }).read({ url: '', headers: { 'content-type': contentType }, body: bytes(value) }, NOW);

const vectorOf = (name: string, index = 0) => {
  const vector = fixtureOf(name)?.vectors[index];
  if (vector === undefined) throw new Error(`no vector of ${name}`);
  return vector;
};
// The recorded JSON is of the providers' making.
// biome-ignore lint/suspicious/noExplicitAny: each test changes a part of it by name
const bodyOf = (name: string, index = 0): any => JSON.parse(vectorOf(name, index).rawBody);

describe('a meeting that moves is one move', () => {
  test('Calendly: the old invitee is left out, the new one says where it came from', () => {
    const created = bodyOf('calendly');
    const old = 'https://api.calendly.com/scheduled_events/x/invitees/11111111-0000-4000-8000-000000000001';
    const canceled = { ...created, event: 'invitee.canceled', payload: { ...created.payload, uri: old, rescheduled: true, new_invitee: created.payload.uri, status: 'canceled' } };
    const moved = { ...created, payload: { ...created.payload, old_invitee: old } };
    expect(read(calendly, canceled)).toEqual({ kind: 'ignored', because: 'moved: the new booking says so' });
    expect(read(calendly, moved)).toMatchObject({ signals: [{ kind: 'booking.moved', more: { moved_from: '11111111-0000-4000-8000-000000000001' } }] });
    expect(read(calendly, created)).toMatchObject({ signals: [{ kind: 'booking.made' }] });
  });

  test('Calendly: a real cancellation says so, with the reason', () => {
    const created = bodyOf('calendly');
    const canceled = { ...created, event: 'invitee.canceled', payload: { ...created.payload, rescheduled: false, cancellation: { reason: 'found another roofer' } } };
    expect(read(calendly, canceled)).toMatchObject({ signals: [{ kind: 'booking.canceled', more: { cancel_reason: 'found another roofer' } }] });
  });

  test('links that cancel or move a meeting are not kept', () => {
    expect(JSON.stringify(read(calendly, bodyOf('calendly')))).not.toMatch(/cancellations|reschedulings/);
  });

  test.each([
    ['BOOKING_RESCHEDULED', 'booking.moved'],
    ['BOOKING_CANCELLED', 'booking.canceled'],
    ['BOOKING_REQUESTED', 'booking.made'],
  ])('Cal.com: %s is %s', (triggerEvent, kind) => {
    expect(read(calcom, { ...bodyOf('calcom'), triggerEvent })).toMatchObject({ signals: [{ kind, eventId: `${triggerEvent}:hV7n2kQmZpXr4tWyB8cDfG` }] });
  });

  test('Cal.com: a ping is a test, and a meeting that ended is no booking', () => {
    expect(read(calcom, { triggerEvent: 'PING', payload: {} })).toEqual({ kind: 'ignored', because: 'test delivery of the provider' });
    expect(read(calcom, { triggerEvent: 'MEETING_ENDED' })).toEqual({ kind: 'ignored', because: 'no booking' });
  });
});

describe('calls', () => {
  test.each([
    ['an answered call', callrail, 'callrail', { answered: true }, 'call was not missed'],
    ['an outbound call', callrail, 'callrail', { direction: 'outbound' }, 'outbound call'],
  ])('CallRail: %s is nobody’s wish', (_name, provider, name, change, because) => {
    expect(read(provider, { ...bodyOf(name), ...change })).toEqual({ kind: 'ignored', because });
  });

  test('CallRail: the link to a voicemail is kept', () => {
    expect(read(callrail, bodyOf('callrail'))).toMatchObject({ signals: [{ more: { 'callrail.recording': expect.stringContaining('/recording.json') } }] });
  });

  test('CallRail: a text message with STOP shuts the number', () => {
    const text = { resource_id: 'SMT0001', content: 'STOP', source_number: '+12065550143', direction: 'inbound' };
    expect(read(callrail, text)).toMatchObject({ signals: [{ notALead: 'opt-out' }], announcements: [{ kind: 'contact.opted-out', address: '+12065550143' }] });
  });

  test('Aircall: an anonymous caller stays unknown, an answered call is ignored, a voicemail is one', () => {
    const { data, ...event } = bodyOf('aircall');
    expect(read(aircall, { ...event, data: { ...data, raw_digits: 'anonymous' } })).toMatchObject({ signals: [{ contact: {}, more: {} }] });
    expect(read(aircall, { ...event, data: { ...data, missed_call_reason: null } })).toEqual({ kind: 'ignored', because: 'call was not missed' });
    expect(read(aircall, { ...event, event: 'call.voicemail_left', data: { ...data, voicemail: 'https://rec.example/1' } })).toMatchObject({
      signals: [{ kind: 'voicemail.left', eventId: 'call.voicemail_left:2210044871', more: { 'call.voicemail': 'https://rec.example/1' } }],
    });
  });

  test('WH-10: Dialpad’s long ids keep their digits', () => {
    const secret = 'test-only-dialpad-webhook-secret-0001';
    const token = tokenOf({ event_timestamp: 1, direction: 'inbound', state: 'missed', call_id: '9007199254740993' }, secret).split('.');
    const raw = Buffer.from('{"direction":"inbound","state":"missed","call_id":9007199254740993,"event_timestamp":1796051037100}').toString('base64url');
    expect(read(dialpad, `${token[0]}.${raw}.x`)).toMatchObject({ signals: [{ eventId: '9007199254740993:missed:1796051037100' }] });
  });

  test.each([
    [{ alg: 'none' }, ''],
    [{ alg: 'HS512' }, 'x'],
    [{ alg: 'RS256' }, 'x'],
    [{}, 'x'],
  ])('a token with %o is refused before any key is tried', (header, signature) => {
    const text = [header, { a: 1 }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    expect(claimsOf(`${text}.${signature}`, ['secret'])).toBeUndefined();
    const signed = createHmac('sha256', 'secret').update(text).digest('base64url');
    expect(claimsOf(`${text}.${signed}`, ['secret'])).toBeUndefined();
  });

  test('Quo: a completed call that nobody answered was missed, an outgoing message is not ours to take', () => {
    const call = (fields: object) => ({ id: 'EV1', type: 'call.completed', data: { object: { id: 'AC1', direction: 'incoming', from: '+12065550143', ...fields } } });
    expect(read(quo, call({ answeredAt: null, answeredBy: null }))).toMatchObject({ signals: [{ kind: 'call.missed', contact: { phone: '+12065550143' } }] });
    expect(read(quo, call({ answeredAt: '2026-11-30T15:03:00Z' }))).toMatchObject({ kind: 'ignored' });
    expect(read(quo, { ...bodyOf('quo', 1), data: { object: { direction: 'outgoing' } } })).toEqual({ kind: 'ignored', because: 'not incoming' });
  });
});

describe('Vonage', () => {
  const take = async (headers: Record<string, string>, body: unknown) => {
    const deps = {
      sources: new Map([['vonage', sourceOf(vonage, { country: 'US' })]]),
      secrets: { active: async () => ['a secret'] },
      bus: memoryEventBus(),
      time: { now: () => NOW },
      raws: memoryRawShelf(),
      fetchText: async () => undefined,
    };
    return answerTo(await receiveWebhook(deps, { method: 'POST', path: '/in/vonage', url: '', headers: { 'content-type': 'application/json', ...headers }, body: bytes(body) }))
      .status;
  };

  test('a delivery without any token is 503, since the retry comes signed; with a wrong one it is 401', async () => {
    expect(await take({}, { message_uuid: 'x' })).toBe(503);
    expect(await take({ authorization: 'Bearer a.b.c' }, { message_uuid: 'x' })).toBe(401);
    expect(await take({}, { messageId: 'x', sig: 'nope' })).toBe(401);
  });

  test('WH-04: a token that says nothing about the body is refused', async () => {
    expect(await take({ authorization: `Bearer ${tokenOf({ iat: Date.parse(NOW) / 1000 }, 'a secret')}` }, { message_uuid: 'x' })).toBe(401);
  });

  test('an SMS signature covers every parameter, and only HMAC with SHA-2 is taken', () => {
    const vector = vectorOf('vonage', 1);
    const source = sourceOf(vonage, { country: 'US' });
    const { delivery, now } = deliveryOf(vector);
    expect(source.verify(delivery, [vector.secret], now)).toBe(true);
    const body = JSON.parse(vector.rawBody);
    for (const change of [{ extra: '1' }, { text: 'other' }, { sig: 'F6845FAE730A3459F10973D7CEE02144' }, { timestamp: undefined }])
      expect(source.verify({ ...delivery, body: bytes({ ...body, ...change }) }, [vector.secret], now)).toBe(false);
    expect(source.verify(delivery, [vector.secret], '2026-11-30T15:10:05.000Z')).toBe(false);
  });

  test('MS-09: a receipt with error 9 shuts the number after the send call had said yes', () => {
    expect(read(vonage, { messageId: 'm1', status: 'failed', 'err-code': '9', msisdn: '12065550143' })).toMatchObject({
      signals: [],
      announcements: [
        { kind: 'message.reported', state: 'failed', detail: '9' },
        { kind: 'contact.opted-out', address: '+12065550143', because: 'refused-by-carrier' },
      ],
    });
  });
});

describe('HubSpot', () => {
  test('two events about one contact are one signal, also in two deliveries', () => {
    const [first, second] = bodyOf('hubspot');
    const of = (events: unknown[]) => {
      const reading = read(hubspot, events);
      return reading.kind === 'signals' ? reading.signals.map(({ occurredAt: _, ...stated }) => stated) : [];
    };
    expect(of([first, second])).toHaveLength(1);
    expect(of([first])).toEqual(of([second]));
    expect(of([{ ...first, attemptNumber: 3 }])).toEqual(of([first]));
  });

  test('another object type and another subscription are no contact', () => {
    const [event] = bodyOf('hubspot');
    expect(
      read(hubspot, [
        { ...event, objectTypeId: '0-3' },
        { ...event, subscriptionType: 'contact.deletion' },
      ]),
    ).toEqual({ kind: 'ignored', because: 'no new contact among the events' });
  });

  test('WH-05: some escapes of the URL are decoded before it is signed, others are not', () => {
    expect(hubspotUrl('https://x/in/hubspot?a=%40%3a%2F&b=%20%25%26')).toBe('https://x/in/hubspot?a=@:/&b=%20%25%26');
    const delivery = { url: 'https://x/in/hubspot?who=a%40b', headers: {}, body: bytes('{}') };
    const signature = createHmac('sha256', 'k')
      .update(`POSThttps://x/in/hubspot?who=a@b{}${Date.parse(NOW)}`)
      .digest('base64');
    const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': String(Date.parse(NOW)) };
    expect(hubspotV3.verify({ ...delivery, headers }, ['k'], NOW)).toBe(true);
    expect(hubspotV3.verify({ ...delivery, url: 'https://x/in/hubspot?who=a%40c', headers }, ['k'], NOW)).toBe(false);
  });
});

describe('Intercom', () => {
  test('the words lose their markup and keep what they say', () => {
    expect(plainText('<p>Roof &amp; gutter</p><p>2 &lt; 3<br>ok</p><script>x</script>')).toBe('Roof & gutter\n2 < 3\nok\nx');
    expect(plainText('<'.repeat(100_000))).toHaveLength(100_000);
  });

  test('a reply is a reply, and a ping is nothing', () => {
    const event = bodyOf('intercom');
    expect(read(intercom, { ...event, topic: 'conversation.user.replied' })).toMatchObject({
      signals: [{ kind: 'customer.replied' }],
      announcements: [{ kind: 'customer.replied', thread: '215470011223344' }],
    });
    expect(read(intercom, { ...event, topic: 'ping' }).kind).toBe('ignored');
  });
});

describe('Slack', () => {
  const vector = recorded.vectors.find(({ id }) => id === 'slack-block-actions');
  if (vector === undefined) throw new Error('no vector of Slack');
  const source = sourceOf(slackActions, { country: 'US' });
  const secrets = [`T0EXAMPLE1=${vector.secret}`];
  const delivery = { url: vector.url, headers: vector.headers as unknown as Record<string, string>, body: bytes(vector.rawBody) };

  test('the recorded click verifies over the bytes of the form, and is announced: who, where, which button', () => {
    expect(source.verify(delivery, secrets, NOW)).toBe(true);
    expect(source.read(delivery, NOW)).toEqual({
      kind: 'signals',
      signals: [],
      announcements: [
        {
          kind: 'slack.answered',
          eventId: 'T0EXAMPLE1:C0EXAMPLE1:1796051015.000200:lead_accept:1796051044.123456',
          occurredAt: '2026-11-30T15:04:04.123Z',
          team: 'T0EXAMPLE1',
          user: 'U0EXAMPLE1',
          channel: 'C0EXAMPLE1',
          messageTs: '1796051015.000200',
          action: 'lead_accept',
          value: 'lead_01JDZ8M3QK',
          chosen: {},
        },
      ],
    });
    expect(source.answer([])).toMatchObject({ status: 200, body: '' });
  });

  test('the example that Slack publishes has the signature that Slack publishes', () => {
    const published =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const { headers } = slackActions.verification.sign(
      { url: '', headers: {}, body: bytes(published) },
      'T1DC2JH3J=8f742231b10e8888abcd99yyyzzz85a5',
      new Date(1_531_420_618_000).toISOString(),
    );
    expect(headers).toMatchObject({ 'x-slack-request-timestamp': '1531420618', 'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503' });
  });

  test('a workspace that is not listed is refused, although the app’s secret signs for it too', () => {
    for (const list of [[`T0OTHER001=${vector.secret}`], [vector.secret], [`=${vector.secret}`], []]) expect(source.verify(delivery, list, NOW)).toBe(false);
  });

  test.each(vector.negatives as { name: string; headers?: Record<string, string>; rawBody?: string; clock?: { nowUnix: number } }[])(
    '$name: refused',
    ({ headers, rawBody, clock }) => {
      const changed = { ...delivery, headers: { ...delivery.headers, ...headers }, body: bytes(rawBody ?? vector.rawBody) };
      expect(source.verify(changed, secrets, clock === undefined ? NOW : new Date(clock.nowUnix * 1000).toISOString())).toBe(false);
    },
  );

  test('what was picked on the message comes along', () => {
    const payload = JSON.parse(new URLSearchParams(vector.rawBody).get('payload') ?? '');
    payload.state = {
      values: { b1: { next_action: { type: 'static_select', selected_option: { value: 'call' } }, due: { type: 'datetimepicker', selected_date_time: 1796061045 } } },
    };
    const reading = source.read({ ...delivery, body: bytes(new URLSearchParams({ payload: JSON.stringify(payload) }).toString()) }, NOW);
    expect(reading).toMatchObject({ announcements: [{ chosen: { next_action: 'call', due: '1796061045' } }] });
  });
});
