// What forms send in their own ways, and what must not be guessed from it.

import { describe, expect, test } from 'vitest';
import { ContractError } from '../../shared/contracts/contract-error.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { plainName } from '../../shared/sources/field-name.ts';
import { providerNamed } from '../../shared/sources/registry.ts';

const NOW = '2026-11-30T15:04:05.000Z';

function read(name: string, body: unknown, { type = 'application/json', url = `https://x.example/in/${name}`, at = NOW, headers = {} as Record<string, string> } = {}) {
  const provider = providerNamed(name);
  if (provider === undefined) throw new Error(name);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return provider.read({ url, headers: { 'content-type': type, ...headers }, body: new TextEncoder().encode(text) }, at, { country: 'US' });
}

function signal(...args: Parameters<typeof read>): Signal {
  const reading = read(...args);
  if (reading.kind !== 'signals' || reading.signals.length !== 1 || reading.signals[0] === undefined) throw new Error(JSON.stringify(reading));
  return reading.signals[0];
}

describe('names of fields', () => {
  test.each([
    ['Full Name', 'full_name'],
    ['your-email', 'email'],
    ['q3_fullName', 'full_name'],
    ['Teléfono', 'telefono'],
    ['E-mail', 'e_mail'],
    ['How can we help?', 'how_can_we_help'],
    ['phone_number', 'phone_number'],
    ['', ''],
    ['???', ''],
  ])('%j is read as %j', (label, name) => {
    expect(plainName(label)).toBe(name);
  });
});

describe('Gravity Forms', () => {
  const entry = { id: '1', form_id: '2', source_url: 'https://A.example/', date_created: '2026-11-30 15:03:58' };

  test('two addresses among numbered answers: nobody guesses which is whose', () => {
    expect(signal('gravity-forms', { ...entry, '2': 'a@example.com', '3': 'b@example.com' })).toMatchObject({ contact: {}, more: { 2: 'a@example.com', 3: 'b@example.com' } });
  });

  test('an Address field is no name, although it numbers its parts alike', () => {
    const address = { '5.1': '1 Main St', '5.3': 'Portland', '5.4': 'OR', '5.5': '97201', '5.6': 'United States' };
    expect(signal('gravity-forms', { ...entry, ...address, '9': 'x' })).toMatchObject({ contact: {}, more: { '5.3': 'Portland', '5.6': 'United States' } });
  });

  test('two Name fields name nobody', () => {
    expect(signal('gravity-forms', { ...entry, '1.3': 'Dana', '1.6': 'W', '4.3': 'Lee', '4.6': 'K' }).contact).toEqual({});
  });

  test('a consent box is kept with its words, never read as consent to a channel', () => {
    expect(signal('gravity-forms', { ...entry, '6.1': '1', '6.2': 'I agree to receive texts.' })).toMatchObject({ consent: {}, more: { '6.1': '1' } });
  });

  test('the same entry number on two sites is two events', () => {
    const ids = ['https://a.example/x', 'https://b.example/x'].map((source_url) => signal('gravity-forms', { ...entry, source_url, '1': 'x' }).eventId);
    expect(ids).toEqual(['a.example:2:1', 'b.example:2:1']);
  });

  test('the address says which number is which, and cannot rename anything else', () => {
    const url = 'https://x.example/in/gravity-forms?email=7&message=8&eventId=9&__proto__=9';
    expect(signal('gravity-forms', { ...entry, '7': 'a@example.com', '8': 'Leak', '9': 'b@example.com' }, { url })).toMatchObject({
      contact: { email: 'a@example.com' },
      request: { words: 'Leak' },
      more: { 9: 'b@example.com' },
    });
  });
});

