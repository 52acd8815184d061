import { generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import { describe, expect, test } from 'vitest';
import { verifyAcceptance } from '../../shared/adapters/jose-acceptance.ts';
import { sealUnder } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import type { AcceptanceReceipt } from '../../shared/domain/acceptance.ts';
import { handoffId, personId } from '../../shared/domain/ids.ts';

const SECRET = 'first-generated-string-0123456789abcdef';
const seal = sealUnder(async () => SECRET);

const receipt: AcceptanceReceipt = {
  schemaVersion: '1',
  handoffId: handoffId(`h-${'a'.repeat(32)}`),
  seq: 4,
  source: { system: 'website', eventId: 'evt-1', occurredAt: '2026-06-03T20:55:00.000Z' },
  contactRef: `c-${'0'.repeat(32)}`,
  proposedOwner: personId('rosa'),
  acceptedOwner: personId('rosa'),
  acceptedAt: '2026-06-03T21:02:00.000Z',
  nextAction: 'call',
  dueAt: '2026-06-04T17:00:00.000Z',
  late: false,
  channel: 'sms',
  packetVersion: 1,
  contract: 'roof-inspection',
  contractVersion: 'abc',
};

describe('O-05: acceptance receipts', () => {
  test('are verified offline with nothing but the public keys', async () => {
    const jws = await seal.sign(receipt);
    expect(await verifyAcceptance(`${jws}\n`, await seal.publicKeys())).toEqual({ kind: 'valid', payload: receipt });
  });

  test('the same acceptance is always the same text, and the keys are public ones', async () => {
    expect(await seal.sign(receipt)).toBe(await seal.sign({ ...receipt }));
    const { keys } = await seal.publicKeys();
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });

  test('LK-13: a receipt of an earlier secret verifies while that secret is listed', async () => {
    const later = sealUnder(async () => JSON.stringify({ current: 'second-generated-string-0123456789abcdef', previous: [SECRET] }));
    expect((await verifyAcceptance(await seal.sign(receipt), await later.publicKeys())).kind).toBe('valid');
  });

  test('a single changed character is found out', async () => {
    const jws = await seal.sign(receipt);
    const [header = '', , signature = ''] = jws.split('.');
    const forged = Buffer.from(JSON.stringify({ ...receipt, acceptedOwner: 'sam' })).toString('base64url');
    expect(await verifyAcceptance(`${header}.${forged}.${signature}`, await seal.publicKeys())).toEqual({ kind: 'invalid', because: 'the signature does not fit the content' });
  });

  test('a key of somebody else, even under our key id, proves nothing', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const { keys } = await seal.publicKeys();
    const payload = new TextEncoder().encode(JSON.stringify(receipt));
    const sign = (kid: unknown) => new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'baton-acceptance+jws', kid: String(kid) }).sign(privateKey);
    expect((await verifyAcceptance(await sign(keys[0]?.kid), { keys })).kind).toBe('invalid');
    expect(await verifyAcceptance(await sign('other'), { keys })).toEqual({ kind: 'invalid', because: 'it was signed by a key that is not in this key set' });
  });

  test('a genuine signature under something that is no acceptance is told apart', async () => {
    expect(await verifyAcceptance(await seal.sign({ hello: 1 }), await seal.publicKeys())).toEqual({
      kind: 'invalid',
      because: 'it is signed, but its content is not one this version can read',
    });
  });

  test.each(['', 'x', 'a.b', 'a.b.c', '..', 'eyJhbGciOiJub25lIn0.e30.', `${'a'.repeat(100_000)}.b.c`, 'é.ü.ñ'])('%j is answered, not thrown', async (text) => {
    expect((await verifyAcceptance(text.slice(0, 100_000), await seal.publicKeys())).kind).toBe('invalid');
  });

  test('a broken key set is answered, not thrown', async () => {
    const jws = await seal.sign(receipt);
    const { keys } = await seal.publicKeys();
    expect((await verifyAcceptance(jws, { keys: [] })).kind).toBe('invalid');
    expect((await verifyAcceptance(jws, { keys: [{ ...keys[0], x: '' }] })).kind).toBe('invalid');
    expect((await verifyAcceptance(jws, { keys: [{ kid: keys[0]?.kid, kty: 'oct', k: 'AAAA' }] })).kind).toBe('invalid');
  });
});
