// The form of published policy in the table: what the domain reads, on immutable versions.

import * as z from 'zod/mini';
import { ASK_ORDERS, type Contract as DomainContract, type Roster as DomainRoster, EXCEPTION_CLASSES, OVERDUE_STEPS, REJECT_REASONS, type Weekday } from '../domain/policy.ts';
import { TEXT, TEXTS } from './plain-schemas.ts';
import { ExceptionClass, handoffIdOf, personIdOf } from './receipt.ts';

const described = (description: string) => TEXT.check(z.describe(description));
const list = (description: string) => TEXTS.check(z.describe(description));

const Window = z.union([
  z.object({ seconds: z.number().check(z.describe('Length in seconds.')), calendar: z.exactOptional(described('Calendar it is counted in; wall time without one.')) }),
  z.object({ days: z.number().check(z.describe('Length in open days.')), calendar: described('Calendar whose days they are.') }),
]);
const WithBackup = z.object({ person: personIdOf('Who answers.'), backup: personIdOf('Who answers in their place.') });
const Responsible = z.union([WithBackup, z.object({ role: described('Whoever holds it answers.'), backup: personIdOf('Who answers in their place.') })]);

const AskStep = z.object({
  role: described('Role of the people to ask.'),
  order: z.enum(ASK_ORDERS).check(z.describe('In which order they are asked.')),
  people: z.exactOptional(z.array(personIdOf('One of the people.'))),
  window: Window,
  warnAt: z.exactOptional(Window),
});

const RejectConsequence = z.discriminatedUnion('then', [
  z.object({
    then: z.literal('next-candidate'),
    flagRule: z.boolean(),
    exclude: z.exactOptional(z.literal('today').check(z.describe('The person is left out until their day is over.'))),
  }),
  z.object({ then: z.literal('exception'), class: ExceptionClass, flagRule: z.boolean() }),
]);

const ExceptionRule = z.object({
  owner: personIdOf('Who answers for the class.'),
  backup: personIdOf('Who answers next.'),
  escalateTo: personIdOf('Who answers last.'),
  respond: Window,
  review: Window,
  meanwhile: z.enum(['hold', 'pause-outreach']).check(z.describe('What happens to outreach meanwhile.')),
  tellCustomer: z.exactOptional(described('Message for the customer.')),
  whilePaused: z.exactOptional(z.literal('send').check(z.describe('They are told also while sending is paused.'))),
});

const Categories = z.object({ categories: list('Categories of requests.') });

const StartRule = z.object({
  on: described('Kind of signal.'),
  from: list('Sources.'),
  category: z.exactOptional(list('Categories of the request.')),
  implies: z.exactOptional(z.record(z.string(), z.string())),
});

const exceptionRules = { ...Object.fromEntries(EXCEPTION_CLASSES.map((name) => [name, z.exactOptional(ExceptionRule)])), default: ExceptionRule };
const rejectRules = Object.fromEntries(REJECT_REASONS.map((reason) => [reason, RejectConsequence]));

const intervals = z.array(z.object({ from: described('Local start.'), to: described('Local end, not included.') }));
const weekly = { mon: intervals, tue: intervals, wed: intervals, thu: intervals, fri: intervals, sat: intervals, sun: intervals } satisfies Record<Weekday, unknown>;

/** A calendar of working hours. */
const Calendar = z.object({
  name: described('Names the calendar.'),
  zone: described('Time zone.'),
  weekly: z.object(weekly),
  closedOn: list('Local dates without hours.'),
  specialHours: z.exactOptional(z.record(z.string(), intervals).check(z.describe('Hours of single local dates.'))),
});

