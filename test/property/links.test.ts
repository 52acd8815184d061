import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalLinkId, encode } from '../../shared/adapters/crockford-link-id.ts';
import { sealUnder } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import { handoffId, personId } from '../../shared/domain/ids.ts';
import type { LinkClaim } from '../../shared/ports/seal.ts';

const seal = sealUnder(async () => 'first-generated-string-0123456789abcdef');
const claim = (number: number, person: string): LinkClaim => ({ purpose: 'offer', handoffId: handoffId(`h-${'a'.repeat(32)}`), number, person: personId(person) });

describe('links', () => {
  test('LK-08: ten thousand links keep to the alphabet, differ, and fit their claim', async () => {
    const seen = new Set<string>();
    for (let number = 1; number <= 10_000; number++) {
      const id = await seal.mint(claim(number, 'rosa'));
      expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{32}$/);
      seen.add(id);
    }
    expect(seen.size).toBe(10_000);
  });

  test('LK-06, LK-08: lower case, O for 0 and I or L for 1, and percent-encoding any number of times still name the same link', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.string({ minLength: 1 }),
        fc.array(fc.nat(3), { minLength: 32, maxLength: 32 }),
        fc.integer({ min: 1, max: 3 }),
        async (number, person, how, times) => {
          const id = await seal.mint(claim(number, person));
          const mangled = [...id].map((character, at) => mistaken(character, how[at] ?? 0)).join('');
          let wrapped = mangled;
          for (let i = 0; i < times; i++) wrapped = encodeURIComponent(wrapped);
          expect(wrapped).toBe(mangled);
          expect(seal.canonical(mangled)).toBe(id);
          expect(await seal.verify(id, claim(number, person))).toBe(true);
        },
      ),
    );
  });

  test('one changed character anywhere makes another link, which fits nothing', async () => {
    const id = await seal.mint(claim(1, 'rosa'));
    for (let at = 0; at < id.length; at++) {
      const changed = `${id.slice(0, at)}${id[at] === '7' ? '8' : '7'}${id.slice(at + 1)}`;
      expect(await seal.verify(changed, claim(1, 'rosa'))).toBe(false);
    }
  });

  test('LK-10: no text of any length or script is a fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const canonical = canonicalLinkId(text);
        expect(canonical === undefined || /^[0-9A-HJKMNP-TV-Z]{32}$/.test(canonical)).toBe(true);
      }),
    );
    for (const text of ['', 'A', 'A'.repeat(31), 'A'.repeat(33), 'A'.repeat(10_000), 'U'.repeat(32), `${'A'.repeat(31)}ı`, `${'A'.repeat(31)}ſ`, `${'A'.repeat(31)}-`]) {
      expect(canonicalLinkId(text)).toBeUndefined();
    }
  });

  test('encoding spends exactly five bits a character', () => {
    expect(encode(Uint8Array.of(0, 0, 0, 0, 0), 8)).toBe('00000000');
    expect(encode(Uint8Array.of(255, 255, 255, 255, 255), 8)).toBe('ZZZZZZZZ');
    expect(encode(Uint8Array.of(0b00001_000, 0b10_00011_0, 0b0100_0010, 0b1_00110_00, 0b111_01000), 8)).toBe('12345678');
    expect(() => encode(Uint8Array.of(1), 2)).toThrow(RangeError);
  });
});

function mistaken(character: string, how: number): string {
  if (how === 0) return character;
  if (how === 1) return character.toLowerCase();
  if (character === '0') return how === 2 ? 'o' : 'O';
  if (character === '1') return how === 2 ? 'l' : 'I';
  return character;
}
