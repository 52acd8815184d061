import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ContractError } from '../../shared/contracts/contract-error.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { statedPhone } from '../../shared/sources/stated-phone.ts';
import { signStandardWebhook, standardWebhooksKey } from '../../shared/sources/verify/standard-webhooks.ts';
import { website } from '../../shared/sources/website.ts';

const NOW = '2026-11-30T15:04:05.000Z';
const source = sourceOf(website, { country: 'US' });
const bytes = (body: unknown) => new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
const read = (body: unknown, country = 'US') => sourceOf(website, { country }).read({ url: '', headers: { 'webhook-id': 'msg_1' }, body: bytes(body) }, NOW);

function signalIn(body: unknown, country = 'US'): Signal {
  const reading = read(body, country);
  if (reading.kind !== 'signals' || reading.signals[0] === undefined) throw new Error(`read as ${reading.kind}`);
  return reading.signals[0];
}

describe('the published lead', () => {
  test('P-01: every published field becomes its fact', () => {
    const signal = signalIn({
      request_id: 'web-1',
      name: 'Ada Marchetti',
      email: ' Ada.Marchetti@Example.COM ',
      phone: '(503) 555-0142',
      message: '  Water over the kitchen.\n',
      category: 'roof-inspection',
      product: 'slate',
      timing: 'this week',
      postal_code: '97201',
      city: 'Portland',
      region: 'OR',
      country: 'US',
      language: 'en',
      prefers: 'sms',
      submitted_at: '2026-11-30T07:03:58-08:00',
      consent: { sms: 'yes', email: false },
    });
    expect(signal).toEqual({
      source: 'website',
      eventId: 'web-1',
      kind: 'form.submitted',
      occurredAt: '2026-11-30T15:03:58.000Z',
      receivedAt: NOW,
      contact: { name: 'Ada Marchetti', email: 'Ada.Marchetti@example.com', phone: '+15035550142', language: 'en', prefers: 'sms' },
      request: { words: '  Water over the kitchen.\n', category: 'roof-inspection', product: 'slate', timing: 'this week' },
      location: { postalCode: '97201', city: 'Portland', region: 'OR', country: 'US' },
      consent: { sms: 'granted', email: 'denied' },
      more: {},
    });
  });

  test('ID-03: a number without a country code is dialled where the field says, else where Baton is told to be, and nowhere by guess', () => {
    expect(statedPhone('020 7946 0018', 'GB')?.number).toBe('+442079460018');
    expect(statedPhone('030 23125 0', 'Germany', 'DE')?.number).toBe('+4930231250');
    expect(statedPhone('(503) 555-0142', 'US', 'GB')?.number).toBe('+15035550142');
    for (const country of ['UK', 'gb', 'toString', '']) expect(statedPhone('020 7946 0018', country)).toBeUndefined();
    expect(statedPhone('+44 20 7946 0018', 'UK')?.number).toBe('+442079460018');
  });

  test('L-06: what is not stated is absent, also when it is sent as blank or null', () => {
    const signal = signalIn({ message: 'Hello', name: '', email: null, phone: '  ' });
    expect(signal).toMatchObject({ contact: {}, request: { words: 'Hello' }, location: {}, consent: {}, more: {}, eventId: 'msg_1', occurredAt: NOW });
  });

  test('a Standard Webhooks envelope is opened; its own time counts', () => {
    const signal = signalIn({ type: 'lead.created', timestamp: '2026-11-30T15:03:58.214Z', data: { id: 'ld_1', name: 'Dana' } });
    expect(signal).toMatchObject({ contact: { name: 'Dana' }, occurredAt: '2026-11-30T15:03:58.214Z', more: { id: 'ld_1', type: 'lead.created' } });
  });

  test('first and last name become the name; beside a whole name they are kept as sent', () => {
    expect(signalIn({ first_name: ' Ada ', last_name: 'Marchetti' })).toMatchObject({ contact: { name: 'Ada Marchetti' }, more: {} });
    expect(signalIn({ name: 'A. M.', first_name: 'Ada' })).toMatchObject({ contact: { name: 'A. M.' }, more: { first_name: 'Ada' } });
  });

  test('a very long name is capped for display and kept whole', () => {
    const signal = signalIn({ name: 'é'.repeat(5000) });
    expect([...(signal.contact.name ?? '')]).toHaveLength(200);
    expect(signal.more['name']).toBe('é'.repeat(5000));
  });

  test('an unknown field is kept as sent, with all digits of long numbers', () => {
    expect(signalIn('{"message":"x","lead_id":123456789012345678901,"amount":1.50,"flag":true,"deep":{"a":[1]}}').more).toEqual({
      lead_id: '123456789012345678901',
      amount: '1.50',
      flag: 'true',
      deep: '{"a":[1]}',
    });
  });

  test('a second field for the same fact is kept, not chosen between', () => {
    expect(signalIn({ phone: '503 555 0142', mobile: '503 555 0177' })).toMatchObject({ contact: { phone: '+15035550142' }, more: { mobile: '503 555 0177' } });
  });

  test('a trial is marked as one; only true is true (WH-13)', () => {
    expect(signalIn({ message: 'x', test: true }).test).toBe(true);
    expect(signalIn({ message: 'x', test: 'false' })).toMatchObject({ more: { test: 'false' } });
    expect(signalIn({ message: 'x', test: 'false' }).test).toBeUndefined();
  });

  test('PI-07: an id that could be an address, or is very long, is replaced by its digest, the same each time', () => {
    const id = signalIn({ message: 'x', request_id: 'ada@example.com' }).eventId;
    expect(id).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(signalIn({ message: 'y', request_id: 'ada@example.com' }).eventId).toBe(id);
    expect(signalIn({ message: 'x', request_id: 'r'.repeat(201) }).eventId).toMatch(/^sha256-/);
    expect(signalIn({ message: 'x', request_id: 42 }).eventId).toBe('42');
  });

  test('a consent that names no channel is not spread over all of them', () => {
    expect(signalIn({ message: 'x', consent: 'yes' })).toMatchObject({ consent: {}, more: { consent: 'yes' } });
    expect(signalIn({ message: 'x', consent: { sms: 'maybe' } })).toMatchObject({ consent: {}, more: { 'consent.sms': 'maybe' } });
  });
});