/** One immutable version of a contract. */
export const Contract = z.object({
  name: described('Name of the contract.'),
  version: described('Its content hash.'),
  changeOwner: personIdOf('Who may change it.'),
  starts: z.array(StartRule),
  requires: z.array(z.object({ anyOf: list('Paths of which one must be present.') })),
  responsible: z.object({ observer: Responsible, decisionOwner: Responsible, approver: Responsible, executor: Responsible, incidentOwner: Responsible }),
  intakeLead: WithBackup,
  service: z.exactOptional(Categories),
  regulated: z.exactOptional(Categories),
  safety: z.exactOptional(z.object({ categories: z.exactOptional(list('Categories of requests.')), words: z.exactOptional(list('Words of customers.')) })),
  licences: z.exactOptional(z.array(z.object({ licence: described('Licence that is needed.'), products: z.exactOptional(list('For which products; all without.')) }))),
  serves: z.exactOptional(
    z.object({
      products: list('Products promised.'),
      languages: z.exactOptional(list('Languages promised.')),
      territories: z.exactOptional(list('Places promised.')),
    }),
  ),
  ask: z.array(AskStep),
  windows: z.exactOptional(
    z.array(
      z.object({
        when: z.object({
          signal: z.exactOptional(list('Kinds of signal.')),
          channel: z.exactOptional(list('Sources.')),
          product: z.exactOptional(list('Products.')),
          urgency: z.exactOptional(list('Times wanted.')),
        }),
        window: Window,
        warnAt: z.exactOptional(Window),
      }),
    ),
  ),
  lateAcceptance: z.enum(['deny', 'allow-if-unclaimed']),
  clarification: z.exactOptional(
    z.object({
      answeredBy: personIdOf('Who owes the answer; `intake` is the intake lead.'),
      limit: z.int().check(z.positive(), z.describe('Questions an offer takes.')),
      expires: Window,
      tellCustomer: z.exactOptional(described('Message for the customer.')),
    }),
  ),
  accept: z.object({
    nextActions: list('Next actions that may be promised.'),
    dueWithin: Window,
    ifOverdue: z.object({ grace: Window, class: ExceptionClass, steps: z.exactOptional(z.array(z.enum(OVERDUE_STEPS))) }),
  }),
  reject: z.object(rejectRules),
  calendar: z.exactOptional(described('Calendar of its business clock.')),
  closedHours: z.exactOptional(
    z.object({ startsAt: z.enum(['next-opening', 'at-once']).check(z.describe('When a window to accept starts.')), tellCustomer: described('Message for the customer.') }),
  ),
  hours: z.exactOptional(z.array(Calendar).check(z.describe('The calendars it names, as they were when this version was made.'))),
  exceptions: z.object(exceptionRules),
}) as unknown as z.ZodMiniType<DomainContract>; // the keys of `reject` and `exceptions` come from lists, which the compiler widens to string

const perHour = z.exactOptional(z.int().check(z.positive(), z.describe('Messages within an hour.')));
const MessagesPerHour = z.exactOptional(z.object({ email: perHour, sms: perHour, slack: perHour }));

const Person = z.object({
  id: personIdOf('Names the person.'),
  name: described('Name as shown to colleagues.'),
  roles: list('Roles held.'),
  territories: list('Postal codes and territories served.'),
  products: list('Products served.'),
  languages: list('Languages spoken.'),
  speaks: z.enum(['en', 'es']).check(z.describe('Language of messages to this person.')),
  zone: described('Time zone.'),
  calendar: z.exactOptional(described('Calendar of working hours.')),
  away: z.array(z.object({ from: described('First local date away.'), to: described('Last local date away.') })),
  email: z.exactOptional(described('Address for email.')),
  sms: z.exactOptional(described('Number for text messages.')),
  slack: z.exactOptional(described('Member id in Slack.')),
  closedChannels: z.exactOptional(z.array(z.object({ channel: z.enum(['email', 'sms']), because: z.enum(['bounced', 'opted-out', 'unverified']) }))),
  licences: z.exactOptional(
    z.array(z.object({ name: described('Names the licence.'), from: z.exactOptional(described('First local date.')), until: described('Last local date.') })),
  ),
  capacity: z.exactOptional(z.int().check(z.positive(), z.describe('Handoffs owned at a time.'))),
  messagesPerHour: MessagesPerHour,
});

const Territory = z.object({ name: described('Names the territory.'), postalCodes: list('Postal codes and ranges inside.'), regions: list('Regions inside.') });

/** One immutable version of the roster. */
export const Roster: z.ZodMiniType<DomainRoster> = z.object({
  version: described('Content hash.'),
  people: z.array(Person),
  territories: z.exactOptional(z.array(Territory)),
  messagesPerHour: MessagesPerHour,
});

export const ContractItem = z.object({ contract: Contract });
export const RosterItem = z.object({ roster: Roster });
export const CalendarsItem = z.object({ calendars: z.array(Calendar) });

const versions = {
  contracts: z.record(z.string(), z.string()).check(z.describe('Hash by name of the contract.')),
  roster: described('Hash of the roster.'),
  calendars: described('Hash of the calendars.'),
};

const evidence = z.array(z.object({ handoffId: handoffIdOf('The handoff.'), seq: z.int().check(z.positive(), z.describe('Number of the receipt.')) }));
const number = z.int().check(z.positive(), z.describe('Counts the publications from 1.'));

/** Which versions are in force. Pointers from before publications were numbered lack what the receipt of a change says. */
export const ActiveItem = z.object({
  ...versions,
  publishedAt: described('When this was put in force.'),
  publishedBy: described('Who put it in force.'),
  number: z.exactOptional(number),
  why: z.exactOptional(described('Why.')),
  evidence: z.exactOptional(evidence),
  backTo: z.exactOptional(number),
});
export type ActiveItem = z.infer<typeof ActiveItem>;

/** The receipt of one change of policy. */
export const PublishedItem = z.object({
  publication: z.object({
    ...versions,
    number,
    at: described('When.'),
    by: described('Who.'),
    why: described('Why.'),
    evidence: evidence.check(z.describe('Receipts that it rests on.')),
    backTo: z.exactOptional(number),
  }),
});
