// Every provider of the registry, against whatever a stranger may send: never a crash, never a 5xx, and what is taken in meets the
// contract of the bus. Deliveries are made by spoiling recorded ones, so that they get past the first look.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTo } from '../../functions/receive-webhook/answer.ts';
import { type Arrival, receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { PROVIDERS } from '../../shared/sources/registry.ts';
import { memoryEventBus, memoryRawShelf } from '../support/memory-outside.ts';
import { deliveryOf, fixtureOf, instant } from '../support/provider-fixtures.ts';

const NOW = instant(1796051045);
const cases = PROVIDERS.map((provider) => ({ name: provider.name, provider, vectors: fixtureOf(provider.name)?.vectors ?? [] }));

/** The intake with the proof taken as given, so that every body reaches the reader; `proof` leaves it in. */
async function arrive(name: string, arrival: Omit<Arrival, 'path' | 'method'>, proof: 'given' | 'asked' = 'given') {
  const provider = PROVIDERS.find((one) => one.name === name);
  if (provider === undefined) throw new Error(name);
  const { prepare: _, ...source } = sourceOf(provider, { country: 'US' });
  const bus = memoryEventBus();
  const sources = new Map([[name, proof === 'given' ? { ...source, verify: () => true } : source]]);
  const deps = { sources, secrets: { active: async () => ['no-such-secret-0123456789'] }, bus, time: { now: () => NOW }, raws: memoryRawShelf(), fetchText: async () => undefined };
  const received = await receiveWebhook(deps, { ...arrival, method: 'POST', path: `/in/${name}` });
  return { received, status: answerTo(received).status, published: bus.published };
}

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', '__proto__', 'constructor', '=1+1', '<a href=//e>x</a>', '+15035550142', '911', 'ada@example.com', 'STOP', 'yes'],
    ...['2026-11-30T10:00:00Z', '1796051045', '9'.repeat(400), 'a||b', '\r\nBcc: x@example.com', '--', '%zz'],
  ),
);
const odd = fc.oneof(
  nasty,
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(nasty, { maxLength: 3 }),
  fc.dictionary(nasty, nasty, { maxKeys: 3, noNullPrototype: true }),
);

/** The value with some of its parts replaced, removed or renamed. */
function spoiled(value: unknown, choose: () => number, other: () => unknown): unknown {
  const dice = choose() % 12;
  if (dice === 0) return other();
  if (Array.isArray(value)) return value.flatMap((one) => (choose() % 12 === 0 ? [] : [spoiled(one, choose, other)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (choose() % 15 === 0 ? [] : [[key, spoiled(one, choose, other)]])));
}

async function mustHold(name: string, arrival: Omit<Arrival, 'path' | 'method'>): Promise<void> {
  const { received, status, published } = await arrive(name, arrival);
  expect(received.kind).not.toBe('not-stored');
  expect([404, 410]).not.toContain(status);
  expect(status === 503 ? 'asked for by the source' : status).toSatisfy((answer) => answer === 'asked for by the source' || Number(answer) < 500);
  for (const { detail, detailType } of published) {
    const overTheWire: unknown = JSON.parse(JSON.stringify(detail));
    if (detailType !== 'signal.received') continue;
    const { signal } = parse(SignalEvent, overTheWire, 'the published signal');
    expect(signal.source).toBe(name);
    expect(signal.occurredAt <= signal.receivedAt).toBe(true);
  }
}

const mediaTypes = (name: string): readonly string[] => PROVIDERS.find((one) => one.name === name)?.contentTypes ?? [];

describe('intake of every provider', () => {
  test.each(cases)('$name survives any bytes under any of its content types', async ({ name, vectors }) => {
    const headers = vectors[0]?.headers ?? {};
    const body = fc.oneof(fc.uint8Array({ maxLength: 300 }), nasty.map(bytesOf), fc.json().map(bytesOf), fc.constant(new Uint8Array()));
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...mediaTypes(name)), async (bytes, type) =>
        mustHold(name, { url: `https://x.example/in/${name}`, headers: { ...headers, 'content-type': type }, body: bytes }),
      ),
      { numRuns: 100 },
    );
  });

  test.each(cases.filter(({ vectors }) => vectors.length > 0))('$name survives its own deliveries, spoiled in any part', async ({ name, vectors }) => {
    const spoil = fc.tuple(fc.constantFrom(...vectors), fc.array(fc.nat(), { minLength: 200, maxLength: 200 }), fc.array(odd, { minLength: 8, maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(spoil, async ([vector, numbers, others]) => {
        const { delivery } = deliveryOf(vector);
        await mustHold(name, { ...delivery, body: bytesOf(spoiledText(vector.rawBody, numbers, others)) });
      }),
      { numRuns: 150 },
    );
  });

  test.each(cases)('$name accepts nothing that was not proved', async ({ name, vectors }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...Object.keys(vectors[0]?.headers ?? {}), 'authorization', 'x-webhook-token'), nasty),
        nasty.map(bytesOf),
        async (headers, body) => {
          const { published } = await arrive(name, { url: `https://x.example/in/${name}`, headers: { ...headers, 'content-type': mediaTypes(name)[0] ?? '' }, body }, 'asked');
          expect(published).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** JSON is spoiled by its parts, a form by its fields, anything else by cutting it. */
function spoiledText(text: string, numbers: readonly number[], others: readonly unknown[]): string {
  let at = 0;
  const choose = () => numbers[at++ % numbers.length] ?? 0;
  const other = () => others[choose() % others.length];
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.stringify(spoiled(JSON.parse(text), choose, other)) ?? '';
    } catch {
      return text.slice(0, choose() % (text.length + 1));
    }
  }
  if (/^[\w.%+-]+=/.test(text))
    return new URLSearchParams([...new URLSearchParams(text)].map(([key, value]): [string, string] => [key, choose() % 5 === 0 ? writtenOut(other()) : value])).toString();
  const cut = choose() % (text.length + 1);
  return choose() % 2 === 0 ? text.slice(0, cut) : `${text.slice(0, cut)}${writtenOut(other())}${text.slice(cut)}`;
}

/** Any value as text; `String` refuses an object whose own `toString` is no function. */
const writtenOut = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
