// `policy/contracts/<name>.yaml`: the handoff contract as a business person writes it.

import * as z from 'zod';
import { CUSTOMER_MESSAGES } from '../domain/customer-messages.ts';
import { FACT_PATHS } from '../domain/packet.ts';
import {
  type AnswerWindow,
  ASK_ORDERS,
  type Contract,
  EXCEPTION_CLASSES,
  type ExceptionClass,
  type ExceptionRule,
  OVERDUE_STEPS,
  REJECT_REASONS,
  type RejectConsequence,
  type RejectReason,
} from '../domain/policy.ts';
import { SIGNAL_KINDS } from '../domain/signal.ts';
import { ExceptionClassRef, group, Language, listOf, notYet, oneOf, PersonRef, Place, slug } from './policy-fields.ts';
import { inOwnCalendar, WindowField } from './policy-window.ts';

const Fact = oneOf(FACT_PATHS);
const WithBackup = group({ person: PersonRef, backup: PersonRef });
/** A job that a person has, or whoever holds a role; a backup is always a person. */
const Responsible = group({ person: PersonRef.optional(), role: slug('a role such as seller').optional(), backup: PersonRef }).transform(({ person, role, backup }, context) => {
  if (person !== undefined && role === undefined) return { person, backup };
  if (role !== undefined && person === undefined) return { role, backup };
  context.addIssue({ code: 'custom', path: [], message: 'expected either person: or role:, and a backup' });
  return z.NEVER;
});

/** A provider, or one site of it. */
const SourceName = z
  .string({ error: 'expected the name of a source such as website or typeform--north' })
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*(--[a-z0-9]+(-[a-z0-9]+)*)?$/, { error: 'expected the name of a source such as website or typeform--north, in lower case' });

/** What a place may say for everybody who writes from it. How to reach somebody, and what they wish in their own words, only they can say. */
const IMPLIED = ['contact.language', 'request.category', 'request.product', 'location.region', 'location.country', 'location.postalCode', 'location.city'] as const;

const isLanguage = (facts: Partial<Record<string, string>>): boolean => /^[a-z]{2,3}$/.test(facts['contact.language'] ?? 'en');

const StartRule = group({
  on: oneOf(SIGNAL_KINDS),
  from: listOf(SourceName, 'sources'),
  where: group({ category: listOf(slug('a category such as roof-inspection'), 'categories') }).optional(),
  implies: z
    .partialRecord(oneOf(IMPLIED), z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' }))
    .refine(isLanguage, { path: ['contact.language'], error: 'expected a language such as en' })
    .optional(),
}).transform(({ on, from, where, implies }) => ({
  on,
  from,
  ...(where !== undefined && { category: where.category }),
  ...(implies !== undefined && { implies: definite(implies) }),
}));

const definite = (facts: Partial<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).flatMap(([path, value]) => (value === undefined ? [] : [[path, value]])));

const Requirement = z.union([Fact.transform((fact) => ({ anyOf: [fact] })), group({ any: listOf(Fact, 'facts') }).transform(({ any }) => ({ anyOf: any }))], {
  error: `expected a fact, or any: [several]; facts are ${FACT_PATHS.join(', ')}`,
});

const AskStep = group({
  who: group({ role: slug('a role such as seller'), order: oneOf(ASK_ORDERS), people: listOf(PersonRef, 'people').optional() }),
  window: WindowField,
  warnAt: WindowField.optional(),
}).transform(({ who: { role, order, people }, window, warnAt }) => ({ role, order, window, ...(people !== undefined && { people }), ...(warnAt !== undefined && { warnAt }) }));

const URGENCY = 'expected when the person wants it, as your sources state it, such as today';
const AnswerWindowForm = group({
  when: group({
    signal: listOf(oneOf(SIGNAL_KINDS), 'kinds of signals').optional(),
    channel: listOf(slug('the name of a source such as website'), 'sources').optional(),
    product: listOf(slug('a product such as roof-repair'), 'products').optional(),
    urgency: listOf(z.string({ error: URGENCY }).trim().min(1, { error: URGENCY }), 'times').optional(),
  })
    .refine((when) => Object.values(when).some((list) => list !== undefined), { error: 'expected at least one of signal, channel, product, urgency' })
    .transform((when) => stated(when)),
  window: WindowField,
  warnAt: WindowField.optional(),
}).transform(({ when, window, warnAt }): AnswerWindow => ({ when, window, ...(warnAt !== undefined && { warnAt }) }));

