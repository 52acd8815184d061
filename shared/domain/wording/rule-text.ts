// Why somebody is asked, in the reader's words. Receipts keep the one form that the resolver writes; only what people read is put into their language.

import { en } from './en.ts';
import { said, type Wording } from './wording.ts';

/** A rule of a receipt as a person reads it. A part that no wording knows stays as it is. */
export const ruleText = (rule: string, wording: Wording): string =>
  rule
    .split(' · ')
    .map((part) => partText(part, wording))
    .join(' · ');

const FORMS: readonly (readonly [RegExp, (found: readonly string[], wording: Wording) => string])[] = [
  [/^serves everywhere$/, (_, { rules }) => rules.everywhere],
  [/^serves (.+)$/, ([place = ''], { rules }) => rules.serves(place)],
  [/^sells everything$/, (_, { rules }) => rules.sellsAll],
  [/^sells (.+)$/, ([product = ''], wording) => wording.rules.sells(said(wording.categories, product))],
  [/^licensed for (.+)$/, ([licence = ''], { rules }) => rules.licensed(licence)],
  [/^speaks (.+)$/, ([name = ''], wording) => wording.rules.speaks(languageNamed(name, wording))],
  [/^on duty by (.+)$/, ([calendar = ''], { rules }) => rules.onDuty(calendar)],
  [/^owns (\d+) of (\d+)$/, ([held = '', most = ''], { rules }) => rules.owns(held, most)],
  [/^time to answer by (.+)$/, ([what = ''], { rules }) => rules.window(what)],
  [/^reassigned$/, (_, { rules }) => rules.reassigned],
  [/^named by the exception owner$/, (_, { rules }) => rules.named],
];

function partText(part: string, wording: Wording): string {
  for (const [form, words] of FORMS) {
    const found = form.exec(part);
    if (found !== null) return words(found.slice(1), wording);
  }
  return part;
}

/** Receipts call languages by their English names. */
function languageNamed(name: string, { languages }: Wording): string {
  const code = Object.keys(en.languages).find((one) => en.languages[one] === name) ?? name;
  return said(languages, code);
}
