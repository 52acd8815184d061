import { describe, expect, test } from 'vitest';
import { answerTo } from '../../functions/receive-webhook/answer.ts';
import { type Arrival, receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import { readRequest } from '../../shared/lambda/http-request.ts';
import type { BusEvent } from '../../shared/ports/event-bus.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { twilio } from '../../shared/sources/twilio.ts';
import { typeform } from '../../shared/sources/typeform.ts';
import { rawHmac } from '../../shared/sources/verify/raw-hmac.ts';
import { signStandardWebhook } from '../../shared/sources/verify/standard-webhooks.ts';
import { website } from '../../shared/sources/website.ts';
import { memoryRawShelf } from '../support/memory-outside.ts';
import twilioEvent from './fixtures/apigateway-v2-twilio-sms.json' with { type: 'json' };
import recorded from './fixtures/webhook-vectors.json' with { type: 'json' };

const NOW = '2026-11-30T15:04:05.000Z';
const SECRETS: Record<string, readonly string[]> = {
  website: ['whsec_dGVzdC1vbmx5LXF1by1rZXktMDEyMzQ1Njc4OWFiY2RlZg=='],
  typeform: ['test-only-typeform-secret-0001'],
  twilio: ['0000test0only0twilio0auth0token0'],
};
const country = 'US';
const sources = new Map([
  ['website', sourceOf(website, { country })],
  ['typeform', sourceOf(typeform, { country })],
  ['twilio', sourceOf(twilio, { country })],
]);

function intake({ down = false, full = false, secrets = SECRETS }: { down?: boolean; full?: boolean; secrets?: Record<string, readonly string[]> } = {}) {
  const { kept, ...shelf } = memoryRawShelf();
  const raws = full ? { keep: () => Promise.reject(new Error('S3 answered 503')) } : shelf;
  const published: BusEvent[] = [];
  const bus = {
    publish: async (events: readonly BusEvent[]) => {
      if (down) throw Object.assign(new Error('1 events were not published'), { name: 'EventsNotPublished' });
      published.push(...events);
    },
  };
  const deps = { sources, secrets: { active: async (source: string) => secrets[source] ?? [] }, bus, raws, time: { now: () => NOW }, fetchText: async () => undefined };
  const arrive = async (arrival: Arrival) => {
    const received = await receiveWebhook(deps, arrival);
    return { received, answer: answerTo(received) };
  };
  return { published, arrive, kept };
}

const bytes = (text: string | Uint8Array) => (typeof text === 'string' ? new TextEncoder().encode(text) : text);

function lead(
  body: string | Uint8Array,
  { headers = {}, method = 'POST', path = '/in/website' }: { headers?: Record<string, string>; method?: string; path?: string } = {},
): Arrival {
  const timestamp = String(Date.parse(NOW) / 1000);
  const signature = signStandardWebhook(SECRETS['website']?.[0] ?? '', { id: 'msg_1', timestamp, body: bytes(body) });
  const signed = { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { method, path, url: `https://baton.example${path}`, headers: { ...signed, ...headers }, body: bytes(body) };
}

const LEAD = JSON.stringify({ request_id: 'web-1', name: 'Ada Marchetti', email: 'ada@example.com', message: 'The roof leaks.' });

describe('what is taken in', () => {
  test('WH-17: a lead is on the bus before the sender hears 202 with its id', async () => {
    const { arrive, published } = intake();
    const { answer } = await arrive(lead(LEAD));
    expect(answer).toEqual({ status: 202, headers: { 'content-type': 'application/json' }, body: '{"received":["web-1"]}' });
    expect(published).toMatchObject([{ source: 'baton.intake', detailType: 'signal.received', at: NOW }]);
    expect(parse(SignalEvent, published[0]?.detail, 'it').signal).toMatchObject({ source: 'website', eventId: 'web-1' });
  });

  test.each([
    ['typeform-form_response', 'typeform', 200, 'application/json'],
    ['standard_webhooks-lead_created', 'website', 202, 'application/json'],
  ])('the recorded %s is taken in by /in/%s', async (id, source, status, type) => {
    const { arrive, published } = intake();
    const vector = recorded.vectors.find((one) => one.id === id);
    const { answer } = await arrive({ method: 'POST', path: `/in/${source}`, url: '', headers: vector?.headers as Record<string, string>, body: bytes(vector?.rawBody ?? '') });
    expect(answer).toMatchObject({ status, headers: { 'content-type': type } });
    expect(published).toHaveLength(1);
  });

  test('WH-02: a form that API Gateway hands over as base64 verifies under the configured address', async () => {
    const { arrive, published } = intake();
    const request = readRequest(twilioEvent as never);
    const { answer } = await arrive({
      method: request.method,
      path: '/in/twilio',
      url: `https://intake.example.com${request.rawPath}`,
      headers: request.headers,
      body: request.rawBody,
    });
    expect(answer).toEqual({ status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' });
    expect(published).toHaveLength(1);
  });

  test('what is no request is answered 2xx and opens nothing', async () => {
    const { arrive, published } = intake();
    const body = bytes('{"event_type":"form_response_partial"}');
    const headers = { 'content-type': 'application/json', 'typeform-signature': `sha256=${rawHmac(SECRETS['typeform']?.[0] ?? '', body)}` };
    expect(await arrive({ method: 'POST', path: '/in/typeform', url: '', headers, body })).toMatchObject({ answer: { status: 200 }, received: { kind: 'ignored' } });
    expect(published).toEqual([]);
  });
});

describe('what is refused', () => {
  const json = { 'content-type': 'application/json' };
  const cases: [string, Arrival, number, Record<string, string>][] = [
    ['GET', lead(LEAD, { method: 'GET' }), 405, { allow: 'POST' }],
    ['HEAD', lead(LEAD, { method: 'HEAD' }), 405, { allow: 'POST' }],
    ['no source', lead(LEAD, { path: '/in' }), 400, {}],
    ['no source behind a slash', lead(LEAD, { path: '/in/' }), 400, {}],
    ['an unknown source', lead(LEAD, { path: '/in/nobody' }), 401, {}],
    ['a source below a source', lead(LEAD, { path: '/in/website/extra' }), 401, {}],
    ['a name from a prototype', lead(LEAD, { path: '/in/constructor' }), 401, {}],
    ['no signature', { ...lead(LEAD), headers: json }, 401, {}],
    ['a wrong signature', lead(LEAD, { headers: { 'webhook-signature': `v1,${'A'.repeat(43)}=` } }), 401, {}],
    ['plain text', lead(LEAD, { headers: { 'content-type': 'text/plain' } }), 415, {}],
    ['no content type', { ...lead(LEAD), headers: {} }, 415, {}],
    ['a form, where JSON is expected', lead(LEAD, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }), 415, {}],
    ['a compressed body', lead(LEAD, { headers: { 'content-encoding': 'gzip' } }), 415, {}],
    ['bytes that are not UTF-8', lead(new Uint8Array([0x7b, 0xff, 0xfe])), 400, {}],
    ['broken JSON', lead('{"a":'), 400, {}],
    ['ten thousand levels', lead('['.repeat(10_000)), 400, {}],
    ['a body that states no lead', lead('[]'), 422, {}],
    ['a lead too large for the bus', lead(JSON.stringify({ message: 'x'.repeat(201_000) })), 413, {}],
  ];

  test.each(cases)('LA-15: %s', async (_name, arrival, status, headers) => {
    const { arrive, published } = intake();
    const { answer } = await arrive(arrival);
    expect(answer).toMatchObject({ status, headers });
    expect(answer.body).not.toMatch(/signature of|secret|website|zod|Ada|at .*\.ts/);
    expect([404, 410]).not.toContain(answer.status);
    expect(published).toEqual([]);
  });

  test('nobody learns from the answer which sources exist', async () => {
    const { arrive } = intake();
    const unknown = await arrive(lead(LEAD, { path: '/in/nobody' }));
    const forged = await arrive(lead(LEAD, { headers: { 'webhook-signature': 'v1,AAAA' } }));
    expect(unknown.answer).toEqual(forged.answer);
  });

  test('D: whoever sets a form up reads what is wrong, whichever of six mistakes it is, and no secret', async () => {
    const { arrive } = intake();
    const at = (seconds: number) => {
      const timestamp = String(Date.parse(NOW) / 1000 + seconds);
      const signature = signStandardWebhook(SECRETS['website']?.[0] ?? '', { id: 'msg_1', timestamp, body: bytes(LEAD) });
      return lead(LEAD, { headers: { 'webhook-timestamp': timestamp, 'webhook-signature': signature } });
    };
    const told = async (arrival: Arrival) => {
      const { received, answer } = await arrive(arrival);
      expect(answer.body).not.toContain(SECRETS['website']?.[0]);
      return [received.kind, answer.status, answer.body];
    };
    expect(await told(lead(LEAD, { headers: { 'webhook-signature': 'v1,AAAA' } }))).toEqual([
      'bad-signature',
      401,
      expect.stringContaining('not signed with the key of that source'),
    ]);
    expect(await told(lead(LEAD, { headers: { 'content-type': 'text/plain' } }))).toEqual([
      'wrong-content-type',
      415,
      expect.stringContaining('Send application/json, uncompressed.'),
    ]);
    expect(await told({ ...lead(LEAD), body: bytes('') })).toEqual(['empty-body', 401, expect.stringContaining('The body is empty')]);
    expect(await told(lead(LEAD, { path: '/in' }))).toEqual(['unnamed-source', 400, expect.stringContaining('send to /in/<source>')]);
    expect(await told(lead(LEAD, { path: '/in/webiste' }))).toEqual(['unknown-source', 401, expect.stringContaining('the address names no source')]);
    for (const seconds of [-3600, 3600]) expect(await told(at(seconds))).toEqual(['wrong-time', 401, expect.stringContaining('compare the clock of the sender')]);
    expect((await arrive(at(60))).answer.status).toBe(202);
  });

  test('WH-06: a wrong time is told only of what the right key signed, and never taken in', async () => {
    const { arrive, published } = intake();
    const old = { 'webhook-timestamp': String(Date.parse(NOW) / 1000 - 3600) };
    for (const headers of [
      old,
      { ...old, 'webhook-signature': 'v1,AAAA' },
      { 'webhook-timestamp': 'now' },
      { 'webhook-timestamp': '9'.repeat(13) },
      { 'x-timestamp': NOW, 'webhook-signature': 't=1' },
    ])
      expect((await arrive(lead(LEAD, { headers: headers as Record<string, string> }))).received.kind).toBe('bad-signature');
    expect(published).toEqual([]);
  });

  test('a body without a lead names the fields that were looked for, and nothing that could be more than a name', () => {
    const body = (paths: string[]) => answerTo({ kind: 'not-a-lead', source: 'website', paths }).body;
    expect(body(['email', 'contact.phone'])).toBe('The body states no lead. Look at email, contact.phone.');
    expect(body(['<b>x</b>', 'a b', 'x'.repeat(99), '\r\nset-cookie: a'])).toBe('The body states no lead.');
    expect(body(Array.from({ length: 50 }, (_, index) => `f${index}`))).toBe('The body states no lead. Look at f0, f1, f2, f3, f4.');
  });

  test('LA-15: a charset beside the content type is fine', async () => {
    const { arrive } = intake();
    expect((await arrive(lead(LEAD, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }))).answer.status).toBe(202);
  });

  test('LA-12: 257 KB is refused before anything is read', () => {
    const event = { ...twilioEvent, isBase64Encoded: false, body: 'x'.repeat(257 * 1024) };
    expect(() => readRequest(event as never)).toThrow(expect.objectContaining({ status: 413 }));
  });
});

describe('what cannot be kept', () => {
  test('WH-17: a bus that is down is told as 503 with the time to come back; a later try succeeds', async () => {
    const { arrive } = intake({ down: true });
    const { answer, received } = await arrive(lead(LEAD));
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(received.kind).toBe('not-stored');
    expect((await intake().arrive(lead(LEAD))).answer.status).toBe(202);
  });

  test('a source without a secret is told as 503: nothing is accepted unsigned', async () => {
    const { arrive, published } = intake({ secrets: {} });
    expect((await arrive(lead(LEAD))).answer).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    expect(published).toEqual([]);
  });
});

describe('what is kept as it came', () => {
  const rawRefs = (published: readonly BusEvent[]) => published.map(({ detail }) => parse(SignalEvent, detail, 'it').signal.rawRef);

  test('WH-01: the exact bytes are kept before the bus hears of them, and the signal names them', async () => {
    const { arrive, published, kept } = intake();
    const spaced = ` {"request_id":"web-1",  "message":"caf\\u00e9 – 屋根" }\r\n`;
    await arrive(lead(spaced));
    const [rawRef = ''] = rawRefs(published);
    expect(rawRef).toMatch(/^raw\/website\/[0-9a-f]{64}$/);
    expect(kept.get(rawRef)).toEqual({ source: 'website', contentType: 'application/json', headers: expect.anything(), body: bytes(spaced) });
  });

  test('WH-17: what cannot be kept is answered 503, and the bus hears nothing', async () => {
    const { arrive, published } = intake({ full: true });
    const { answer, received } = await arrive(lead(LEAD));
    expect(received.kind).toBe('not-stored');
    expect(answer.status).toBe(503);
    expect(published).toEqual([]);
  });

  test('WH-06: the same delivery again has the same reference; after a bus that was down, nothing is kept twice', async () => {
    const { arrive, published, kept } = intake();
    await arrive(lead(LEAD));
    await arrive(lead(LEAD));
    expect(new Set(rawRefs(published)).size).toBe(1);
    expect(kept.size).toBe(1);
  });

  test.each([
    ['a bad signature', lead(LEAD, { headers: { 'webhook-signature': 'v1,AAAA' } })],
    ['an unknown source', lead(LEAD, { path: '/in/nobody' })],
    ['a body that states no lead', lead('[]')],
    ['a lead too large for the bus', lead(JSON.stringify({ message: 'x'.repeat(201_000) }))],
  ])('PI-04: nothing is kept of %s', async (_name, arrival) => {
    const { arrive, kept } = intake();
    await arrive(arrival);
    expect(kept.size).toBe(0);
  });
});
