// What the forms of the answer page send. Each thing that can be wrong has a name; the page says it in the person's language.

import * as z from 'zod/mini';
import { OUTCOMES, REJECT_REASONS } from '../domain/policy.ts';
import type { Problem } from '../domain/wording/wording.ts';

const LONGEST_TEXT = 1000;
const MOST_FIELDS = 40;

/** The fields of a form as typed, or word that the body is no form: bad encoding, or a field sent twice. */
export type TypedForm = { kind: 'form'; fields: Readonly<Record<string, string>> } | { kind: 'broken' };

/** Reads `application/x-www-form-urlencoded` strictly: UTF-8, every field once. */
export function readForm(body: Uint8Array): TypedForm {
  const fields = new Map<string, string>();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const at = pair.indexOf('=');
      const name = decoded(at < 0 ? pair : pair.slice(0, at));
      if (fields.has(name) || fields.size >= MOST_FIELDS) return { kind: 'broken' };
      fields.set(name, at < 0 ? '' : decoded(pair.slice(at + 1)));
    }
  } catch {
    return { kind: 'broken' };
  }
  return { kind: 'form', fields: Object.fromEntries(fields) };
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const problem = (code: Problem): Problem => code;
const tidy = z.overwrite<string>((text) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim(),
);
const required = (code: Problem) => z.string(problem(code)).check(tidy, z.minLength(1, problem(code)), z.maxLength(LONGEST_TEXT, problem('text-too-long')));
const optional = z._default(z.string().check(tidy, z.maxLength(LONGEST_TEXT, problem('text-too-long'))), '');
const short = z._default(z.string().check(tidy, z.maxLength(60, problem('text-too-long'))), '');
/** A version that cannot be read counts as an old one: its sender is shown the facts again. */
const seen = z.pipe(
  z.unknown(),
  z.transform((text) => (typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0)),
);

const promise = {
  nextAction: required('next-action-missing').check(z.describe('One of the next actions of the contract')),
  dueChoice: optional.check(z.describe('An instant that the page offered, or `other`')),
  due: optional.check(z.describe('Local date and time as typed, in the zone of the person')),
};

/** One answer. `seen` is the version of the facts that the page showed (LK-28). */
const answerForm = z.discriminatedUnion(
  'action',
  [
    z.object({ action: z.literal('accept'), seen: seen.check(z.describe('Version of the facts that the page showed')), ...promise }),
    z.object({
      action: z.literal('reject'),
      reason: z.enum(REJECT_REASONS, problem('reason-missing')).check(z.describe('The factual reason for a no')),
      field: optional.check(z.describe('Path of the fact that is missing')),
      explanation: optional.check(z.describe('In the person’s own words')),
    }),
    z.object({ action: z.literal('ask-clarification'), question: required('question-missing').check(z.describe('For the custodian')) }),
    z.object({ action: z.literal('answer-question'), answer: required('answer-missing').check(z.describe('For the person who asked')) }),
    z.object({
      action: z.literal('mark-duplicate'),
      duplicateOf: z.string(problem('duplicate-missing')).check(
        z.overwrite((text) => text.trim().toLowerCase()),
        z.regex(/^h-[0-9a-f]{32}$/, problem('duplicate-missing')),
        z.describe('Id of the other handoff'),
      ),
    }),
    z.object({ action: z.literal('accept-exception'), confirm: z.literal('yes', problem('confirm-missing')).check(z.describe('The box that no machine ticks')) }),
    z.object({ action: z.literal('merge-duplicate') }),
    z.object({ action: z.literal('separate-duplicate') }),
    z.object({ action: z.literal('assign'), assignTo: required('person-missing').check(z.describe('Id of the person to ask')) }),
    z.object({ action: z.literal('take'), ...promise }),
    z.object({
      action: z.literal('correct'),
      seen: seen.check(z.describe('Version of the facts that the page showed')),
      postalCode: short,
      country: short.check(z.regex(/^(?:[A-Za-z]{2})?$/, problem('country-unreadable'))),
      category: short,
      product: short,
      language: short.check(z.regex(/^(?:[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)?$/, problem('language-unreadable'))),
    }),
    z.object({ action: z.literal('confirm-next-step'), evidence: z.enum(['call', 'meeting', 'message', 'visit', 'quote'], problem('evidence-missing')), evidenceNote: optional }),
    z.object({ action: z.literal('close'), outcome: z.enum(OUTCOMES, problem('outcome-missing')), result: optional }),
  ],
  { error: problem('action-missing') },
);
export type AnswerForm = z.infer<typeof answerForm>;

/** Which field is wrong, and how. */
export type FieldProblem = { field: string; problem: Problem };

/** An answer that can be carried out, or everything that is wrong with it. */
export function parseAnswer(fields: Readonly<Record<string, string>>): { kind: 'answer'; form: AnswerForm } | { kind: 'wrong'; problems: FieldProblem[] } {
  const result = z.safeParse(answerForm, fields);
  if (result.success) return { kind: 'answer', form: result.data };
  const problems = new Map<string, FieldProblem>();
  for (const { path, message } of result.error.issues) {
    const field = String(path[0] ?? 'action');
    if (!problems.has(field)) problems.set(field, { field, problem: message as Problem });
  }
  return { kind: 'wrong', problems: [...problems.values()] };
}
