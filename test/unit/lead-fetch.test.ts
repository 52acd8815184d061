// Leads that a delivery only names: fetched when possible, opened either way.

import { describe, expect, test } from 'vitest';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { metaGraphLeadFetch } from '../../shared/adapters/meta-graph-lead-fetch.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { FetchedLead } from '../../shared/ports/lead-fetch.ts';
import { answersOf, withAnswers } from '../../shared/sources/fetched-lead.ts';
import { sourceOf } from '../../shared/sources/provider.ts';
import { providerNamed } from '../../shared/sources/registry.ts';
import { memoryContactBooks, memoryMatchBook } from '../support/memory-books.ts';
import { memoryTable } from '../support/memory-table.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';

const meta = sourceOf(providerNamed('meta-leads') as never, { country: 'US' });
const { delivery, now } = deliveryOf(fixtureOf('meta-leads')?.vectors[0] as never);
const [reference] = (meta.read(delivery, now) as unknown as { signals: Signal[] }).signals;
if (reference === undefined) throw new Error('no reference');

const GRAPH_ANSWER = {
  id: '918273645546372',
  created_time: '2026-11-30T15:03:50+0000',
  field_data: [
    { name: 'full_name', values: ['Dana Whitfield'] },
    { name: 'email', values: ['dana.whitfield@example.com'] },
    { name: 'phone_number', values: ['+12065550143'] },
    { name: 'what_do_you_need_help_with?', values: ['Repair', 'Inspection'] },
  ],
  custom_disclaimer_responses: [
    { checkbox_key: 'sms_optin', is_checked: '1' },
    { checkbox_key: 'email_optin', is_checked: '' },
  ],
};

/** The Graph API with one answer, and what it was asked. */
function graph(answer: { status?: number; body?: unknown; fault?: Error }, tokens: readonly string[] = ['page-token']) {
  const asked: { url: string; headers: unknown }[] = [];
  const request = (async (url: string, init?: RequestInit) => {
    asked.push({ url, headers: init?.headers });
    if (answer.fault !== undefined) throw answer.fault;
    return new Response(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body), { status: answer.status ?? 200 });
  }) as typeof fetch;
  return { asked, leads: metaGraphLeadFetch({ tokens: { active: async () => tokens }, request }) };
}