describe('Contact Form 7', () => {
  const form = { 'your-name': 'Dana', 'your-message': 'Call me' };

  test('the same text twice on a day is one request, on the next day another', () => {
    const ids = ['2026-11-30T08:00:00.000Z', '2026-11-30T22:00:00.000Z', '2026-12-01T08:00:00.000Z'].map((at) => signal('contact-form-7', form, { at }).eventId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  test('a hidden request_id names the submission, and is digested when it could be an address', () => {
    expect(signal('contact-form-7', { ...form, request_id: 'r-17' }).eventId).toBe('r-17');
    expect(signal('contact-form-7', { ...form, request_id: 'dana@example.com' }).eventId).toMatch(/^sha256-[0-9a-f]{64}$/);
  });
});

describe('WPForms', () => {
  test('the form format cannot be verified, so it is not among the content types', () => {
    expect(providerNamed('wpforms')?.contentTypes).toEqual(['application/json']);
  });

  test('without mapped ids the content names the submission', () => {
    expect(signal('wpforms', { name: 'Dana' }).eventId).toMatch(/^sha256-[0-9a-f]{64}-2026-11-30$/);
  });
});

describe('Tally', () => {
  const event = (fields: unknown[]) => ({ eventId: 'e1', eventType: 'FORM_RESPONSE', data: { fields } });

  test('two questions of the type for addresses are read by their labels', () => {
    const fields = [
      { label: 'Your email', type: 'INPUT_EMAIL', value: 'a@example.com' },
      { label: 'Email of your landlord', type: 'INPUT_EMAIL', value: 'b@example.com' },
    ];
    expect(signal('tally', event(fields))).toMatchObject({ contact: { email: 'a@example.com' }, more: { 'Email of your landlord': 'b@example.com' } });
  });

  test('a hidden field called email is not the person speaking', () => {
    expect(signal('tally', event([{ label: 'email', type: 'HIDDEN_FIELDS', value: 'a@example.com' }]))).toMatchObject({ contact: {}, notALead: 'empty submission' });
  });

  test('another event is ignored with the reason', () => {
    expect(read('tally', { eventType: 'FORM_UPDATED' })).toEqual({ kind: 'ignored', because: 'not a form response' });
  });
});

describe('Jotform', () => {
  const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const form = (request: string, more = '') => `${part('formID', '1')}${part('submissionID', '6412345678901234567')}${part('rawRequest', request)}${more}--b--\r\n`;
  const type = 'multipart/form-data; boundary=b';

  test.each([
    ['no boundary', form('{}'), 'multipart/form-data'],
    ['no end', form('{}').slice(0, -8), type],
    ['answers that are no JSON', form('{"a":'), type],
    ['a thousand parts', form('{}', part('x', 'y').repeat(1000)), type],
  ])('%s is unreadable', (_name, body, contentType) => {
    expect(read('jotform', body, { type: contentType })).toEqual({ kind: 'unreadable' });
  });

  test('without a submission id it is refused: an edited copy could not be told from a new one', () => {
    expect(() => read('jotform', `${part('rawRequest', '{"q1_name":"x"}')}--b--\r\n`, { type })).toThrow(ContractError);
  });

  test('files are left out, and a boundary inside an answer stays text', () => {
    const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n';
    expect(signal('jotform', form('{"q1_name":"--b Dana"}', file), { type })).toMatchObject({ eventId: '1:6412345678901234567', contact: { name: '--b Dana' } });
  });
});

describe('automations', () => {
  test('a nested name that is clear goes by itself, one that is not by its path', () => {
    const record = { request_id: 'r1', a: { email: 'a@example.com', label: 'x' }, b: { label: 'y' } };
    expect(signal('make', record)).toMatchObject({ contact: { email: 'a@example.com' }, more: { 'a.label': 'x', 'b.label': 'y' } });
  });

  test('several records in one delivery are refused: which one has the id?', () => {
    expect(() => read('zapier', [{ a: 1 }, { a: 2 }])).toThrow(ContractError);
  });

  test('a replayed Zap has the same id; a test is marked', () => {
    expect(signal('zapier', { request_id: 'r1', name: 'Dana' }).eventId).toBe('r1');
    expect(signal('zapier', 'request_id=r2&name=Dana&test=true', { type: 'application/x-www-form-urlencoded' }).test).toBe(true);
    expect(signal('zapier', { request_id: 'r1', name: 'Dana', test: 'false' }).test).toBeUndefined();
  });
});

describe('CloudEvents', () => {
  const event = { specversion: '1.0', id: '1', source: '/s', type: 't', data: { message: 'x' } };
  const structured = 'application/cloudevents+json';

  test.each([{ specversion: '0.3' }, { id: '' }, { source: null }])('%j is no event', (change) => {
    expect(() => read('cloudevents', { ...event, ...change }, { type: structured })).toThrow(ContractError);
  });

  test('a batch with one bad event is refused whole: never a part of it', () => {
    expect(() => read('cloudevents', [event, { ...event, id: undefined }], { type: 'application/cloudevents-batch+json' })).toThrow(ContractError);
    expect(read('cloudevents', [], { type: 'application/cloudevents-batch+json' })).toEqual({ kind: 'ignored', because: 'empty batch' });
  });

  test('an attribute that is not percent-encoded stays as it came', () => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/s', 'ce-type': 't', 'ce-subject': '100%' };
    expect(signal('cloudevents', { message: 'x' }, { headers }).more).toMatchObject({ 'form.subject': '100%' });
  });
});

describe('WhatsApp and LinkedIn', () => {
  const message = (text: string) => ({
    object: 'whatsapp_business_account',
    entry: [{ changes: [{ field: 'messages', value: { messages: [{ from: '15035550142', id: 'wamid.1', timestamp: '1796051040', type: 'text', text: { body: text } }] } }] }],
  });

  test('MS-08: STOP is recorded as an opt-out and stops messages to that number', () => {
    const reading = read('whatsapp', message('STOP'));
    expect(reading).toMatchObject({
      signals: [{ notALead: 'opt-out', contact: { phone: '+15035550142' } }],
      announcements: [{ kind: 'contact.opted-out', address: '+15035550142' }],
    });
  });

  test('a delivery status is no request', () => {
    const status = { entry: [{ changes: [{ field: 'messages', value: { statuses: [{ id: 'wamid.1', status: 'failed' }] } }] }] };
    expect(read('whatsapp', status)).toEqual({ kind: 'ignored', because: 'no message among the changes' });
  });

  test('PI-07: the id of a message holds a phone number, so it is digested', () => {
    expect(signal('whatsapp', message('Hello')).eventId).toMatch(/^sha256-[0-9a-f]{64}$/);
  });

  test('a deleted lead is an erasure request, never a lead', () => {
    expect(signal('linkedin', { type: 'LEAD_ACTION', leadGenFormResponse: 'urn:li:x:1', leadAction: 'DELETED', occurredAt: 1796051038000 })).toMatchObject({
      notALead: 'erasure request of the provider',
    });
  });
});

describe('markup and formulas', () => {
  test('WH-14 WH-15: stay text as sent; whoever shows them escapes', () => {
    expect(signal('contact-form-7', { 'your-name': '<a href=//e>x</a>', 'your-message': '=HYPERLINK("x")' })).toMatchObject({
      contact: { name: '<a href=//e>x</a>' },
      request: { words: '=HYPERLINK("x")' },
    });
  });
});
