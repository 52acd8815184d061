// What the pages show, to whom, and what a request that is no answer gets.

import { describe, expect, test } from 'vitest';
import { anOfferedWorld, get, hidden, post, seal, send, staff, textOf, type World } from '../support/answering.ts';
import { aPolicy, OMAR, ROSA, SAM } from '../support/builders.ts';

const NAME = 'Ana <b>Pérez</b>';
const packet = {
  contact: { name: NAME, email: 'ana.perez@example.com', phone: '+15035550142', language: 'es' },
  request: { words: 'Ana Pérez here, it leaks. Call (503) 555-0142 or ana.perez@example.com, see http://evil.example/x', category: 'roof-inspection', timing: 'this week' },
  location: { postalCode: '97205', city: 'Portland' },
  unknown: ['request.product'],
};
const english = () => aPolicy({ people: staff().map((person) => ({ ...person, speaks: 'en' as const })) });
const offered = () => anOfferedWorld({ packet, policy: english() });
const YES = { action: 'accept', nextAction: 'call', due: '2026-03-02T15:00' };

const untouched = async (world: World, link: string) => {
  expect(await world.store.receipts(world.id)).toHaveLength(3);
  expect((await get(world, link)).status).toBe(200);
};

describe('opening a link', () => {
  test('PI-08, LK-05: before acceptance no contact details are anywhere in the page, whoever asks', async () => {
    const world = await offered();
    for (const agent of ['Mozilla/5.0 (iPhone)', 'Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1', 'WhatsApp/2.0', 'Twitterbot/1.0']) {
      const { body } = await get(world, await world.linkOf(ROSA), { headers: { 'user-agent': agent } });
      for (const secret of ['Pérez', 'Ana', 'ana.perez', 'example.com', '555-0142', '5550142', 'evil.example']) expect(body).not.toContain(secret);
      expect(/<title>(.*)<\/title>/.exec(body)?.[1]).toBe('Will you take this request? · Baton');
    }
  });

  test('O-03: the page shows what is needed to decide', async () => {
    const world = await offered();
    const text = textOf((await get(world, await world.linkOf(ROSA))).body);
    for (const fact of [
      'it leaks',
      'Roof inspection',
      '97205 Portland',
      'this week',
      'Spanish',
      'phone and e-mail (after a yes)',
      'Not stated product',
      'Why you',
      'Please answer by today, 8:05 AM',
      'Asked of Rosa M.',
      'version 1',
      'Pacific Standard Time',
    ])
      expect(text).toContain(fact);
  });

  test('O-01: nothing is chosen beforehand, and every answer needs a press of its own button', async () => {
    const world = await offered();
    const { body } = await get(world, await world.linkOf(ROSA));
    expect(body).not.toMatch(/ checked| selected/);
    expect([...body.matchAll(/<button type="submit" name="action" value="([^"]+)"/g)].map(([, value]) => value)).toEqual([
      'accept',
      'reject',
      'ask-clarification',
      'mark-duplicate',
    ]);
    expect(body).not.toMatch(/<script|onclick|onload|javascript:/i);
    expect(body.replace(/<!doctype html>/, '')).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
  });

  test('LK-01, LK-02, O-03: fifty GETs, HEAD, OPTIONS, PUT, DELETE and PATCH change nothing', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    for (let i = 0; i < 50; i++) expect((await get(world, link, { headers: { 'user-agent': `Scanner/${i}` } })).status).toBe(200);
    const head = await get(world, link, { method: 'HEAD' });
    const page = await get(world, link);
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(Object.keys(head.headers)).toEqual(Object.keys(page.headers));
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH']) expect(await get(world, link, { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } });
    expect(await world.request({ method: 'POST', rawPath: `/a/${link}/receipt` })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await world.request({ method: 'POST', rawPath: '/.well-known/baton-keys.json' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    await untouched(world, link);
  });

  test('O-03: opens by machines are counted apart from opens by people', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    await get(world, link);
    await get(world, link, { headers: { 'user-agent': 'Mozilla/5.0 HeadlessChrome/130' } });
    await get(world, link, { headers: { 'user-agent': '' } });
    await get(world, link, { method: 'HEAD' });
    expect(world.openings).toEqual(['person', 'machine', 'machine', 'machine']);
  });

  test('LK-08: a link in lower case, with O for 0 and I or L for 1, is the same link', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const mangled = link.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
    const page = await get(world, mangled);
    expect(page.status).toBe(200);
    expect(page.body).toContain(`action="/a/${link}"`);
  });

  test('LK-10, LK-14: unknown, forged, mangled and endless links look exactly the same', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const forged = `${link.slice(0, 31)}${link.endsWith('7') ? '8' : '7'}`;
    const target = world.table.links.get(link);
    if (target === undefined) throw new Error('no link');
    world.table.links.set(forged, { ...target, id: forged });
    const unknown = await seal.mint({ purpose: 'offer', handoffId: world.id, number: 9, person: SAM });
    const swapped = await seal.mint({ purpose: 'exception', handoffId: world.id, number: 1, person: ROSA });
    world.table.links.set(swapped, { ...target, id: swapped });
    const nonce = (body: string) => body.replace(/nonce="[^"]*"/, '');
    const first = await get(world, unknown);
    expect(first.status).toBe(404);
    for (const text of [forged, swapped, 'x', 'A'.repeat(31), 'A'.repeat(33), 'A'.repeat(10_000), 'ünïcödé', '%00', '..', 'A'.repeat(32)]) {
      const reply = await get(world, text);
      expect(reply.status).toBe(404);
      expect(nonce(reply.body)).toBe(nonce(first.body));
      expect((await world.request({ method: 'POST', rawPath: `/a/${text}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status).toBe(404);
      expect((await world.request({ rawPath: `/a/${text}/receipt` })).status).toBe(404);
    }
    for (const rawPath of ['/', '/a', '/a/', '/b', `/a/${link}/other`, `//evil.example/a/${link}`]) expect((await world.request({ rawPath })).status).toBe(404);
  });

  test('LK-14: an unknown link costs the same checks as a forged one', async () => {
    const world = await offered();
    let checks = 0;
    Object.assign(world.deps, {
      seal: {
        ...seal,
        verify: async (...given: Parameters<typeof seal.verify>) => {
          checks += 1;
          return seal.verify(...given);
        },
      },
    });
    await get(world, 'A'.repeat(32));
    expect(checks).toBe(1);
  });

  test('people read their own language, strangers the one their browser asks for', async () => {
    const world = await anOfferedWorld({ packet });
    const { body } = await get(world, await world.linkOf(ROSA));
    expect(body).toContain('<html lang="es">');
    expect(textOf(body)).toMatch(/¿Acepta esta solicitud\?.*Inspección de techo.*Sí, la acepto/);
    expect((await get(world, 'x', { headers: { 'accept-language': 'es-MX,es;q=0.9' } })).body).toContain('<html lang="es">');
    expect((await get(world, 'x', { headers: { 'accept-language': 'de,es;q=0.9' } })).body).toContain('<html lang="en">');
  });
});

describe('headers', () => {
  test('LK-17, LK-18, LK-21: every answer forbids caching, referrers, frames and scripts', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const replies = [
      await get(world, link),
      await get(world, 'x'),
      await get(world, link, { method: 'PUT' }),
      await post(world, link, { action: 'accept' }),
      await send(world, link, {}, { 'sec-fetch-site': 'cross-site' }),
      await send(world, link, {}, { 'content-type': 'text/plain' }),
      await post(world, link, YES),
      await world.request({ rawPath: `/a/${link}/receipt` }),
      await world.request({ rawPath: '/.well-known/baton-keys.json' }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 404, 405, 422, 403, 415, 303, 200, 200]);
    for (const { headers } of replies) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex, nofollow' });
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|script-src/);
    }
  });

  test('the style carries a nonce that is new with every page', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, body } = await get(world, link);
        const nonce = /style-src 'nonce-([0-9a-f]{32})'/.exec(headers['content-security-policy'] ?? '')?.[1];
        expect(body).toContain(`<style nonce="${nonce}">`);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('LK-20: nothing in a request decides where a redirect or a form goes', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const page = await get(world, link, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', referer: 'https://evil.example/' } });
    expect(page.body).not.toContain('evil.example');
    const reply = await post(world, link, { ...YES, next: 'https://evil.example/' }, { host: 'evil.example' });
    expect(reply.headers.location).toBe(`/a/${link}`);
  });
});

