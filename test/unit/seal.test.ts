import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { sealUnder } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import { contactSeal } from '../../shared/adapters/secretsmanager-contact-seal.ts';
import { linkMint } from '../../shared/adapters/secretsmanager-link-mint.ts';
import { handoffId, personId } from '../../shared/domain/ids.ts';
import type { LinkClaim } from '../../shared/ports/seal.ts';

const FIRST = 'first-generated-string-0123456789abcdef';
const SECOND = 'second-generated-string-0123456789abcdef';
const seal = (secret: string) => sealUnder(async () => secret);

const claim: LinkClaim = { purpose: 'offer', handoffId: handoffId(`h-${'a'.repeat(32)}`), number: 1, person: personId('rosa') };

describe('links', () => {
  test('LK-14: the signature covers purpose, handoff, number and person', async () => {
    const under = seal(FIRST);
    const id = await under.mint(claim);
    expect(await under.verify(id, claim)).toBe(true);
    expect(await under.verify(id, { ...claim, purpose: 'exception' })).toBe(false);
    expect(await under.verify(id, { ...claim, handoffId: handoffId(`h-${'b'.repeat(32)}`) })).toBe(false);
    expect(await under.verify(id, { ...claim, number: 2 })).toBe(false);
    expect(await under.verify(id, { ...claim, person: personId('sam') })).toBe(false);
    expect(await under.verify(id, { ...claim, number: 11, person: personId('osa') })).toBe(false);
  });

  test('LK-14: another installation does not know the link', async () => {
    const id = await seal(FIRST).mint(claim);
    expect(await seal(SECOND).verify(id, claim)).toBe(false);
  });

  test('LK-13: links signed before the secret was replaced stay good while the old one is listed, and are refused quietly afterwards', async () => {
    const id = await seal(FIRST).mint(claim);
    expect(await seal(JSON.stringify({ current: SECOND, previous: [FIRST] })).verify(id, claim)).toBe(true);
    expect(await seal(JSON.stringify({ current: SECOND, previous: [] })).verify(id, claim)).toBe(false);
  });

  test('LK-13: a warm function learns about a new secret from the first link that does not fit, and asks at most once a minute', async () => {
    let secret = FIRST;
    let asked = 0;
    let now = 0;
    const fetchSecret = async () => {
      asked += 1;
      return secret;
    };
    const warm = sealUnder(fetchSecret, () => now);
    await warm.mint(claim);
    secret = JSON.stringify({ current: SECOND, previous: [FIRST] });
    const id = await seal(SECOND).mint(claim);
    now = 59_000;
    expect(await warm.verify(id, claim)).toBe(false);
    now = 61_000;
    expect(await warm.verify(id, claim)).toBe(true);
    expect(await warm.verify(id, { ...claim, number: 2 })).toBe(false);
    expect(asked).toBe(2);
  });

  test('a secret that could not be fetched is asked for again', async () => {
    let fails = true;
    const under = sealUnder(async () => {
      if (fails) throw new Error('throttled');
      return FIRST;
    });
    await expect(under.mint(claim)).rejects.toThrow('throttled');
    fails = false;
    expect(await under.mint(claim)).toHaveLength(32);
  });

  test('a secret that nobody generated is refused without being quoted', async () => {
    for (const secret of ['changeme', '{"current":"changeme"}', `{"current":"${FIRST}","previous":"changeme"}`, `{"current":"${FIRST}","previous":["changeme"]}`]) {
      const fault = await seal(secret)
        .mint(claim)
        .catch((error: Error) => error.message);
      expect(fault).toMatch(/secret of Baton/);
      expect(fault).not.toContain('changeme');
    }
  });
});

describe('page nonces', () => {
  const at = '2026-06-03T21:00:00.000Z';
  const id = 'A'.repeat(32);

  test('LK-21: a nonce fits its own link, for a working day', async () => {
    const under = seal(FIRST);
    const nonce = await under.stampPage(id, at);
    expect(await under.fitsPage(nonce, id, at)).toBe(true);
    expect(await under.fitsPage(nonce, id, '2026-06-04T08:59:00.000Z')).toBe(true);
    expect(await under.fitsPage(nonce, id, '2026-06-04T09:01:00.000Z')).toBe(false);
    expect(await under.fitsPage(nonce, 'B'.repeat(32), at)).toBe(false);
    expect(await under.fitsPage(nonce, id, '2026-06-03T20:00:00.000Z')).toBe(false);
  });

  test.each(['', '.', 'x', 'zz.', `${'z'.repeat(10)}.${'0'.repeat(32)}`, `1.${'0'.repeat(31)}`, `1.${'0'.repeat(33)}`, `1.${'é'.repeat(32)}`, 'a'.repeat(10_000)])(
    'LK-10: %j is no nonce, and no fault',
    async (nonce) => expect(await seal(FIRST).fitsPage(nonce, id, at)).toBe(false),
  );
});

describe('pseudonyms', () => {
  test('the same contact has the same name however the address is written, and the name says nothing', async () => {
    const under = seal(FIRST);
    const reference = await under.reference({ email: 'ana@example.com', fallback: 'x' });
    expect(reference).toMatch(/^c-[0-9a-f]{32}$/);
    expect(await under.reference({ email: ' ANA@example.com ', phone: '+15035550142', fallback: 'y' })).toBe(reference);
    expect(await under.reference({ phone: '+15035550142', fallback: 'x' })).not.toBe(reference);
    expect(await under.reference({ fallback: 'x' })).not.toBe(await under.reference({ fallback: 'y' }));
  });

  test('replacing the secret keeps the pseudonyms', async () => {
    const contact = { email: 'ana@example.com', fallback: 'x' };
    const before = await seal(FIRST).reference(contact);
    expect(await seal(JSON.stringify({ current: SECOND, previous: [FIRST] })).reference(contact)).toBe(before);
    expect(await seal(JSON.stringify({ current: SECOND, contacts: FIRST })).reference(contact)).toBe(before);
  });
});

test('ID-01: who only needs pseudonyms gets the same ones, and asks for the secret once, or again after a fault', async () => {
  let asked = 0;
  const send = async () => {
    asked += 1;
    if (asked === 1) throw new Error('busy');
    return { SecretString: 'a-generated-string-for-tests-0123456789abcdef' };
  };
  const seal = contactSeal('arn', { send } as unknown as SecretsManagerClient);
  const contact = { email: 'ada@example.com', fallback: 'website\n1' };
  await expect(seal.reference(contact)).rejects.toThrow('busy');
  const whole = sealUnder(async () => 'a-generated-string-for-tests-0123456789abcdef');
  expect([await seal.reference(contact), await seal.reference(contact)]).toEqual(Array(2).fill(await whole.reference(contact)));
  expect(asked).toBe(2);
});

test('LK-13: who only makes links makes those that the whole seal knows, and asks for the secret once, or again after a fault', async () => {
  let asked = 0;
  const send = async () => {
    asked += 1;
    if (asked === 1) throw new Error('busy');
    return asked === 2 ? {} : { SecretString: FIRST };
  };
  const mint = linkMint('arn', { send } as unknown as SecretsManagerClient);
  await expect(mint.mint(claim)).rejects.toThrow('busy');
  await expect(mint.mint(claim)).rejects.toThrow('no text');
  const ids = [await mint.mint(claim), await mint.mint(claim)];
  for (const id of ids) expect(await seal(FIRST).verify(id, claim)).toBe(true);
  expect([new Set(ids).size, asked]).toEqual([2, 3]);
});
