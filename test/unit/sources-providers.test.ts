// Every provider of the registry, held against what was recorded of it and each way to spoil that.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { PROVIDERS } from '../../shared/sources/registry.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';

const all = PROVIDERS.map((provider) => ({ name: provider.name, provider, source: sourceOf(provider, { country: 'US' }), fixture: fixtureOf(provider.name) }));
const vectors = all.flatMap(({ name, provider, source, fixture }) => (fixture?.vectors ?? []).map((vector) => ({ name, provider, source, vector, id: vector.id })));

describe('the registry', () => {
  test.each(all)('$name has recorded deliveries, or says why not', ({ fixture }) => {
    expect(fixture).toBeDefined();
    expect((fixture?.vectors.length ?? 0) > 0 || (fixture?.without ?? '') !== '').toBe(true);
  });

  test.each(all)('$name is an address, and says where it goes and what its secret is', ({ provider }) => {
    expect(provider.name).toMatch(/^[a-z][a-z0-9-]{1,39}$/);
    expect(provider.setup.join(' ')).toContain('<url>');
    if (provider.secret.from === 'baton') expect(provider.setup.join(' ')).toMatch(/<secret>|<url>/);
    expect([404, 410]).not.toContain(provider.answer([]).status);
  });

  /** What the proof of a provider cannot show here, and where it is shown instead. */
  const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
    sendgrid: 'test/unit/sources-mail-events.test.ts',
    sns: 'test/unit/sources-mail-events.test.ts',
    slack: 'test/unit/sources-conversations.test.ts',
  };

  const bare = all.filter(({ name }) => SHOWN_ELSEWHERE[name] !== undefined);
  test.each(bare)('D-1: $name says where its proof is shown, and it is shown there', ({ name, fixture }) => {
    const elsewhere = SHOWN_ELSEWHERE[name] ?? '';
    expect([fixture?.vectors, fixture?.without]).toEqual([[], expect.stringContaining(elsewhere)]);
    expect(readFileSync(new URL(`../../${elsewhere}`, import.meta.url), 'utf8')).toMatch(/: refused|toBe\(false\)/);
  });

  const samples = all.flatMap(({ name, provider, fixture }) =>
    (fixture?.vectors ?? []).slice(0, 1).map((sample) => ({ name, provider, sample, recorded: fixture?.vectors ?? [] })),
  );
  test('D-1: every other provider has a sample', () => {
    expect([...samples, ...bare].map(({ name }) => name).sort()).toEqual(PROVIDERS.map(({ name }) => name).sort());
  });

  test.each(samples)('D-1: the sample of $name is taken, states a request, and each part of its proof refuses what it should', ({ name, provider, sample, recorded }) => {
    const { delivery, now } = deliveryOf(sample);
    const verifies = (changed: Partial<typeof delivery>, at = now) => provider.verification.verify({ ...delivery, ...changed }, [sample.secret], at);
    expect(verifies({})).toBe(true);
    expect(sample.reads).toEqual([expect.anything(), ...(Array.isArray(sample.reads) ? sample.reads.slice(1) : [])]);
    const refusing = recorded.flatMap(({ negatives }) => negatives.filter(({ expect: wanted }) => wanted !== 'accept'));
    expect(refusing.length > 0 || PLAIN_TOKEN.has(name)).toBe(true);
    const spoiled = [
      ...(IN_BODY_OR_PATH.has(name) ? [] : [verifies({ headers: { 'content-type': delivery.headers['content-type'] ?? '' } })]),
      ...(IN_BODY_OR_PATH.has(name) || PLAIN_TOKEN.has(name) ? [] : [verifies({ body: new Uint8Array([...delivery.body, 0x20]) })]),
      ...(TIMED.has(name) ? [-2, 2].map((days) => verifies({}, new Date(Date.parse(now) + days * 86_400_000).toISOString())) : []),
    ];
    expect(spoiled.every((accepted) => !accepted)).toBe(true);
  });

  /** A token beside the body or in the address proves who sent it, and nothing about the bytes (WH-04). */
  const PLAIN_TOKEN: ReadonlySet<string> = new Set(['zapier', 'make', 'gravity-forms', 'contact-form-7', 'cloudevents', 'postmark']);
  const IN_BODY_OR_PATH: ReadonlySet<string> = new Set(['jotform', 'formspree', 'google-ads', 'aircall', 'mailgun', 'dialpad']);
  /** Whose scheme has a time (WH-06). */
  const TIMED: ReadonlySet<string> = new Set(['website', 'wpforms', 'webflow', 'hubspot', 'calendly', 'vonage', 'dialpad', 'quo', 'zendesk', 'mailgun']);

  test('no name stands twice', () => {
    expect(new Set(PROVIDERS.map(({ name }) => name)).size).toBe(PROVIDERS.length);
  });
});