describe('forms that are no answer', () => {
  test('LK-21: a form from another site, or without the page’s own nonce, writes nothing', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const page = hidden((await get(world, link)).body, 'page');
    expect((await send(world, link, { page, seen: '1', ...YES }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const others = await offered();
    const elsewhere = hidden((await get(others, await others.linkOf(ROSA))).body, 'page');
    for (const nonce of ['', 'x', elsewhere]) {
      const reply = await send(world, link, { page: nonce, seen: '1', ...YES });
      expect(reply.status).toBe(403);
      expect(textOf(reply.body)).toContain('Nothing was saved, because this page was open for too long');
      expect(reply.body).toMatch(/value="call" checked/);
    }
    await untouched(world, link);
  });

  test('LK-15: an old form that asks for what is decided anyway is shown the state', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const page = hidden((await get(world, link)).body, 'page');
    await send(world, link, { page, seen: '1', ...YES });
    world.time.forward(3 * 86_400);
    expect((await send(world, link, { page, seen: '1', ...YES })).status).toBe(303);
  });

  test.each([
    ['text/plain', 415],
    ['application/json', 415],
    ['multipart/form-data; boundary=x', 415],
    ['', 415],
    ['application/x-www-form-urlencodedx', 415],
  ])('content type %j is answered %i', async (type, status) => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    expect((await send(world, link, { ...YES }, { 'content-type': type })).status).toBe(status);
    await untouched(world, link);
  });

  test.each([
    ['a field sent twice', 'action=accept&action=reject', 400],
    ['a percent sign that encodes nothing', 'action=%zz', 400],
    ['bytes that are not UTF-8', 'action=%ff%fe', 400],
    ['forty-one fields', Array.from({ length: 41 }, (_, i) => `f${i}=1`).join('&'), 400],
    ['33 KB', `question=${'x'.repeat(33 * 1024)}`, 413],
  ])('%s is refused', async (_, body, status) => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await world.request({ method: 'POST', rawPath: `/a/${link}`, headers, rawBody: new TextEncoder().encode(body) })).status).toBe(status);
    await untouched(world, link);
  });

  test.each([
    ['no answer at all', {}, ['Choose one of the answers']],
    ['an answer that does not exist', { action: 'approve' }, ['Choose one of the answers']],
    ['LK-04: a yes without any choice, as a machine presses buttons', { action: 'accept' }, ['Choose what you will do next', 'Choose by when, or give a date and time']],
    ['a yes without a due time', { action: 'accept', nextAction: 'call' }, ['Choose by when, or give a date and time']],
    ['a yes without a next action', { action: 'accept', due: '2026-03-02T15:00' }, ['Choose what you will do next']],
    ['a next action that the contract does not know', { ...YES, nextAction: 'pray' }, ['Choose what you will do next']],
    ['a due time that is no time', { ...YES, due: 'soon' }, ['Give the date and time in full, such as 2026-06-03 14:30']],
    ['the 30th of February', { ...YES, due: '2026-02-30T10:00' }, ['Give the date and time in full, such as 2026-06-03 14:30']],
    ['TM-02: a time that clocks skip', { ...YES, due: '2026-03-08T02:30' }, ['Clocks go forward then, so this time does not exist. Give another']],
    ['a due time that passed', { ...YES, due: '2026-03-02T07:59' }, ['Give a time that is still ahead']],
    ['a due time beyond the contract', { ...YES, due: '2026-03-05T10:00' }, ['Give an earlier time: the rules allow no more']],
    ['“another time” without one', { action: 'accept', nextAction: 'call', dueChoice: 'other' }, ['Give the date and time in full, such as 2026-06-03 14:30']],
    ['an offered time that was made up', { action: 'accept', nextAction: 'call', dueChoice: 'tomorrow' }, ['Choose by when, or give a date and time']],
    ['a no without a reason', { action: 'reject' }, ['Choose why not']],
    ['O-02: a vague reason', { action: 'reject', reason: 'not interested' }, ['Choose why not']],
    ['another reason without words', { action: 'reject', reason: 'other', explanation: ' \t ' }, ['Explain the reason in a few words']],
    ['a missing fact without saying which', { action: 'reject', reason: 'missing-required-field' }, ['Choose what is missing']],
    ['an empty question', { action: 'ask-clarification', question: ' ' }, ['Write your question']],
    ['a question of 1,001 characters', { action: 'ask-clarification', question: 'x'.repeat(1001) }, ['Shorten the text to 1,000 characters']],
    ['a duplicate of nothing', { action: 'mark-duplicate' }, ['Give the number of the other request: h- and 32 letters and digits']],
  ])('%s: 422, told in words, nothing written', async (_, fields, sentences) => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const reply = await post(world, link, fields as Record<string, string>);
    expect(reply.status).toBe(422);
    expect([...reply.body.matchAll(/<li>(?:<a [^>]*>)?([^<]*)/g)].map(([, text]) => text?.replaceAll('&#39;', "'"))).toEqual(sentences);
    expect(reply.body).toMatch(/<title>Error: /);
    await untouched(world, link);
  });

  test('what was typed is kept, the form stays open, and each problem leads to its field', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const { body } = await post(world, link, { action: 'reject', reason: 'missing-required-field', explanation: '"><script>alert(1)</script>' });
    expect(body).toMatch(/<details open[^>]*><summary>No, not for me/);
    expect(body).toMatch(/value="missing-required-field" checked/);
    expect(body).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).not.toContain('<script>');
    for (const [, id] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${id}"`);
  });

  test('an offered time is an instant, and wins over a typed one that the page hides', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    const { body } = await get(world, link);
    const offers = [...body.matchAll(/name="dueChoice" value="([^"]+)"/g)].map(([, value]) => value);
    expect(offers).toEqual(['2026-03-02T18:00:00.000Z', '2026-03-03T01:00:00.000Z', '2026-03-03T18:00:00.000Z', 'other']);
    await post(world, link, { action: 'accept', nextAction: 'call', dueChoice: offers[1] ?? '', due: '2026-03-02T15:00' });
    expect((await world.row()).ownership?.dueAt).toBe('2026-03-03T01:00:00.000Z');
  });

  test('a row that names nothing the page could offer is drawn all the same', async () => {
    const world = await anOfferedWorld({ packet: { contact: {}, request: {}, location: {}, unknown: [] }, policy: english() });
    expect((await get(world, await world.linkOf(ROSA))).status).toBe(200);
  });
});

