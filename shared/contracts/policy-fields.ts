// The small forms that policy files are made of. Each refusal says what a person should write instead.

import * as z from 'zod';
import { personId } from '../domain/ids.ts';
import { EXCEPTION_CLASSES } from '../domain/policy.ts';
import { rangeOf } from '../domain/territory.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const MAX_DAYS = 90;
const DURATION = 'expected a duration such as 5m';

/** A length of wall time: `30s`, `5m`, `2h`, `1d`. */
export const Duration = z
  .string({ error: DURATION })
  .regex(/^[1-9]\d{0,5}[smhd]$/, { error: DURATION, abort: true })
  .transform((text) => Number(text.slice(0, -1)) * SECONDS[text.slice(-1) as keyof typeof SECONDS])
  .refine((seconds) => seconds <= MAX_DAYS * SECONDS.d, { error: `expected at most ${MAX_DAYS}d` })
  .transform((seconds) => ({ seconds }));

const SLUG = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** A short name in lower case, such as `roof-inspection`. */
export const slug = (what: string) => z.string({ error: `expected ${what}` }).regex(SLUG, { error: `expected ${what}, in lower case with hyphens` });

/** The id of a person. Whether that person exists is checked once the roster is known. */
export const PersonRef = z
  .string({ error: 'expected the id of a person of the roster' })
  .min(1, { error: 'expected the id of a person of the roster' })
  .transform((id) => personId(id));

/** A list with at least one entry and none of them twice. */
export const listOf = <Schema extends z.ZodType<unknown, unknown>>(entry: Schema, what: string) =>
  z
    .array(entry, { error: `expected a list of ${what}` })
    .min(1, { error: `expected at least one of: ${what}` })
    .superRefine((entries, context) => {
      entries.forEach((one, index) => {
        if (typeof one === 'string' && entries.indexOf(one) !== index) context.addIssue({ code: 'custom', path: [index], message: `expected each of ${what} once` });
      });
    });

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) => z.enum(words, { error: `expected one of ${words.join(', ')}` });

export const ExceptionClassRef = oneOf(EXCEPTION_CLASSES);

/** A group of keys; a key that no rule reads is refused, for it would be a promise nobody keeps. */
export const group = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? `expected ${wanted(shape).join(', ')}` : undefined) });

/** Keys that nothing carries out are not suggested to anybody. */
const wanted = (shape: z.ZodRawShape): string[] =>
  Object.entries(shape)
    .filter(([, schema]) => !refused.has(schema))
    .map(([key]) => key);

const refused = new WeakSet<object>();

const DATE = 'expected a date such as 2026-12-25';

/** A local date that exists. */
export const LocalDate = z
  .string({ error: DATE })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: DATE, abort: true })
  .refine((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text), { error: 'expected a date that exists' });

/** A key that people expect here and that nothing carries out: refused with the reason, since a promise that nobody keeps is worse than none. */
export function notYet(instead: string) {
  const schema = z
    .unknown()
    .optional()
    .superRefine((value, context) => {
      if (value !== undefined) context.addIssue({ code: 'custom', message: `expected it to be absent; ${instead}` });
    });
  refused.add(schema);
  return schema;
}

export const Language = z.string({ error: 'expected a language code such as en or es' }).regex(/^[a-z]{2,3}$/, { error: 'expected a language code such as en or es' });

const PLACE = 'expected a postal code such as 97201, or a range of equally long codes such as 97201-97239';

/** A postal code, or an inclusive range of them. */
export const PostalCodes = z.string({ error: PLACE }).refine(isPostalCodes, { error: PLACE });

/** Postal codes, or the name of a territory of the roster. Whether that exists is checked once the roster is read. */
export const Place = z.string({ error: PLACE }).refine((text) => isPostalCodes(text) || SLUG.test(text), { error: PLACE });

function isPostalCodes(text: string): boolean {
  const range = rangeOf(text);
  if (range !== undefined) return range.from <= range.to;
  return /^[A-Za-z0-9]{2,10}( [A-Za-z0-9]{2,5})?$/.test(text) && /\d/.test(text);
}