describe('proof', () => {
  test.each(vectors)('WH-01: $id verifies over its raw bytes, also with the second active secret', ({ source, vector }) => {
    const { delivery, now } = deliveryOf(vector);
    expect(source.verify(delivery, [vector.secret], now)).toBe(true);
    expect(source.verify(delivery, ['cmVwbGFjZW1lbnQga2V5IG9mIHRvbW9ycm93', vector.secret], now)).toBe(true);
  });

  test.each(vectors)('$id does not verify with another secret, a blank one, or none', ({ source, vector }) => {
    const { delivery, now } = deliveryOf(vector);
    for (const secrets of [['dGhpcyBpcyBub3QgdGhlIHNlY3JldA=='], [''], []]) expect(source.verify(delivery, secrets, now)).toBe(false);
  });

  const negatives = vectors.flatMap((one) => one.vector.negatives.map((negative) => ({ ...one, title: `${one.id}: ${negative.name}`, negative })));
  test.each(negatives)('$title', ({ source, vector, negative }) => {
    const { delivery, now } = deliveryOf(vector, negative);
    expect(source.verify(delivery, [vector.secret], now)).toBe(negative.expect === 'accept');
  });

  test.each(vectors)('LK-10: $id without any header, or with headers that came twice or are odd, is answered, not a crash', ({ source, vector }) => {
    const { delivery, now } = deliveryOf(vector);
    const changes = [() => '', (text: string) => text.slice(0, -1), (text: string) => `${text},${text}`, () => 'é'.repeat(10_000), (text: string) => `${text}=`, () => '\u0000'];
    for (const change of changes) {
      const headers = Object.fromEntries(Object.entries(delivery.headers).map(([key, value]) => [key, change(value)]));
      expect([true, false]).toContain(source.verify({ ...delivery, headers }, [vector.secret], now));
    }
  });

  const signed = vectors.filter(({ vector }, index) => vectors.findIndex((other) => other.name === vectors[index]?.name) === index && vector.secret !== '');
  test.each(signed)('$id, signed anew by `baton source test`, verifies at that time', ({ provider, source, vector }) => {
    const { delivery } = deliveryOf(vector);
    const now = '2027-02-03T04:05:06.789Z';
    const bare = { ...delivery, url: `https://intake.example.com/in/${provider.name}` };
    expect(source.verify(provider.verification.sign(bare, vector.secret, now), [vector.secret], now)).toBe(true);
  });
});

describe('what a delivery states', () => {
  test.each(vectors)('D-01: $id is read the same each time, and meets the contract of the bus', ({ source, vector }) => {
    const { delivery, now } = deliveryOf(vector);
    const reading = source.read(delivery, now);
    expect(source.read(delivery, now)).toEqual(reading);
    if (!Array.isArray(vector.reads)) {
      expect(reading).toMatchObject({ kind: 'ignored', because: vector.reads.ignored });
      return;
    }
    expect(vector.reads).not.toEqual([]);
    expect(reading).toMatchObject({ kind: 'signals', signals: vector.reads });
    if (reading.kind !== 'signals') return;
    for (const signal of reading.signals) expect(() => parse(SignalEvent, JSON.parse(JSON.stringify({ schemaVersion: '1', signal })), 'it')).not.toThrow();
  });

  test.each(vectors)('PI-02: nothing that $id states repeats its secret', ({ source, vector }) => {
    const { delivery, now } = deliveryOf(vector);
    expect(JSON.stringify(source.read(delivery, now))).not.toContain(vector.secret);
  });
});
