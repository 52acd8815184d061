// `policy/contracts/<name>.yaml`: the handoff contract as a business person writes it.

import * as z from 'zod';
import { FACT_PATHS } from '../domain/packet.ts';
import {
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
import { ExceptionClassRef, group, listOf, oneOf, PersonRef, slug } from './policy-fields.ts';
import { inOwnCalendar, WindowField } from './policy-window.ts';

const Fact = oneOf(FACT_PATHS);
const WithBackup = group({ person: PersonRef, backup: PersonRef });

const StartRule = group({
  on: oneOf(SIGNAL_KINDS),
  from: listOf(slug('the name of a source such as website'), 'sources'),
  where: group({ category: listOf(slug('a category such as roof-inspection'), 'categories') }).optional(),
}).transform(({ on, from, where }) => ({ on, from, ...(where !== undefined && { category: where.category }) }));

const Requirement = z.union([Fact.transform((fact) => ({ anyOf: [fact] })), group({ any: listOf(Fact, 'facts') }).transform(({ any }) => ({ anyOf: any }))], {
  error: `expected a fact, or any: [several]; facts are ${FACT_PATHS.join(', ')}`,
});

const AskStep = group({
  who: group({ role: slug('a role such as seller'), order: oneOf(['fixed', 'least-open']), people: listOf(PersonRef, 'people').optional() }),
  window: WindowField,
  warnAt: WindowField.optional(),
}).transform(({ who: { role, order, people }, window, warnAt }) => ({ role, order, window, ...(people !== undefined && { people }), ...(warnAt !== undefined && { warnAt }) }));

const Reject = group({ then: oneOf(['next-candidate', 'exception']), class: ExceptionClassRef.optional(), flag: oneOf(['rule']).optional() });

const rejectOf = (reason: RejectReason) =>
  Reject.transform((written, context): RejectConsequence => {
    const flagRule = written.flag === 'rule';
    if (written.then === 'next-candidate') {
      if (written.class !== undefined) context.addIssue({ code: 'custom', path: ['class'], message: 'expected no class, since the next candidate is asked' });
      return { then: 'next-candidate', flagRule };
    }
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
});

const Rejects = group(Object.fromEntries(REJECT_REASONS.map((reason) => [reason, rejectOf(reason)])) as Record<RejectReason, ReturnType<typeof rejectOf>>);

const Exceptions = group({
  ...(Object.fromEntries(EXCEPTION_CLASSES.map((name) => [name, ExceptionRuleForm.optional()])) as Record<ExceptionClass, z.ZodOptional<typeof ExceptionRuleForm>>),
  default: ExceptionRuleForm,
}).transform(
  (written) => Object.fromEntries(Object.entries(written).filter(([, rule]) => rule !== undefined)) as Partial<Record<ExceptionClass, ExceptionRule>> & { default: ExceptionRule },
);

const ClosedHours = group({ startsAt: oneOf(['next-opening', 'at-once']), tellCustomer: slug('the name of a message such as we-call-when-we-open') });

const LIMIT = 'expected how many questions one offer takes, 1 to 5';
const Clarification = group({
  answeredBy: PersonRef,
  limit: z
    .string({ error: LIMIT })
    .regex(/^[1-5]$/, { error: LIMIT })
    .transform(Number),
  expires: WindowField,
});

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

/** A contract file; read, it is the domain's contract without its version. */
export const ContractFile = group({
  contract: slug('the name of the contract'),
  changeOwner: PersonRef,
  starts: listOf(StartRule, 'start rules'),
  requires: listOf(Requirement, 'facts'),
  responsible: group({ observer: WithBackup, decisionOwner: WithBackup, approver: WithBackup, executor: WithBackup, incidentOwner: WithBackup }),
  custodianUntilAccepted: WithBackup,
  calendar: slug('the name of a calendar').optional(),
  closedHours: ClosedHours.optional(),
  ask: listOf(AskStep, 'steps'),
  lateAcceptance: oneOf(['deny', 'allow-if-unclaimed']),
  clarification: Clarification.optional(),
  accept: group({
    nextActions: listOf(slug('a next action such as call'), 'next actions'),
    dueWithin: WindowField,
    ifOverdue: Overdue,
  }),
  reject: Rejects,
  exceptions: Exceptions,
}).transform(({ contract, custodianUntilAccepted, calendar, closedHours, clarification, ...rest }, context): Omit<Contract, 'version'> => {
  const windows = { ...rest, ...(clarification !== undefined && { clarification }) };
  const missing = (path: (string | number)[]) => context.addIssue({ code: 'custom', path, message: 'expected calendar: in the contract, since this counts business time' });
  const same = inOwnCalendar(windows, calendar, missing);
  return { name: contract, intakeLead: custodianUntilAccepted, ...same, ...(calendar !== undefined && { calendar }), ...(closedHours !== undefined && { closedHours }) };
});
