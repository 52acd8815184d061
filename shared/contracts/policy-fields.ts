// The small forms that policy files are made of. Each refusal says what a person should write instead.

import * as z from 'zod';
import { personId } from '../domain/ids.ts';
import { EXCEPTION_CLASSES } from '../domain/policy.ts';

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
  z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? `expected ${Object.keys(shape).join(', ')}` : undefined) });

const DATE = 'expected a date such as 2026-12-25';

/** A local date that exists. */
export const LocalDate = z
  .string({ error: DATE })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: DATE, abort: true })
  .refine((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text), { error: 'expected a date that exists' });
