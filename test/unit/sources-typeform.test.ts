import { describe, expect, test } from 'vitest';
import { ContractError } from '../../shared/contracts/contract-error.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { typeform } from '../../shared/sources/typeform.ts';
import recorded from './fixtures/webhook-vectors.json' with { type: 'json' };

const NOW = '2026-11-30T15:04:05.000Z';
const read = (body: unknown) =>
  sourceOf(typeform, { country: 'US' }).read({ url: '', headers: {}, body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)) }, NOW);

function signalIn(body: unknown): Signal {
  const reading = read(body);
  if (reading.kind !== 'signals' || reading.signals[0] === undefined) throw new Error(`read as ${reading.kind}`);
  return reading.signals[0];
}

const response = (answers: unknown, more: object = {}) => ({
  event_type: 'form_response',
  form_response: { form_id: 'f', token: 't1', submitted_at: '2026-11-30T15:03:58Z', answers, ...more },
});
const answer = (type: string, value: unknown, ref: string) => ({ type, [type]: value, field: { id: `id-${ref}`, ref } });

describe('Typeform', () => {
  test('P-01: the recorded response becomes its facts, by ref', () => {
    const vector = recorded.vectors.find(({ id }) => id === 'typeform-form_response');
    expect(signalIn(vector?.rawBody)).toEqual({
      source: 'typeform',
      eventId: 'k3v9m1x7q5c8z2b4n6j0k3v9m1x7q5c8',
      kind: 'form.submitted',
      occurredAt: '2026-11-30T15:03:58.000Z',
      receivedAt: NOW,
      contact: { name: 'Zoë Marchetti', email: 'zoe.marchetti@example.com', phone: '+12065550187' },
      request: { category: 'repair', words: 'Boiler is leaking — please call after 4 pm.' },
      location: {},
      consent: { sms: 'granted' },
      more: { form_id: 'hVqR82nT', 'hidden.utm_source': 'google', 'hidden.utm_campaign': 'winter-tuneup', 'hidden.gclid': 'EAIaIQob-example-gclid' },
    });
  });

  test('the only email and phone questions count, whatever their generated refs say', () => {
    const signal = signalIn(response([answer('email', 'ada@example.com', '9a0c6c1e-1'), answer('phone_number', '+15035550142', '9a0c6c1e-2')]));
    expect(signal.contact).toEqual({ email: 'ada@example.com', phone: '+15035550142' });
  });

  test('L-06: between two addresses without a telling ref nobody chooses', () => {
    const signal = signalIn(response([answer('email', 'a@example.com', 'x'), answer('email', 'b@example.com', 'y')]));
    expect(signal).toMatchObject({ contact: {}, more: { x: 'a@example.com', y: 'b@example.com' } });
  });

  test('a choice with a generated ref is read by its label', () => {
    const generated = { type: 'choice', choice: { id: 'c', ref: '01e2f3a4-1111-4222-8333-444455556666', label: 'Roof inspection' }, field: { ref: 'category' } };
    expect(signalIn(response([generated])).request.category).toBe('roof-inspection');
  });

  test('several choices, other answers, numbers and files are kept as sent', () => {
    const answers = [
      answer('choices', { labels: ['Gutter', 'Slate'] }, 'parts'),
      answer('choice', { other: 'Something else' }, 'how'),
      answer('number', 12, 'age'),
      answer('file_url', 'https://files.example/1', 'photo'),
      { type: 'new_type', field: { ref: 'later' } },
      { type: 'text', text: 'no field' },
    ];
    expect(signalIn(response(answers)).more).toMatchObject({
      parts: 'Gutter, Slate',
      how: 'Something else',
      age: '12',
      photo: 'https://files.example/1',
      later: expect.any(String),
      'answer 6': 'no field',
    });
  });

  test('two answers under one ref are both kept', () => {
    expect(signalIn(response([answer('text', 'one', 'remark'), answer('text', 'two', 'remark')])).more).toMatchObject({ remark: 'one', 'remark#2': 'two' });
  });

  test('a partial response is ignored with the reason', () => {
    expect(read({ event_type: 'form_response_partial', form_response: {} })).toEqual({ kind: 'ignored', because: 'not a completed response' });
  });

  test('a response without answers is still a signal: somebody pressed the button', () => {
    expect(signalIn(response(undefined)).contact).toEqual({});
  });

  test.each([
    ['a list', []],
    ['no response', { event_type: 'form_response' }],
    ['no token', { event_type: 'form_response', form_response: { answers: [] } }],
    ['a token that is none', { event_type: 'form_response', form_response: { token: 'a b', answers: [] } }],
    ['answers that are no list', response({})],
    ['an answer that is no object', response(['x'])],
  ])('%s is refused', (_name, body) => {
    expect(() => read(body)).toThrow(ContractError);
  });

  test('broken JSON is unreadable', () => {
    expect(read('{')).toEqual({ kind: 'unreadable' });
  });
});
