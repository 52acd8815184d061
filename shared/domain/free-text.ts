// Text that strangers wrote, made safe to show: no markup, no links, no contact details before somebody accepted (WH-15, PI-08).

import type { Packet } from './packet.ts';

const NAME_LIMIT = 60;
const HIDDEN = '•••';
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** `Pérez`, `PEREZ` and `perez` are one name. */
const folded = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A name as it may stand in a message of ours: one line, no markup, nothing a phone would turn into a link, at most 60 characters. */
export function defused(text: string, limit = NAME_LIMIT): string {
  return cut(unlinked(oneLine(withoutMarkup(text))), limit);
}

/** What the customer wrote, without the ways to reach them and without their name (PI-08). */
export function wordsBeforeAcceptance(words: string, contact: Packet['contact'], limit: number): string {
  const unaddressed = oneLine(withoutMarkup(words))
    .replace(/[^\s@<>()",;]+@[^\s@<>()",;]+/g, HIDDEN)
    .replace(/\+?\(?\d(?:[\s().\-/]{0,3}\d){6,}/g, HIDDEN);
  const named = new Set((withoutMarkup(contact.name ?? '').match(WORD) ?? []).filter((part) => [...part].length >= 2).map(folded));
  const unnamed = unaddressed.replace(WORD, (word) => (named.has(folded(word)) ? HIDDEN : word));
  return cut(unlinked(unnamed).replace(/\u2022\u2022\u2022(?:\s+\u2022\u2022\u2022)+/g, HIDDEN), limit);
}

/** `Ana Pérez` as `A. P.`: enough to recognise, too little to find. */
export const initials = (name: string): string =>
  defused(name)
    .split(/\s+/u)
    .filter((part) => /^\p{L}/u.test(part))
    .slice(0, 3)
    .map((part) => `${[...part][0]?.toUpperCase()}.`)
    .join(' ');

/** A colleague's name as strangers may see it who got hold of a link: `Rosa M.` (LK-16). */
export function shortName(name: string): string {
  const [first = '', ...rest] = defused(name).split(' ');
  const last = rest.at(-1);
  return last === undefined ? first : `${first} ${[...last][0]}.`;
}

function withoutMarkup(text: string): string {
  let before = text;
  for (;;) {
    const after = before.replace(/<[^<>]*>/g, ' ').replace(/[<>]/g, ' ');
    if (after === before) return after;
    before = after;
  }
}

/** The text on one line, without characters that hide or turn text round. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();

const unlinked = (text: string): string =>
  text
    .replace(/\b[a-z][a-z0-9+.-]*:\/+/giu, ' ')
    .replace(/\/\/+/g, ' ')
    .replace(/\bhttps?\b:?/giu, ' ')
    .replace(/\bwww\./giu, ' ')
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=\p{L}{2})/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** The text, ended with `…` where it would be longer than `limit` characters. */
export function cut(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}