test.each(['__proto__', 'constructor', 'toString'])('%s is no channel, language or consent, and stays as typed', (word) => {
  const fields = { prefers: word, language: word, 'consent.sms': word };
  expect(signalIn({ message: 'x', ...fields })).toMatchObject({ contact: {}, consent: {}, more: fields });
});

describe('phones', () => {
  test.each(['911', '+1 (800) FLOWERS', '0000000000', '1234567890', '0412 345 678', 'call me', '<script>'])(
    'ID-02, ID-04: %s in the US is no number, and stays as typed',
    (phone) => {
      expect(signalIn({ message: 'x', phone })).toMatchObject({ contact: {}, more: { phone } });
    },
  );

  test('ID-02: the country of the source, or the one stated, decides how a national number is dialled', () => {
    expect(signalIn({ phone: '0412 345 678' }, 'AU').contact.phone).toBe('+61412345678');
    expect(signalIn({ phone: '0412 345 678', country: 'au' }).contact.phone).toBe('+61412345678');
  });

  test('an extension is not lost', () => {
    expect(signalIn({ phone: '(503) 555-0142 ext 7' })).toMatchObject({ contact: { phone: '+15035550142' }, more: { phone: '(503) 555-0142 ext 7' } });
  });
});

describe('emails', () => {
  test.each([
    'ada@',
    '@example.com',
    'ada example.com',
    'a@b@c.d',
    'ada@example',
    'ada@exa mple.com',
    'ada@-x.com',
    'ada\u212A@example.com',
    'a\r\nBcc: b@example.com',
    '"a b"@example.com',
  ])('ID-09: %j is no address, and stays as typed', (email) => {
    expect(signalIn({ message: 'x', email })).toMatchObject({ contact: {}, more: { email } });
  });

  test.each([
    ['INFO@X.COM', 'INFO@x.com'],
    ['j.doe+roof@googlemail.com', 'j.doe+roof@googlemail.com'],
    ['ada@bücher.example', 'ada@bücher.example'],
  ])('ID-07: %s is written to as %s', (typed, email) => {
    expect(signalIn({ email: typed }).contact.email).toBe(email);
  });
});

describe('times', () => {
  test.each(['yesterday', '2026-11-30', '2026-11-30T15:00:00', '2026-02-30T10:00:00Z', '2026-11-30T25:00:00Z', '2027-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1764515038'])(
    'WH-13: %s names no instant that can have been; the arrival counts and the text stays',
    (submitted) => {
      expect(signalIn({ message: 'x', submitted_at: submitted })).toMatchObject({ occurredAt: NOW, more: { submitted_at: submitted } });
    },
  );

  test('a sender whose clock is a little ahead has not acted in the future', () => {
    expect(signalIn({ message: 'x', submitted_at: '2026-11-30T15:06:00Z' })).toMatchObject({ occurredAt: NOW, more: {} });
  });
});

