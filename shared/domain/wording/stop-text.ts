// Why a request stopped, in the reader's words. Receipts keep the one form that the domain writes.

import { said, type Wording } from './wording.ts';

/** The reason of an exception as a person reads it. One that no wording knows stays as it is. */
export function stopText(because: string, wording: Wording): string {
  for (const [form, words] of FORMS) {
    const found = form.exec(because);
    if (found !== null) return words(found.slice(1), wording);
  }
  return because;
}

const FORMS: readonly (readonly [RegExp, (found: readonly string[], wording: Wording) => string])[] = [
  [/^missing: (.+)$/, ([paths = ''], wording) => wording.stops.missing(factsNamed(paths, wording))],
  [/^sources differ on: (.+)$/, ([paths = ''], wording) => wording.stops.differ(factsNamed(paths, wording))],
  [/^rejected: (.+)$/, ([reason = ''], wording) => wording.stops.rejected(said(wording.reasons, reason))],
  [/^matches (\d+) active account records$/, ([many = ''], { stops }) => stops.accounts(many)],
  [/^an existing customer asks for service$/, (_, { stops }) => stops.service],
  [/^asks for service on earlier work$/, (_, { stops }) => stops.earlierWork],
  [/^an existing customer asks for (.+), which is service$/, (_, { stops }) => stops.service],
  [/^(.+) needs somebody with the authority for it$/, ([what = ''], wording) => wording.stops.regulated(said(wording.categories, what))],
  [/^stated as a regulated matter/, (_, { stops }) => stops.regulatedUnnamed],
  [/^had asked for no contact by (.+)$/, (_, { stops }) => stops.optedOut],
  [/^nobody who could be asked could be reached$/, (_, { stops }) => stops.unreached],
  [/^the promised next step stayed without evidence$/, (_, { stops }) => stops.unkept],
  [/ owed the answer to a question until /, (_, { stops }) => stops.unanswered],
  [/^marked as a duplicate of (.+)$/, ([of = ''], { stops }) => stops.duplicate(of)],
  [/^the address lies in no territory$/, (_, { stops }) => stops.noTerritory],
  [/^the address lies in \d+ territories: (.+)$/, ([names = ''], { stops }) => stops.territories(names)],
  [/^the source states that it is a matter of safety$/, (_, { stops }) => stops.safetyStated],
  [/^(.+) is a matter of safety$/, ([what = ''], wording) => wording.stops.safety(said(wording.categories, what))],
  [/^the words name \u201c(.+)\u201d, which is a matter of safety$/, ([words = ''], { stops }) => stops.safetyWords(words)],
];

/** Paths joined by commas, alternatives by "or". */
const factsNamed = (paths: string, { fields, facts }: Wording): string =>
  paths
    .split(', ')
    .map((alternatives) =>
      alternatives
        .split(' or ')
        .map((path) => said(fields, path))
        .join(facts.or),
    )
    .join(', ');
