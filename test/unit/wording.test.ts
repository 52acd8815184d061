import { describe, expect, test } from 'vitest';
import { EXCEPTION_CLASSES, OUTCOMES, REJECT_REASONS } from '../../shared/domain/policy.ts';
import { en } from '../../shared/domain/wording/en.ts';
import { es } from '../../shared/domain/wording/es.ts';
import { asSaid, inFull, inShort, said, wordingFor, zoneName } from '../../shared/domain/wording/wording.ts';

const PORTLAND = 'America/Los_Angeles';

/** Every sentence with its path; functions are called with marked values. */
function sentences(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value(...['⟦a⟧', '⟦b⟧', '⟦c⟧'].slice(0, value.length)))]];
  return Object.entries(value as object).flatMap(([key, inner]) => sentences(inner, `${path}.${key}`));
}

describe('catalogues', () => {
  test('both languages say the same things', () => {
    expect(
      sentences(es)
        .map(([path]) => path)
        .sort(),
    ).toEqual(
      sentences(en)
        .map(([path]) => path)
        .sort(),
    );
    for (const [path, text] of [...sentences(en), ...sentences(es)]) expect(text.trim(), path).not.toBe('');
  });

  test('both languages use every value they are given', () => {
    const marks = (catalogue: object) => Object.fromEntries(sentences(catalogue).map(([path, text]) => [path, ['⟦a⟧', '⟦b⟧', '⟦c⟧'].filter((mark) => text.includes(mark))]));
    expect(marks(es)).toEqual(marks(en));
    expect(marks(en)['.messages.offer']).toEqual(['⟦a⟧', '⟦b⟧', '⟦c⟧']);
  });

  test('no sentence is left in the other language', () => {
    const same = sentences(es).filter(([path, text]) => sentences(en).some(([other, english]) => other === path && english === text && /[a-z]{4}/.test(text)));
    expect(same.map(([path]) => path)).toEqual(['.brand', '.problems.error'].filter((path) => same.some(([one]) => one === path)));
  });

  test('LK-08, LK-25: no sentence carries an address of its own', () => {
    for (const [path, text] of [...sentences(en), ...sentences(es)]) expect(text, path).not.toMatch(/https?:|www\.|\w\.(com|net|org|ly)\b/);
  });

  test('every code of the domain has words in both languages', () => {
    for (const { reasons, outcomes, exceptions } of [en, es]) {
      expect(Object.keys(reasons).sort()).toEqual([...REJECT_REASONS].sort());
      expect(Object.keys(outcomes).sort()).toEqual([...OUTCOMES].sort());
      expect(Object.keys(exceptions).sort()).toEqual([...EXCEPTION_CLASSES].sort());
    }
  });

  test('a code that no catalogue knows is shown in plain letters', () => {
    expect(said(en.nextActions, 'call')).toBe('Call');
    expect(said(en.nextActions, 'send-drone')).toBe('send drone');
    expect(said(en.nextActions, 'constructor')).toBe('constructor');
  });
});

describe('times', () => {
  const now = '2026-03-02T16:00:00.000Z';
  test('on pages they are said as a reader would, in the reader’s zone', () => {
    expect(asSaid('2026-03-02T22:02:00.000Z', now, PORTLAND, en)).toBe('today, 2:02 PM');
    expect(asSaid('2026-03-03T18:00:00.000Z', now, PORTLAND, en)).toBe('tomorrow, 10:00 AM');
    expect(asSaid('2026-03-06T18:00:00.000Z', now, PORTLAND, en)).toBe('Fri, Mar 6, 10:00 AM');
    expect(asSaid('2027-03-06T18:00:00.000Z', now, PORTLAND, en)).toBe('Sat, Mar 6, 2027, 10:00 AM');
    expect(asSaid('2026-03-02T22:02:00.000Z', now, 'Asia/Tokyo', en)).toBe('today, 7:02 AM');
    expect(asSaid('2026-03-03T18:00:00.000Z', now, PORTLAND, es)).toMatch(/^mañana, 10:00 a\.\s?m\.$/);
  });

  test('in messages they are the same whenever they are read', () => {
    expect(inFull('2026-03-02T22:02:00.000Z', PORTLAND, en)).toBe('Mon, Mar 2, 2:02 PM PST');
    expect(inFull('2026-03-09T22:02:00.000Z', PORTLAND, en)).toBe('Mon, Mar 9, 3:02 PM PDT');
    expect(inShort('2026-03-02T22:02:00.000Z', now, PORTLAND, en)).toBe('2:02 PM');
    expect(inShort('2026-03-03T22:02:00.000Z', now, PORTLAND, en)).toBe('Tue, Mar 3, 2:02 PM');
    expect(zoneName(now, PORTLAND, en)).toBe('Pacific Standard Time');
    for (const language of ['en', 'es'] as const) expect(inFull(now, PORTLAND, wordingFor(language))).not.toMatch(/[\u00a0\u202f]/);
  });
});