describe('after a yes', () => {
  test('PI-08: the page still shows no contact details; they went to the owner’s own channels', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    await post(world, link, YES);
    const { body } = await get(world, link);
    for (const secret of ['Pérez', 'ana.perez', '5550142', '555-0142']) expect(body).not.toContain(secret);
    expect(textOf(body)).toMatch(/You accepted it today, 8:00 AM\. This request is yours You promised Call By Today, 3:00 PM Customer A\. P\./);
  });

  test('an overdue promise is said plainly', async () => {
    const world = await offered();
    const link = await world.linkOf(ROSA);
    await post(world, link, YES);
    world.time.forward(7 * 3600 + 1);
    await world.wish('note-overdue');
    expect(textOf((await get(world, link)).body)).toContain('The time you promised has passed');
    world.time.forward(7201);
    await world.wish('raise-exception');
    expect(textOf((await get(world, link)).body)).toContain('This request went back');
    const exception = await world.linkOf(OMAR, { purpose: 'exception' });
    await post(world, exception, { action: 'accept-exception', confirm: 'yes' });
    expect(textOf((await get(world, link)).body)).toContain('Omar Haddad looks after this request');
  });
});

test('the keys are a JWK set that any verifier may fetch', async () => {
  const world = await offered();
  const reply = await world.request({ rawPath: '/.well-known/baton-keys.json' });
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/jwk-set+json', 'access-control-allow-origin': '*' } });
  expect(JSON.parse(reply.body).keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
});
