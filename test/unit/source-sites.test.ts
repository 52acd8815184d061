// Several sites of one provider: each with an address, secrets, rules and figures of its own.

import { describe, expect, test } from 'vitest';
import { receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import { secretsmanagerSourceSecrets, siteSecrets } from '../../shared/adapters/secretsmanager-source-secrets.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import { contractFor, type Signal, withImplied } from '../../shared/domain/signal.ts';
import { sourceNamed, sourceParts } from '../../shared/domain/source-name.ts';
import { allSources, PROVIDERS } from '../../shared/sources/registry.ts';
import { tally } from '../../shared/sources/tally.ts';
import { aContract, aSignal, NOW } from '../support/builders.ts';
import { memoryEventBus, memoryRawShelf } from '../support/memory-outside.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';
import { SAMPLE, valid } from '../support/sample-policy.ts';

const SECRETS: Record<string, string[]> = { tally: ['first-secret-0001'], 'tally--north': ['north-secret-0001', 'north-secret-0000'] };

function intake() {
  const bus = memoryEventBus();
  const secrets = { active: async (name: string) => SECRETS[name] ?? [] };
  const deps = { sources: allSources({ country: 'US' }), secrets, bus, raws: memoryRawShelf(), time: { now: () => NOW }, fetchText: async () => undefined };
  const [vector] = fixtureOf('tally')?.vectors ?? [];
  if (vector === undefined) throw new Error('no vector');
  const { delivery } = deliveryOf(vector);
  const post = (path: string, secret: string) => receiveWebhook(deps, { ...tally.verification.sign(delivery, secret, NOW), method: 'POST', path });
  const signals = () => bus.published.map(({ detail }) => parse(SignalEvent, detail, 'it').signal);
  return { post, signals };
}

describe('a site', () => {
  test('D-6: takes in what its own secrets signed, old and new, as a source of its own', async () => {
    const { post, signals } = intake();
    expect(await post('/in/tally--north', 'north-secret-0001')).toMatchObject({ kind: 'received', source: 'tally--north' });
    expect(await post('/in/tally--north', 'north-secret-0000')).toMatchObject({ kind: 'received' });
    expect(await post('/in/tally', 'first-secret-0001')).toMatchObject({ kind: 'received', source: 'tally' });
    expect(signals().map(({ source }) => source)).toEqual(['tally--north', 'tally--north', 'tally']);
    expect(signals()[0]?.rawRef).toMatch(/^raw\/tally--north\//);
  });

  test('D-6: refuses what another site or the provider itself signed', async () => {
    const { post, signals } = intake();
    expect(await post('/in/tally--north', 'first-secret-0001')).toEqual({ kind: 'bad-signature', source: 'tally--north' });
    expect(await post('/in/tally', 'north-secret-0001')).toEqual({ kind: 'bad-signature', source: 'tally' });
    expect(signals()).toEqual([]);
  });

  test('WH-10: a made-up one is known by its provider only, and a name that is none by nothing', async () => {
    const { post } = intake();
    expect(await post('/in/tally--made-up', 'first-secret-0001')).toEqual({ kind: 'no-secret', source: 'tally' });
    for (const path of ['/in/tally--', '/in/tally--a--b', '/in/--north', '/in/tally--North', '/in/tally---north', '/in/constructor--north'])
      expect((await post(path, 'first-secret-0001')).kind).toBe('unknown-source');
  });

  test('every site of every provider has a name that is not too long for the bus', () => {
    for (const { name } of PROVIDERS) {
      const source = sourceNamed(name, 'x'.repeat(20));
      expect(source).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
      expect(sourceParts(source)).toEqual({ provider: name, site: 'x'.repeat(20) });
      expect(name).not.toContain('--');
    }
  });
});

describe('secrets by site', () => {
  test.each([
    ['one', [['', ['one']]]],
    ['["two", " one "]', [['', ['two', 'one']]]],
    [
      '{"": ["one"], "north": ["n2", "n1", " "]}',
      [
        ['', ['one']],
        ['north', ['n2', 'n1']],
      ],
    ],
    ['', []],
  ])('the text %s', (text, sites) => {
    expect([...siteSecrets(text)]).toEqual(sites);
  });

  test('a text that is neither is refused without quoting it', () => {
    for (const text of ['{"north": "s3cret"}', '{"north": [1]}', '{"north"']) expect(() => siteSecrets(text)).toThrow(/^secrets by site are a JSON object of lists of texts$/);
  });

  test('WH-10: one call a provider, whatever sites strangers make up', async () => {
    let calls = 0;
    const send = async () => {
      calls += 1;
      return { SecretString: '{"": ["one"], "north": ["n"]}' };
    };
    const client = { send };
    const { active } = secretsmanagerSourceSecrets({ arns: {}, prefix: 'baton/source/' }, { now: () => NOW }, client as never);
    expect(await active('tally--north')).toEqual(['n']);
    expect(await active('tally')).toEqual(['one']);
    for (let count = 0; count < 50; count++) expect(await active(`tally--made-up-${count}`)).toEqual([]);
    expect(await active('tally----')).toEqual([]);
    expect(calls).toBe(1);
  });
});

/** Kinds that only ever follow something. */
const FOLLOWERS: ReadonlySet<string> = new Set(['customer.replied', 'booking.moved', 'booking.canceled']);

describe('what a source starts', () => {
  const north = { on: 'form.submitted', from: ['typeform--north'], implies: { 'request.product': 'slate', 'contact.language': 'es' } };
  const any = { on: 'form.submitted', from: ['typeform'] };
  const [general, special] = [aContract({ name: 'general', starts: [any] }), aContract({ name: 'special', starts: [north] })];
  const signal: Signal = aSignal({ source: 'typeform--north', contact: { email: 'a@example.test', language: 'en' }, request: { words: 'Hello' } });

  test('L-01: a rule for the site goes before one for its provider, which is for every other site', () => {
    expect(contractFor(signal, [general, special])).toMatchObject({ kind: 'starts', contract: { name: 'special' }, rule: north });
    expect(contractFor({ ...signal, source: 'typeform--south' }, [special, general])).toMatchObject({ contract: { name: 'general' } });
    expect(contractFor({ ...signal, source: 'typeform' }, [special])).toMatchObject({ kind: 'ignored' });
  });

  test('P-01: what a place implies fills only what nobody stated, and is said to be implied', () => {
    const { request, contact, more } = withImplied(signal, north);
    expect([request, contact.language, more['implied by where it came from']]).toEqual([{ words: 'Hello', product: 'slate' }, 'en', 'request.product']);
    expect(withImplied(signal, any)).toBe(signal);
  });

  const requests = PROVIDERS.flatMap((provider) =>
    (fixtureOf(provider.name)?.vectors ?? []).flatMap((vector) => {
      const { delivery, now } = deliveryOf(vector);
      if (!Array.isArray(vector.reads)) return [];
      const read = provider.read(delivery, now, { country: 'US' });
      const signals = read.kind === 'signals' ? read.signals.filter(({ test, notALead, kind }) => test !== true && notALead === undefined && !FOLLOWERS.has(kind)) : [];
      return signals.map((one) => [provider.name, one.kind, one] as const);
    }),
  );

  test.each(requests)('D-6: the sample policy starts on %s, %s', (name, _kind, one) => {
    const stated = ['website', 'typeform'].includes(name) ? { ...one, request: { ...one.request, category: 'roof-repair' } } : one;
    expect(contractFor(stated, valid(SAMPLE).contracts)).toMatchObject({ kind: 'starts' });
  });
});