describe('answers from the Graph API', () => {
  test('become the facts of the signal, consent boxes included', async () => {
    const { leads, asked } = graph({ body: GRAPH_ANSWER });
    const signal = await answersOf(leads).complete(reference);
    expect(signal).toMatchObject({
      eventId: '918273645546372',
      occurredAt: '2026-11-30T15:03:50.000Z',
      contact: { name: 'Dana Whitfield', email: 'dana.whitfield@example.com', phone: '+12065550143' },
      consent: { sms: 'granted', email: 'denied' },
      more: { form_id: '772301944518820', 'what_do_you_need_help_with?': 'Repair, Inspection' },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).not.toContain('page-token');
    expect(asked[0]?.headers).toEqual({ authorization: 'Bearer page-token' });
  });

  test("Meta's test tool sets no flag: its dummy data is a test", () => {
    const dummy = {
      kind: 'fetched',
      answers: [
        { name: 'full_name', value: '<test lead: dummy data for full_name>' },
        { name: 'email', value: 'test@fb.com' },
      ],
      consents: [],
    } as const;
    expect(withAnswers(reference, dummy).test).toBe(true);
  });

  test('a dummy number is never a phone, a lead without answers is an empty submission', () => {
    const lead = (value: string): FetchedLead => ({ kind: 'fetched', answers: [{ name: 'phone_number', value }], consents: [] });
    for (const value of ['<test lead: dummy data for phone_number>', '206 555 0143', '+1911'])
      expect(withAnswers(reference, lead(value))).toMatchObject({ contact: {}, more: { phone_number: value } });
    expect(withAnswers(reference, lead(' ')).notALead).toBe('empty submission');
  });

  test.each([
    ['no token', graph({ body: GRAPH_ANSWER }, []), 'no token is set up'],
    ['an expired token', graph({ status: 401, body: { error: { message: 'expired token page-token' } } }), 'the system answered 401'],
    ['a deleted lead', graph({ status: 404, body: {} }), 'the system answered 404'],
    ['an outage', graph({ fault: new TypeError('fetch failed') }), 'the system did not answer'],
    ['a page instead of JSON', graph({ body: '<html>' }), 'the system did not answer'],
    ['another shape', graph({ body: { field_data: 'x' } }), 'the answer holds no lead'],
    ['an answer of a megabyte', graph({ body: 'x'.repeat(1_000_000) }), 'the answer is too large'],
  ])('%s leaves the reference and the reason', async (_name, { leads }, because) => {
    const signal = await answersOf(leads).complete(reference);
    expect(signal).toEqual({ ...reference, more: { ...reference.more, 'answers not fetched': because } });
  });

  test('one hiccup is tried again, and an older token helps while one is replaced', async () => {
    let calls = 0;
    const request = (async (_url: string, init?: RequestInit) => {
      calls += 1;
      const right = JSON.stringify(init?.headers).includes('older');
      return new Response(JSON.stringify(right ? GRAPH_ANSWER : {}), { status: right ? 200 : 500 });
    }) as typeof fetch;
    const fetched = await metaGraphLeadFetch({ tokens: { active: async () => ['newer', 'older'] }, request }).fetch({ system: 'meta', id: '918273645546372' });
    expect(fetched.kind).toBe('fetched');
    expect(calls).toBe(3);
  });

  test('D-6: a site has tokens of its own, old and new; one without them uses those of the provider, and nobody uses another site’s', async () => {
    const held: Record<string, string[]> = { meta: ['main'], 'meta--north': ['north-new', 'north-old'] };
    const asked: string[] = [];
    const request = (async (_url: string, init?: RequestInit) => {
      asked.push(String(new Headers(init?.headers).get('authorization')));
      return new Response('{}', { status: 403 });
    }) as typeof fetch;
    const leads = metaGraphLeadFetch({ tokens: { active: async (name) => held[name] ?? [] }, request });
    const triedFor = async (source: string) => {
      asked.length = 0;
      await answersOf(leads).complete({ ...reference, source });
      return [...new Set(asked)];
    };
    expect(await triedFor('meta-leads--north')).toEqual(['Bearer north-new', 'Bearer north-old']);
    expect(await triedFor('meta-leads--south')).toEqual(['Bearer main']);
    expect(await triedFor('meta-leads')).toEqual(['Bearer main']);
  });

  test('an id that is none goes nowhere, and neither does another system', async () => {
    for (const reference of [
      { system: 'meta', id: '../me' },
      { system: 'meta', id: '1?x' },
      { system: 'linkedin', id: '12345678' },
    ]) {
      const { leads, asked } = graph({ body: GRAPH_ANSWER });
      expect((await leads.fetch(reference)).kind).toBe('unavailable');
      expect(asked).toEqual([]);
    }
  });
});

describe('opening a handoff for a lead that was only named', () => {
  const contract = { name: 'roofs', version: 'v', starts: [{ on: 'form.submitted', from: ['meta-leads'] }], intakeLead: { person: 'lee' }, requires: [] };

  async function open(lead: FetchedLead | undefined) {
    const kept: { packets: unknown[]; ignored: string[]; recorded: Signal[] } = { packets: [], ignored: [], recorded: [] };
    const deps = {
      signals: {
        record: async (signal: Signal) => {
          kept.recorded.push(signal);
          return { kind: 'recorded' as const };
        },
        ignore: async (_signal: unknown, because: string) => void kept.ignored.push(because),
      },
      policies: { active: async () => ({ contracts: [contract], calendars: [] }) },
      handoffs: {
        append: async (_before: unknown, _after: unknown, _receipts: unknown, { packet }: { packet: unknown }) => {
          kept.packets.push(packet);
          return { kind: 'written' as const };
        },
      },
      workflow: { start: async () => undefined },
      matches: memoryMatchBook(memoryTable()),
      ...memoryContactBooks(memoryTable()),
      seal: { reference: async () => 'c-1' },
      digest: { handoffId: () => `h-${'0'.repeat(32)}`, bodyHash: () => 'hash' },
      time: { now: () => now },
      ...(lead !== undefined && { leads: answersOf({ fetch: async () => lead }) }),
    };
    const opened = await openHandoff(deps as never, { schemaVersion: '1', signal: reference } as never);
    return { opened, kept };
  }

  test('the answers are in the packet; what was recorded is the reference, so a repetition is the same', async () => {
    const { opened, kept } = await open({ kind: 'fetched', answers: [{ name: 'email', value: 'dana@example.com' }], consents: [] });
    expect(opened.kind).toBe('opened');
    expect(kept.packets).toMatchObject([{ contact: { email: 'dana@example.com' } }]);
    expect(kept.recorded).toEqual([reference]);
  });

  test('never lost: without answers it opens with its ids, and says what is unknown', async () => {
    const { opened, kept } = await open({ kind: 'unavailable', because: 'no token is set up' });
    expect(opened.kind).toBe('opened');
    expect(kept.packets).toMatchObject([
      { more: { leadgen_id: '918273645546372', 'answers not fetched': 'no token is set up' }, unknown: expect.arrayContaining(['contact.email']) },
    ]);
  });

  test('a test of the provider is recorded and not opened', async () => {
    const { opened, kept } = await open({ kind: 'fetched', answers: [{ name: 'full_name', value: '<test lead: dummy data for full_name>' }], consents: [] });
    expect(opened).toEqual({ kind: 'ignored', because: 'test delivery of the provider' });
    expect(kept).toMatchObject({ packets: [], ignored: ['test delivery of the provider'] });
  });
});