const THEN = 'expected one of next-candidate, exception';
const Then = z.enum(['next-candidate', 'exception'], {
  error: ({ input }) => (input === 'clarification' ? `${THEN}; a no ends the offer, and a seller who needs to know more asks a question instead` : THEN),
});
const Reject = group({
  then: Then,
  class: ExceptionClassRef.optional(),
  flag: oneOf(['rule']).optional(),
  exclude: oneOf(['today']).optional(),
  explain: oneOf(['required']).optional(),
  answeredBy: notYet('nobody is asked to complete the facts after a no: use then: exception, class: missing-context'),
});

const rejectOf = (reason: RejectReason) =>
  Reject.transform((written, context): RejectConsequence => {
    const flagRule = written.flag === 'rule';
    if (written.explain !== undefined && reason !== 'other')
      context.addIssue({ code: 'custom', path: ['explain'], message: 'expected it at other only, which always needs an explanation' });
    if (written.then === 'next-candidate') {
      if (written.class !== undefined) context.addIssue({ code: 'custom', path: ['class'], message: 'expected no class, since the next candidate is asked' });
      return { then: 'next-candidate', flagRule, ...(written.exclude !== undefined && { exclude: written.exclude }) };
    }
    if (written.exclude !== undefined) context.addIssue({ code: 'custom', path: ['exclude'], message: 'expected it beside then: next-candidate only' });
    const raised = written.class ?? sameNamed(reason);
    if (raised === undefined) context.addIssue({ code: 'custom', path: ['class'], message: `expected the class of the exception, one of ${EXCEPTION_CLASSES.join(', ')}` });
    return { then: 'exception', class: raised ?? 'no-eligible-owner', flagRule };
  });

const sameNamed = (reason: RejectReason): ExceptionClass | undefined => EXCEPTION_CLASSES.find((name) => name === reason);

const ExceptionRuleForm = group({
  owner: PersonRef,
  backup: PersonRef,
  escalateTo: PersonRef,
  respond: WindowField,
  review: WindowField,
  meanwhile: oneOf(['hold', 'pause-outreach']),
  tellCustomer: oneOf(CUSTOMER_MESSAGES).optional(),
  whilePaused: oneOf(['send']).optional(),
}).transform(
  ({ tellCustomer, whilePaused, ...rule }): ExceptionRule => ({ ...rule, ...(tellCustomer !== undefined && { tellCustomer }), ...(whilePaused !== undefined && { whilePaused }) }),
);

const Rejects = group(Object.fromEntries(REJECT_REASONS.map((reason) => [reason, rejectOf(reason)])) as Record<RejectReason, ReturnType<typeof rejectOf>>);

const Exceptions = group({
  ...(Object.fromEntries(EXCEPTION_CLASSES.map((name) => [name, ExceptionRuleForm.optional()])) as Record<ExceptionClass, z.ZodOptional<typeof ExceptionRuleForm>>),
  default: ExceptionRuleForm,
}).transform(
  (written) => Object.fromEntries(Object.entries(written).filter(([, rule]) => rule !== undefined)) as Partial<Record<ExceptionClass, ExceptionRule>> & { default: ExceptionRule },
);

const ClosedHours = group({ startsAt: oneOf(['next-opening', 'at-once']), tellCustomer: oneOf(CUSTOMER_MESSAGES) });

const LIMIT = 'expected how many questions one offer takes, 1 to 5';
const Clarification = group({
  answeredBy: PersonRef,
  limit: z
    .string({ error: LIMIT })
    .regex(/^[1-5]$/, { error: LIMIT })
    .transform(Number),
  expires: WindowField,
  tellCustomer: oneOf(CUSTOMER_MESSAGES).optional(),
}).transform(({ tellCustomer, ...rule }) => ({ ...rule, ...(tellCustomer !== undefined && { tellCustomer }) }));

