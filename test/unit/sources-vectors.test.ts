// Deliveries as providers sign them, and each way to spoil them.

import { describe, expect, test } from 'vitest';
import type { Delivery, SignalSource } from '../../shared/ports/signal-source.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { twilio } from '../../shared/sources/twilio.ts';
import { typeform } from '../../shared/sources/typeform.ts';
import { signedParameters, urlHmac } from '../../shared/sources/verify/url-hmac.ts';
import { website } from '../../shared/sources/website.ts';
import recorded from './fixtures/webhook-vectors.json' with { type: 'json' };

type Negative = { name: string; url?: string; headers?: Record<string, string | null>; rawBody?: string; clock?: { nowUnix: number }; expect?: string; manual?: boolean };
type Vector = { id: string; url: string; headers: Record<string, string>; rawBody: string; nowUnix: number; secret: string; idempotencyKey: string; negatives: Negative[] };

const vectors = recorded.vectors as unknown as Vector[];
const byId = (id: string): Vector => {
  const found = vectors.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no vector ${id}`);
  return found;
};
const signed = vectors.filter(({ id }) => /^(typeform|twilio|standard)/.test(id));

const sources: Record<string, SignalSource> = {
  typeform: sourceOf(typeform, { country: 'US' }),
  twilio: sourceOf(twilio, { country: 'US' }),
  standard: sourceOf(website, { country: 'US' }),
};
const sourceFor = ({ id }: Vector): SignalSource => sources[/^[a-z]+/.exec(id)?.[0] ?? ''] ?? sourceOf(website, { country: 'US' });

/** A shared key of Twilio is written with its id. */
const secretsOf = ({ id, secret }: Vector): string[] => (id === 'twilio-sms-sharedkey-sha256' ? [`webhooks_sharedkey_test0001=${secret}`] : [secret]);

const instant = (unix: number): string => new Date(unix * 1000).toISOString();
const delivery = ({ url, headers, rawBody }: Pick<Vector, 'url' | 'headers' | 'rawBody'>): Delivery => ({ url, headers, body: new TextEncoder().encode(rawBody) });

function spoiled(vector: Vector, { url, headers = {}, rawBody, clock }: Negative): { delivery: Delivery; now: string } {
  const changed = Object.entries({ ...vector.headers, ...headers }).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    delivery: delivery({ url: url ?? vector.url, headers: Object.fromEntries(changed), rawBody: rawBody ?? vector.rawBody }),
    now: instant(clock?.nowUnix ?? vector.nowUnix),
  };
}

describe('signatures of providers', () => {
  test('all recorded deliveries are here', () => {
    expect(signed.map(({ id }) => id)).toHaveLength(7);
  });

  test.each(signed)('WH-01: $id verifies over its raw bytes', (vector) => {
    expect(sourceFor(vector).verify(delivery(vector), secretsOf(vector), instant(vector.nowUnix))).toBe(true);
  });

  test.each(signed)('the second active secret verifies $id while the first is being replaced', (vector) => {
    expect(sourceFor(vector).verify(delivery(vector), ['cmVwbGFjZW1lbnQga2V5IG9mIHRvbW9ycm93', ...secretsOf(vector)], instant(vector.nowUnix))).toBe(true);
  });

  test.each(signed)('$id does not verify with another secret, a blank one, or none', (vector) => {
    for (const secrets of [['dGhpcyBpcyBub3QgdGhlIHNlY3JldA=='], [''], []]) expect(sourceFor(vector).verify(delivery(vector), secrets, instant(vector.nowUnix))).toBe(false);
  });

  const negatives = signed.flatMap((vector) =>
    vector.negatives.filter(({ manual }) => manual !== true).map((negative) => ({ name: `${vector.id}: ${negative.name}`, vector, negative })),
  );
  test.each(negatives)('$name', ({ vector, negative }) => {
    const { delivery: changed, now } = spoiled(vector, negative);
    expect(sourceFor(vector).verify(changed, secretsOf(vector), now)).toBe(negative.expect === 'accept');
  });

  test.each(signed)('LK-10: $id with a signature of a wrong length is refused, not a crash', (vector) => {
    const header = Object.keys(vector.headers).find((name) => /signature$/.test(name)) ?? '';
    const right = vector.headers[header] ?? '';
    for (const wrong of ['', right[0] ?? '', right.slice(0, -1), `${right}=`, 'é'.repeat(10_000), 'v1,é', `${right},${right}`]) {
      const changed = { ...vector, headers: { ...vector.headers, [header]: wrong } };
      expect(sourceFor(vector).verify(delivery(changed), secretsOf(vector), instant(vector.nowUnix))).toBe(false);
    }
  });
});

describe('Twilio', () => {
  const source = sourceOf(twilio, { country: 'US' });
  const now = '2026-11-30T15:04:05.000Z';

  test('a settings header without the shared key of that name fails closed, although the auth token is known', () => {
    const vector = byId('twilio-sms-sharedkey-sha256');
    expect(source.verify(delivery(vector), [vector.secret], now)).toBe(false);
    expect(source.verify(delivery(vector), [`webhooks_other=${vector.secret}`], now)).toBe(false);
  });

  test('WH-05: the URL is tried with and without a port, since Twilio may sign either', () => {
    const vector = byId('twilio-sms-inbound');
    for (const port of [':443', ':4747']) {
      const url = vector.url.replace('example.com/', `example.com${port}/`);
      expect(source.verify(delivery({ ...vector, url }), [vector.secret], now)).toBe(true);
    }
  });

  test.each(['?a=1+2&b=%20%27&a=0', "?q='x'", '?', '#rc=2'])('WH-05: the query is signed as it stands: %s', (query) => {
    const vector = byId('twilio-sms-inbound');
    const url = `${vector.url}${query}`;
    const signature = urlHmac('sha1', vector.secret, url, signedParameters(new URLSearchParams(vector.rawBody)));
    const headers = { ...vector.headers, 'x-twilio-signature': signature };
    expect(source.verify(delivery({ ...vector, url, headers }), [vector.secret], now)).toBe(true);
    expect(source.verify(delivery({ ...vector, headers }), [vector.secret], now)).toBe(false);
  });

  test('WH-04: a JSON body without its hash in the URL is refused', () => {
    const vector = byId('twilio-event-streams-json');
    const query = vector.url.slice(vector.url.indexOf('?'));
    for (const url of [vector.url.replace(query, ''), `${vector.url}&bodySHA256=${'0'.repeat(64)}`])
      expect(source.verify(delivery({ ...vector, url }), [vector.secret], now)).toBe(false);
  });
});

describe('idempotency keys', () => {
  const now = '2026-11-30T15:04:05.000Z';
  test.each(signed.filter(({ id }) => id !== 'twilio-sms-status'))('D-01: $id has a stable event id', (vector) => {
    const reading = sourceFor(vector).read(delivery(vector), now);
    const ids = reading.kind === 'signals' ? reading.signals.map(({ eventId }) => eventId) : [];
    expect(ids).toEqual([vector.idempotencyKey.replace(/^(typeform|twilio|standard-webhooks:<endpointId>):/, '')]);
  });

  test.each(['zapier-lead-json', 'zapier-lead-wrapped-array'])('D-01: %s is named by its request id', (id) => {
    const vector = byId(id);
    const reading = sourceOf(website, { country: 'US' }).read(delivery({ ...vector, headers: { 'webhook-id': 'other' } }), now);
    expect(reading).toMatchObject({
      kind: 'signals',
      signals: [{ eventId: 'zap-000000000042', contact: { name: 'Dana Whitfield', phone: '+12065550143' }, consent: { sms: 'granted' } }],
    });
  });

  test('a body that is not the published contract keeps everything it said', () => {
    const reading = sourceOf(website, { country: 'US' }).read(delivery({ ...byId('make-lead-json'), headers: { 'webhook-id': 'm1' } }), now);
    expect(reading).toMatchObject({
      kind: 'signals',
      signals: [{ eventId: 'm1', contact: {}, more: { source: 'make', bundle: expect.stringContaining('dana.whitfield@example.com') } }],
    });
  });
});
