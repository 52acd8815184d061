// Requests by which providers check an address, and secrets that stand in addresses.

import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerTo } from '../../functions/receive-webhook/answer.ts';
import { countDeliveries } from '../../functions/receive-webhook/count-deliveries.ts';
import { type Arrival, receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import { described } from '../../shared/lambda/logger.ts';
import type { SignalSource } from '../../shared/ports/signal-source.ts';
import { allSources } from '../../shared/sources/registry.ts';
import { NOW } from '../support/builders.ts';
import { memoryEventBus, memoryRawShelf, memoryTime } from '../support/memory-outside.ts';
import { deliveryOf, fixtureOf, instant } from '../support/provider-fixtures.ts';

const TOKEN = 'a-verify-token-of-forty-four-letters-0123456';
const SECRETS: Record<string, readonly string[]> = {
  'meta-leads': ['app-secret', `verify=${TOKEN}`],
  whatsapp: ['app-secret', `verify=${TOKEN}`],
  linkedin: ['client-secret', 'older'],
  jotform: ['k_3f9c2d'],
};

function intake(sources: ReadonlyMap<string, SignalSource> = allSources({ country: 'US' })) {
  const bus = memoryEventBus();
  const deps = {
    sources,
    secrets: { active: async (name: string) => SECRETS[name] ?? [] },
    bus,
    time: { now: () => instant(1796051045) },
    raws: memoryRawShelf(),
    fetchText: async () => undefined,
  };
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
    const arrival: Arrival = { method, path: path.split('?')[0] ?? '', url: `https://baton.example${path}`, headers, body: new TextEncoder().encode(body) };
    const received = await receiveWebhook(deps, arrival);
    return { received, answer: answerTo(received) };
  };
  return { ask, bus };
}