const IN_ORDER = `expected some of ${OVERDUE_STEPS.join(', ')}, in this order, with exception at the end`;
const Overdue = group({
  steps: listOf(oneOf(OVERDUE_STEPS), 'steps')
    .refine((steps) => steps.at(-1) === 'exception' && steps.every((step, index) => index === 0 || OVERDUE_STEPS.indexOf(step) > OVERDUE_STEPS.indexOf(steps[index - 1] ?? step)), {
      error: IN_ORDER,
    })
    .optional(),
  grace: WindowField,
  exception: ExceptionClassRef,
}).transform(({ steps, grace, exception }) => ({ grace, class: exception, ...(steps !== undefined && { steps }) }));

const Categories = group({ categories: listOf(slug('a category such as warranty'), 'categories') });
const WORDS = 'expected words that customers use, such as smell of gas, of at most 60 letters';
const Safety = group({
  categories: listOf(slug('a category such as gas-leak'), 'categories').optional(),
  words: listOf(
    z
      .string({ error: WORDS })
      .trim()
      .regex(/^(?=.*\p{L}).{2,60}$/u, { error: WORDS }),
    'words',
  ).optional(),
})
  .refine(({ categories, words }) => categories !== undefined || words !== undefined, { error: 'expected categories or words by which a matter of safety is known' })
  .transform(({ categories, words }) => ({ ...(categories !== undefined && { categories }), ...(words !== undefined && { words }) }));
const Products = listOf(slug('a product such as roof-repair'), 'products');
const LicenceRule = group({ licence: slug('the name of a licence'), products: Products.optional() }).transform(({ licence, products }) => ({
  licence,
  ...(products !== undefined && { products }),
}));
const Serves = group({ products: Products, languages: listOf(Language, 'languages').optional(), territories: listOf(Place, 'territories').optional() }).transform(
  ({ products, languages, territories }) => ({ products, ...(languages !== undefined && { languages }), ...(territories !== undefined && { territories }) }),
);

/** A contract file; read, it is the domain's contract without its version. */
export const ContractFile = group({
  contract: slug('the name of the contract'),
  changeOwner: PersonRef,
  starts: listOf(StartRule, 'start rules'),
  requires: listOf(Requirement, 'facts'),
  responsible: group({ observer: Responsible, decisionOwner: Responsible, approver: Responsible, executor: Responsible, incidentOwner: Responsible }),
  custodianUntilAccepted: WithBackup,
  calendar: slug('the name of a calendar').optional(),
  closedHours: ClosedHours.optional(),
  service: Categories.optional(),
  regulated: Categories.optional(),
  safety: Safety.optional(),
  licences: listOf(LicenceRule, 'licences').optional(),
  serves: Serves.optional(),
  ask: listOf(AskStep, 'steps'),
  windows: listOf(AnswerWindowForm, 'windows').optional(),
  lateAcceptance: oneOf(['deny', 'allow-if-unclaimed']),
  clarification: Clarification.optional(),
  accept: group({
    nextActions: listOf(slug('a next action such as call'), 'next actions'),
    dueWithin: WindowField,
    ifOverdue: Overdue,
  }),
  reject: Rejects,
  exceptions: Exceptions,
}).transform(
  (
    { contract, custodianUntilAccepted, calendar, closedHours, service, regulated, safety, licences, serves, clarification, windows: byRequest, ...rest },
    context,
  ): Omit<Contract, 'version'> => {
    const windows = { ...rest, ...(clarification !== undefined && { clarification }), ...(byRequest !== undefined && { windows: byRequest }) };
    const missing = (path: (string | number)[]) => context.addIssue({ code: 'custom', path, message: 'expected calendar: in the contract, since this counts business time' });
    const same = inOwnCalendar(windows, calendar, missing);
    return { name: contract, intakeLead: custodianUntilAccepted, ...same, ...stated({ calendar, closedHours, service, regulated, safety, licences, serves }) };
  },
);

/** Only what was written: a key that nobody wrote does not stand in the contract as undefined. */
const stated = <Parts extends object>(parts: Parts): { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> } =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> }; // the same keys without the empty ones
