// Whatever arrives: never a crash, never a 5xx, and what is taken in always meets the contract of the bus.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTo } from '../../functions/receive-webhook/answer.ts';
import { receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import type { SignalSource } from '../../shared/ports/signal-source.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { readJson } from '../../shared/sources/read-json.ts';
import { twilio } from '../../shared/sources/twilio.ts';
import { typeform } from '../../shared/sources/typeform.ts';
import { website } from '../../shared/sources/website.ts';
import { memoryEventBus, memoryRawShelf } from '../support/memory-outside.ts';

const NOW = '2026-11-30T15:04:05.000Z';
const country = 'US';
const SOURCES: Record<string, SignalSource> = { website: sourceOf(website, { country }), typeform: sourceOf(typeform, { country }), twilio: sourceOf(twilio, { country }) };

/** The intake with the signature taken as given, so that every generated body reaches the reader. */
async function arrive(name: string, contentType: string, body: Uint8Array, headers: Record<string, string> = {}) {
  const source = SOURCES[name];
  if (source === undefined) throw new Error(name);
  const bus = memoryEventBus();
  const deps = {
    sources: new Map([[name, { ...source, verify: () => true }]]),
    secrets: { active: async () => ['s'] },
    bus,
    time: { now: () => NOW },
    raws: memoryRawShelf(),
    fetchText: async () => undefined,
  };
  const received = await receiveWebhook(deps, { method: 'POST', path: `/in/${name}`, url: '', headers: { 'webhook-id': 'm1', ...headers, 'content-type': contentType }, body });
  return { status: answerTo(received).status, published: bus.published };
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const bytes = (text: string) => new TextEncoder().encode(text);

/** Texts that tend to break readers. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    '=1+1',
    '+15035550142',
    '911',
    'ada@example.com',
    'a@b',
    'STOP',
    '2026-11-30T10:00:00Z',
    'yes',
    'en-US',
    '9'.repeat(400),
    'é'.repeat(300),
  ),
  fc.emailAddress(),
);
const keys = fc.oneof(
  fc.constantFrom(
    ...['name', 'first_name', 'last_name', 'email', 'phone', 'message', 'category', 'product', 'timing', 'postal_code', 'city', 'region', 'country'],
    ...['language', 'prefers', 'submitted_at', 'consent', 'consent.sms', 'request_id', 'test', 'type', 'data', 'timestamp', 'constructor', 'toString'],
  ),
  nasty,
);
const value = fc.oneof(
  { weight: 4, arbitrary: nasty },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(keys, nasty),
);
const object = fc.dictionary(keys, value, { noNullPrototype: true });

async function mustHold(name: string, contentType: string, body: Uint8Array): Promise<void> {
  const { status, published } = await arrive(name, contentType, body);
  expect([200, 202, 400, 413, 415, 422]).toContain(status);
  for (const { detail } of published) {
    const overTheWire: unknown = JSON.parse(JSON.stringify(detail));
    const { signal } = parse(SignalEvent, overTheWire, 'the published signal');
    expect(signalDigest.handoffId(signal)).toMatch(/^h-[0-9a-f]{32}$/);
    expect(signal.occurredAt <= signal.receivedAt).toBe(true);
  }
}

describe('intake', () => {
  test.each([
    ['website', JSON_TYPE],
    ['typeform', JSON_TYPE],
    ['twilio', JSON_TYPE],
    ['twilio', FORM_TYPE],
  ])('%s survives any bytes as %s', async (name, type) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 400 }), nasty.map(bytes), fc.json().map(bytes)), (body) => mustHold(name, type, body)),
      { numRuns: 300 },
    );
  });

  test('website: any object becomes a signal that meets the contract, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(object, (lead) => mustHold('website', JSON_TYPE, bytes(JSON.stringify(lead)))),
      { numRuns: 500 },
    );
  });

  test('typeform: any answers become a signal that meets the contract, or are refused', async () => {
    const answer = fc.record(
      {
        type: fc.constantFrom('text', 'email', 'phone_number', 'choice', 'choices', 'boolean', 'constructor'),
        text: value,
        email: value,
        phone_number: value,
        choice: value,
        choices: value,
        field: fc.oneof(fc.record({ ref: keys, id: keys }), value),
      },
      { requiredKeys: ['type'] },
    );
    const response = fc.record(
      {
        token: fc.oneof(fc.constant('t1'), value),
        submitted_at: value,
        answers: fc.oneof(fc.array(answer, { maxLength: 8 }), value),
        hidden: fc.oneof(object, value),
        variables: value,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(response, (form_response) => mustHold('typeform', JSON_TYPE, bytes(JSON.stringify({ event_type: 'form_response', form_response })))),
      { numRuns: 500 },
    );
  });

  test('twilio: any form becomes a signal that meets the contract, or is refused', async () => {
    const name = fc.oneof(fc.constantFrom('From', 'To', 'Body', 'MessageSid', 'CallSid', 'DialCallStatus', 'SmsStatus', 'MessageStatus', 'OptOutType', 'RecordingSid'), nasty);
    const text = fc.oneof(fc.constantFrom('SM00000000000000000000000000000101', 'CA00000000000000000000000000000301', 'no-answer', 'received', 'anonymous'), nasty);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 12 }), (pairs) => mustHold('twilio', FORM_TYPE, bytes(new URLSearchParams(pairs).toString()))),
      { numRuns: 500 },
    );
  });

  test('signatures: any headers and secrets are answered true or false', () => {
    const headers = fc.dictionary(
      fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'typeform-signature', 'x-twilio-signature', 'x-twilio-webhooks-signature-settings', 'content-type'),
      nasty,
    );
    fc.assert(
      fc.property(headers, fc.array(nasty), nasty, fc.uint8Array(), (given, secrets, url, body) => {
        for (const source of Object.values(SOURCES)) expect(source.verify({ url, headers: given, body }, secrets, NOW)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('website: every stated text is found again, in a fact or as sent (L-06)', async () => {
    const stated = fc.dictionary(
      fc.constantFrom('name', 'email', 'phone', 'message', 'category', 'timing', 'city', 'language', 'anything'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((text) => text.trim() !== ''),
      { minKeys: 1, noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(stated, async (lead) => {
        const { published } = await arrive('website', JSON_TYPE, bytes(JSON.stringify(lead)));
        const [event] = published;
        expect(event).toBeDefined();
        const { signal } = parse(SignalEvent, event?.detail, 'the published signal');
        const found = new Set(
          [signal.contact, signal.request, signal.location, signal.more].flatMap((part) => Object.values(part).map((text) => String(text).trim().toLowerCase())),
        );
        const phones = [signal.contact.phone].filter((phone) => phone !== undefined);
        for (const [key, text] of Object.entries(lead)) expect(found.has(text.trim().toLowerCase()) || (key === 'phone' && phones.length === 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('reading JSON', () => {
  test('reads what JSON.parse reads, and writes numbers back as they came', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (any) => {
        const text = JSON.stringify(any);
        if (text.includes('"__proto__"') || text.split('":').length > 400) return;
        expect(JSON.parse(JSON.stringify(readJson(text)))).toEqual(JSON.parse(JSON.stringify(any, (_key, one) => (typeof one === 'string' ? one.toWellFormed() : one))));
      }),
    );
  });

  test('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json().map((text) => text.slice(1)),
          fc.json().map((text) => `${text},`),
        ),
        (text) => {
          const read = readJson(text);
          if (read !== undefined) expect(() => JSON.parse(text)).not.toThrow();
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('WH-10: 256 KB of anything is decided quickly, without a deep stack', () => {
    const full = 256 * 1024;
    for (const text of ['['.repeat(full), `"${'\\u00f1'.repeat(full / 6 - 1)}"`, `"${'a'.repeat(full)}`, ' '.repeat(full), `[${'1,'.repeat(full / 2)}1]`, '-'.repeat(full)])
      expect(() => readJson(text)).not.toThrow();
  });
});