describe('GET by Meta and WhatsApp', () => {
  const query = (token: string, challenge = '1158201444', mode = 'subscribe') =>
    `?hub.mode=${mode}&hub.challenge=${encodeURIComponent(challenge)}&hub.verify_token=${encodeURIComponent(token)}`;

  test.each(['meta-leads', 'whatsapp'])('%s hears its challenge as plain text', async (name) => {
    const { answer } = await intake().ask('GET', `/in/${name}${query(TOKEN)}`);
    expect(answer).toEqual({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '1158201444' });
  });

  test.each([
    ['a wrong token', query('wrong'), 403],
    ['a blank token', query(''), 403],
    ['the app secret as token', query('app-secret'), 403],
    ['the token with its prefix', query(`verify=${TOKEN}`), 403],
    ['markup as challenge', query(TOKEN, '<script>alert(1)</script>'), 403],
    ['no challenge', query(TOKEN, ''), 403],
    ['another mode', query(TOKEN, '1', 'unsubscribe'), 405],
    ['no query', '', 405],
  ])('%s is not', async (_name, asked, status) => {
    const { answer } = await intake().ask('GET', `/in/meta-leads${asked}`);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('<script');
  });

  test('the verify token signs no delivery', async () => {
    const body = '{"object":"page","entry":[]}';
    const sign = (secret: string) => ({ 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` });
    const { ask } = intake();
    expect((await ask('POST', '/in/meta-leads', sign('app-secret'), body)).answer.status).toBe(200);
    expect((await ask('POST', '/in/meta-leads', sign(`verify=${TOKEN}`), body)).answer.status).toBe(401);
    expect((await ask('POST', '/in/meta-leads', sign(TOKEN), body)).answer.status).toBe(401);
  });
});

describe('GET by LinkedIn', () => {
  test('the challenge is answered with its HMAC under the newest client secret', async () => {
    const { answer } = await intake().ask('GET', '/in/linkedin?challengeCode=890e4665-4dfe-4ab1-b689-ed553bceeed0&applicationId=7');
    const challengeResponse = createHmac('sha256', 'client-secret').update('890e4665-4dfe-4ab1-b689-ed553bceeed0').digest('hex');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ challengeCode: '890e4665-4dfe-4ab1-b689-ed553bceeed0', challengeResponse });
  });

  test.each(['', '?challengeCode=', '?challengeCode=%3Cb%3E'])('%s is not a challenge', async (query) => {
    expect((await intake().ask('GET', `/in/linkedin${query}`)).answer.status).toBe(405);
  });
});

describe('OPTIONS by senders of CloudEvents', () => {
  test('the origin that asks may send', async () => {
    const { answer } = await intake().ask('OPTIONS', '/in/cloudevents', { 'webhook-request-origin': 'sender.example.org', 'webhook-request-rate': '120' });
    expect(answer).toMatchObject({ status: 200, headers: { allow: 'POST', 'webhook-allowed-origin': 'sender.example.org', 'webhook-allowed-rate': '120' } });
  });

  test.each([{}, { 'webhook-request-origin': 'a\r\nset-cookie: b' }, { 'webhook-request-origin': '' }])('%j asks nothing', async (headers) => {
    const { answer } = await intake().ask('OPTIONS', '/in/cloudevents', headers as Record<string, string>);
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });
});

describe('secrets in addresses', () => {
  const [vector] = fixtureOf('jotform')?.vectors ?? [];
  const send = (path: string) => intake().ask('POST', path, vector?.headers, vector?.rawBody);

  test('PI-02: the token is in no outcome, no answer, no event and no fault that a log could quote', async () => {
    const { ask, bus } = intake();
    const { received, answer } = await ask('POST', '/in/jotform/k_3f9c2d', vector?.headers, vector?.rawBody);
    expect(answer.status).toBe(200);
    expect(JSON.stringify([received, answer, bus.published])).not.toContain('k_3f9c2d');
    expect(JSON.stringify(described(new Error('cannot reach https://baton.example/in/jotform/k_3f9c2d?x=1')))).not.toContain('k_3f9c2d');
  });

  test.each(['/in/jotform', '/in/jotform/', '/in/jotform/wrong', '/in/jotform/k_3f9c2d/more', '/in/jotform/k_3f9c2', '/in/jotform/K_3F9C2D'])(
    '%s is refused with 401',
    async (path) => {
      expect((await send(path)).answer.status).toBe(401);
    },
  );

  test('a source without a secret in its address takes no second segment', async () => {
    expect((await intake().ask('POST', '/in/meta-leads/x', { 'content-type': 'application/json' }, '{}')).received).toMatchObject({ kind: 'unknown-source' });
  });
});

describe('what a provider needs instead', () => {
  const odd = (status: number): SignalSource => ({
    contentTypes: ['application/json'],
    verify: () => false,
    read: () => ({ kind: 'unreadable' }),
    answer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    refuseWith: () => status,
  });

  test.each([
    [503, 503],
    [404, 401],
    [410, 401],
  ])('WH-17: a wish for %i is answered with %i', async (wish, status) => {
    const { ask } = intake(new Map([['meta-leads', odd(wish)]]));
    expect((await ask('POST', '/in/meta-leads', { 'content-type': 'application/json' }, '{}')).answer.status).toBe(status);
  });
});

describe('a trial', () => {
  const { delivery, now } = deliveryOf(fixtureOf('whatsapp')?.vectors[0] as never);
  const arrive = async (trial?: string) => {
    const bus = memoryEventBus();
    const deps = {
      sources: allSources({ country: 'US' }),
      secrets: { active: async () => [fixtureOf('whatsapp')?.vectors[0]?.secret ?? ''] },
      bus,
      time: { now: () => now },
      raws: memoryRawShelf(),
      fetchText: async () => undefined,
    };
    await receiveWebhook(deps, { ...delivery, headers: { ...delivery.headers, ...(trial !== undefined && { 'baton-trial': trial }) }, method: 'POST', path: '/in/whatsapp' });
    return bus.published.map(({ detail }) => (detail as { signal: { eventId: string; test?: boolean } }).signal);
  };

  test('is recorded as a test under an id of its own', async () => {
    const [plain] = await arrive();
    const [trial] = await arrive('0123456789abcdef');
    expect(plain?.test).toBeUndefined();
    expect(trial).toMatchObject({ test: true, eventId: `trial-0123456789abcdef-${plain?.eventId}` });
  });

  test('a header that is not ours changes nothing', async () => {
    for (const header of ['', 'true', 'A'.repeat(20), 'x'.repeat(50)]) expect(await arrive(header)).toEqual(await arrive());
  });
});

describe('counting what was turned away', () => {
  test('the first is told at once, a flood once a minute, and nothing is lost while the bus is away', async () => {
    const time = memoryTime(NOW);
    const told: unknown[] = [];
    let down = false;
    const bus = {
      publish: async (events: readonly { detail: unknown }[]) => {
        if (down) throw new Error('away');
        told.push(...events.map(({ detail }) => detail));
      },
    };
    const count = countDeliveries(bus, time);
    for (let n = 0; n < 100; n += 1) await count('tally', 'bad-signature');
    await count('tally', 'unreadable');
    expect(told).toMatchObject([
      { source: 'tally', outcome: 'bad-signature', count: 1 },
      { source: 'tally', outcome: 'unreadable', count: 1 },
    ]);
    time.forward(60);
    down = true;
    await count('tally', 'bad-signature');
    down = false;
    time.forward(60);
    await count('tally', 'bad-signature');
    expect(told.at(-1)).toMatchObject({ count: 101 });
  });
});
