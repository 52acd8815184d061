import { describe, expect, test } from 'vitest';
import { cut, defused, initials, oneLine, shortName, wordsBeforeAcceptance } from '../../shared/domain/free-text.ts';

describe('WH-15: names', () => {
  test.each([
    ['<a href=//e>x</a>', 'x'],
    ['<<b>script>alert(1)', 'script alert(1)'],
    ['evil.com', 'evil com'],
    ['visit https://evil.com/a now', 'visit evil com/a now'],
    ['HTTP://WWW.EVIL.COM', 'EVIL COM'],
    ['javascript://x', 'x'],
    ['//evil.com', 'evil com'],
    ['José Ñuñez', 'José Ñuñez'],
    ['J. R. Smith', 'J. R. Smith'],
    ['Ana\r\nBcc: all@x', 'Ana Bcc: all@x'],
    ['Ana\u202egnp.exe\u200b', 'Anagnp exe'],
    ['', ''],
  ])('%j stands in a message as %j', (given, shown) => expect(defused(given)).toBe(shown));

  test('five thousand characters are cut to sixty, never through a character', () => {
    expect([...defused('a'.repeat(5000))]).toHaveLength(60);
    expect(defused('😀'.repeat(80))).toBe(`${'😀'.repeat(59)}…`);
    expect(cut('abc', 3)).toBe('abc');
  });
});

describe('PI-08: words before acceptance', () => {
  const contact = { name: 'Ana Pérez-Gómez', email: 'ana@example.com', phone: '+15035550142' };
  test.each([
    ['I am Ana Perez, ana@example.com', 'I am •••, •••'],
    ['ANA here. Mañana is fine', '••• here. Mañana is fine'],
    ['Call +1 (503) 555-0142 or 503.555.0142', 'Call ••• or •••'],
    ['Call 503 / 555 / 01 42 today', 'Call ••• today'],
    ['In 97205 since 2024, 3 rooms', 'In 97205 since 2024, 3 rooms'],
    ['Gómez’s roof', '•••’s roof'],
    ['mail a.b+c@x.co.uk please', 'mail ••• please'],
  ])('%j is shown as %j', (given, shown) => expect(wordsBeforeAcceptance(given, contact, 200)).toBe(shown));

  test('a name of one letter, or none, hides nothing', () => {
    expect(wordsBeforeAcceptance('A leak', { name: 'A' }, 200)).toBe('A leak');
    expect(wordsBeforeAcceptance('A leak', {}, 200)).toBe('A leak');
    expect(wordsBeforeAcceptance('x'.repeat(300), {}, 140)).toHaveLength(140);
  });
});

test('LK-16: people are masked to what a colleague recognises', () => {
  expect(shortName('Rosa Martínez')).toBe('Rosa M.');
  expect(shortName('Rosa')).toBe('Rosa');
  expect(initials('Ana María <i>Pérez</i>')).toBe('A. M. P.');
  expect(initials('  ')).toBe('');
  expect(oneLine(' a\t\nb ')).toBe('a b');
});
