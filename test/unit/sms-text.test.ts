import { describe, expect, test } from 'vitest';
import { gsm, septets, smsText } from '../../functions/notify/sms-text.ts';

const LINK = `https://b.example/a/${'A'.repeat(32)}`;

describe('SF-05: text messages', () => {
  test.each([
    ['áíóú ÁÍÓÚ', 'aiou AIOU'],
    ['éñü ¿¡', 'éñü ¿¡'],
    ['“so” – it’s…', '"so" - it\'s...'],
    ['日本 😀', '?? ?'],
    ['e\u0301', 'é'],
    ['a\u202fb', 'a?b'],
  ])('%j is written as %j', (given, written) => expect(gsm(given)).toBe(written));

  test('characters of the extension table count twice', () => expect(septets('a{€}')).toBe(7));

  test('the first wording that fits is taken, the last is cut, and the link is never touched', () => {
    expect(smsText(['short'], LINK)).toBe(`short\n${LINK}`);
    expect(smsText(['x'.repeat(120), 'medium', 'small'], LINK)).toBe(`medium\n${LINK}`);
    const cut = smsText(['x'.repeat(300)], LINK);
    expect(cut).toMatch(new RegExp(`^x+\\.\\.\\.\\n${LINK}$`));
    expect(septets(cut)).toBe(160);
    expect(septets(smsText([`${'{'.repeat(100)}`], LINK))).toBeLessThanOrEqual(160);
    expect(smsText(['no link'])).toBe('no link');
  });

  test('a link that fills the message stands alone; a longer one is a fault of the installation', () => {
    const long = `https://${'b'.repeat(116)}.example/a/${'A'.repeat(25)}`;
    expect(smsText(['text'], long.slice(0, 158))).toBe(long.slice(0, 158));
    expect(() => smsText(['text'], 'x'.repeat(160))).toThrow('PUBLIC_URL');
  });
});