describe('bodies that are not leads', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  test.each([
    ['broken JSON', '{"a":'],
    ['text after the end', '{"a":1} x'],
    ['nothing', ''],
    ['the same key twice', '{"email":"a@example.com","email":"b@example.com"}'],
    ['a key that would change a prototype', '{"__proto__":{"admin":true},"name":"x"}'],
    ['more levels than a lead has', `{"a":${deep(20)}}`],
    ['ten thousand levels', deep(10_000)],
    ['more than 500 keys', `{${Array.from({ length: 501 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['a control character inside text', '{"a":"\u0000"}'],
    ['a number that is none', '{"a":01}'],
    ['a comma too many', '{"a":1,}'],
  ])('WH-10: %s is unreadable', (_name, body) => {
    expect(read(body)).toEqual({ kind: 'unreadable' });
  });

  test.each([['null'], ['"text"'], ['[]'], ['[{"message":"a"},{"message":"b"}]'], ['{}'], ['{"name":""}'], ['42']])('%s states no lead', (body) => {
    expect(() => read(body)).toThrow(ContractError);
  });

  test('twenty levels and 500 keys are still read, and no prototype moves', () => {
    expect(read(`{"a":${deep(19)}}`).kind).toBe('signals');
    expect(read(`{${Array.from({ length: 500 }, (_, n) => `"k${n}":1`).join(',')}}`).kind).toBe('signals');
    expect(signalIn('{"constructor":"x","toString":"y","hasOwnProperty":"z"}').more).toEqual({ constructor: 'x', toString: 'y', hasOwnProperty: 'z' });
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});

describe('Standard Webhooks', () => {
  const bare = 'Abcdefghij0123456789Abcdefghij0123456789Abcd';
  const body = bytes({ message: 'x' });
  const signed = (secret: string, timestamp: string, id = 'msg_1') => ({
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signStandardWebhook(secret, { id, timestamp, body }),
  });
  const at = String(Date.parse(NOW) / 1000);
  const verify = (headers: Record<string, string>, secrets = [bare]) => source.verify({ url: '', headers, body }, secrets, NOW);

  test('a bare generated secret and the same with whsec_ are one key', () => {
    expect(standardWebhooksKey(bare)).toEqual(standardWebhooksKey(`whsec_${bare}`));
    expect(verify(signed(`whsec_${bare}`, at))).toBe(true);
    const key = Buffer.from(bare, 'base64');
    const other = `v1,${createHmac('sha256', key).update(`msg_1.${at}.`).update(body).digest('base64')}`;
    expect(verify({ ...signed(bare, at), 'webhook-signature': other })).toBe(true);
  });

  test.each([
    [-301, false],
    [-299, true],
    [299, true],
    [301, false],
  ])('WH-06: a timestamp %i seconds away is accepted: %s', (seconds, accepted) => {
    expect(verify(signed(bare, String(Number(at) + seconds)))).toBe(accepted);
  });

  test.each([
    ['webhook-id', 'msg_1,msg_1'],
    ['webhook-timestamp', `${at},${at}`],
    ['webhook-timestamp', 'NaN'],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', ''],
    ['webhook-signature', ''],
  ])('LA-13: %s given as %s is refused', (header, value) => {
    expect(verify({ ...signed(bare, at), [header]: value })).toBe(false);
  });

  test('LA-13: a signature header that came twice is refused, although each is right', () => {
    const headers = signed(bare, at);
    expect(verify({ ...headers, 'webhook-signature': `${headers['webhook-signature']},${headers['webhook-signature']}` })).toBe(false);
  });

  test('a secret that is no key opens nothing', () => {
    expect(verify(signed(bare, at), ['', 'whsec_', 'not base64 !', 'AAAA'])).toBe(false);
  });

  test('WH-01: odd spacing verifies, a re-serialised copy does not', () => {
    const odd = bytes('{ "message" :\t"\\u00f1" }');
    const headers = { ...signed(bare, at), 'webhook-signature': signStandardWebhook(bare, { id: 'msg_1', timestamp: at, body: odd }) };
    expect(source.verify({ url: '', headers, body: odd }, [bare], NOW)).toBe(true);
    expect(source.verify({ url: '', headers, body: bytes('{"message":"ñ"}') }, [bare], NOW)).toBe(false);
  });
});
