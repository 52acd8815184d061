// What the business decided, as the domain reads it. The YAML form and its checks live in shared/contracts/policy-*.ts.

import type { PersonId } from './ids.ts';

/** Factual reasons for a no (O-02). */
export const REJECT_REASONS = [
  'wrong-territory',
  'wrong-product',
  'existing-customer-service',
  'duplicate',
  'missing-required-field',
  'no-capacity',
  'regulated-owner-required',
  'other',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Why a handoff cannot proceed (E-01). */
export const EXCEPTION_CLASSES = [
  'no-eligible-owner',
  'missing-context',
  'possible-duplicate',
  'prior-opt-out',
  'existing-customer-service',
  'several-accounts',
  'regulated-request',
  'territory-unknown',
  'conflicting-facts',
  'undeliverable',
  'all-declined',
  'nobody-answered',
  'clarification-expired',
  'write-unreconciled',
  'system-fault',
  'safety-urgent',
] as const;
export type ExceptionClass = (typeof EXCEPTION_CLASSES)[number];

/** Factual ends of a handoff. */
export const OUTCOMES = ['contact-failed', 'duplicate', 'not-a-fit', 'withdrawn', 'suppressed', 'completed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * How long something may take (C-06). Seconds are wall time, or business time of the calendar that is named. Days are open
 * days of a calendar and end at the same time of day: "one business day" is no number of hours (TM-03).
 */
export type Window = { seconds: number; calendar?: string } | { days: number; calendar: string };

/**
 * What holds while the contract's calendar is closed (C-08). `next-opening`: a window to accept that would start now starts
 * when the calendar opens; `at-once`: it starts now. `tellCustomer` names the message a customer gets who writes meanwhile.
 */
export type ClosedHours = { startsAt: 'next-opening' | 'at-once'; tellCustomer: string };

export type WithBackup = { person: PersonId; backup: PersonId };

/** One line of "whom to ask": people of a role, in an order, for a time. */
export type AskStep = {
  role: string;
  order: AskOrder;
  people?: readonly PersonId[];
  window: Window;
  /** How long after the window starts the person is reminded, if they have not answered by then (O-07). */
  warnAt?: Window;
};

/** How long the people of every step may take for requests of one kind, in place of what the steps say (C-06). `urgency` is when the person wants it, as stated. */
export type AnswerWindow = {
  when: { signal?: readonly string[]; channel?: readonly string[]; product?: readonly string[]; urgency?: readonly string[] };
  window: Window;
  warnAt?: Window;
};

/**
 * Who comes first among the eligible of a step: as listed, whoever holds the fewest open handoffs, or whoever had
 * their last turn longest ago. Ties break on the id of the person.
 */
export const ASK_ORDERS = ['fixed', 'least-open', 'fair-turn'] as const;
export type AskOrder = (typeof ASK_ORDERS)[number];

/**
 * What a reason for a no leads to: the next candidate, or an exception. `flagRule` marks the routing rule for the weekly
 * review; `exclude: today` asks this person nothing more until their day is over.
 */
export type RejectConsequence = { then: 'next-candidate'; flagRule: boolean; exclude?: 'today' } | { then: 'exception'; class: ExceptionClass; flagRule: boolean };

/**
 * A question before a yes or no (O-06): who owes the answer, how many questions one offer takes, and how long the answer may
 * take before the handoff goes to a person. While it is owed the offer's own window stands still; the answer begins it anew.
 */
export type ClarificationRule = { answeredBy: 'intake' | PersonId; limit: number; expires: Window; tellCustomer?: string };

/** The rule of a contract that writes none. */
export const NO_CLARIFICATION_RULE: ClarificationRule = { answeredBy: 'intake', limit: 1, expires: { seconds: 1800 } };

/** Who answers for a class of exception, how fast, and which message the customer gets when it is raised. `whilePaused: send` tells the owner also while sending to staff is paused. */
export type ExceptionRule = {
  owner: PersonId;
  backup: PersonId;
  escalateTo: PersonId;
  respond: Window;
  review: Window;
  meanwhile: 'hold' | 'pause-outreach';
  tellCustomer?: string;
  whilePaused?: 'send';
};

/** `from` names providers, or single sites of them; `implies` is what a request from there says without words, by the path of the fact. */
export type StartRule = { on: string; from: readonly string[]; category?: readonly string[]; implies?: Readonly<Record<string, string>> };

/** A fact that must be present; one path, or any of several. */
export type Requirement = { anyOf: readonly string[] };

/** A named person, or whoever holds a role, with the person who steps in (C-02). */
export type Responsible = WithBackup | { role: string; backup: PersonId };

export type Responsibility = 'observer' | 'decisionOwner' | 'approver' | 'executor' | 'incidentOwner';

export const OVERDUE_STEPS = ['remind', 'offer-again', 'exception'] as const;
/** What happens when a promise stays without evidence. Left out: `remind`, then `exception`. */
export type OverdueStep = (typeof OVERDUE_STEPS)[number];

/** Requests of these products (all, without any) go only to people whose licence is valid on the day. */
export type LicenceRule = { licence: string; products?: readonly string[] };

/** What the contract promises to serve: every combination of these needs somebody. Read by the ownership audit alone (C-03). */
export type Serves = { products: readonly string[]; languages?: readonly string[]; territories?: readonly string[] };

/** A handoff contract (C-01) on one immutable version. */
export type Contract = {
  name: string;
  /** Content hash of the contract; receipts name it. */
  version: string;
  changeOwner: PersonId;
  starts: readonly StartRule[];
  requires: readonly Requirement[];
  responsible: Readonly<Record<Responsibility, Responsible>>;
  intakeLead: WithBackup;
  /** Categories in which an existing customer asks for service: a person sorts them out, no seller is asked. */
  service?: { categories: readonly string[] };
  /** Categories that only somebody with the authority may answer: they go to the owner of `regulated-request`. */
  regulated?: { categories: readonly string[] };
  /** Requests of these categories, or that name one of these, go to the owner of `safety-urgent` before anything else (E-04). */
  safety?: { categories?: readonly string[]; words?: readonly string[] };
  licences?: readonly LicenceRule[];
  serves?: Serves;
  ask: readonly AskStep[];
  windows?: readonly AnswerWindow[];
  lateAcceptance: 'deny' | 'allow-if-unclaimed';
  /** What a question to an offer leads to; `NO_CLARIFICATION_RULE` answers when nothing is written. */
  clarification?: ClarificationRule;
  accept: {
    nextActions: readonly string[];
    dueWithin: Window;
    /** After the due time passes, one after another: a reminder at once; after `grace` the next candidate, while there is one; in the end an exception of this class (L-07). */
    ifOverdue: { grace: Window; class: ExceptionClass; steps?: readonly OverdueStep[] };
  };
  reject: Readonly<Record<RejectReason, RejectConsequence>>;
  /** The calendar of its business clock, of `business` windows and of its closed hours. */
  calendar?: string;
  closedHours?: ClosedHours;
  /** The calendars that it names, as they were when this version was made: a handoff keeps the hours it opened with (C-04). */
  hours?: readonly Calendar[];
  /** Every class that this contract can raise; `default` answers for the rest. */
  exceptions: Readonly<Partial<Record<ExceptionClass, ExceptionRule>> & { default: ExceptionRule }>;
};

/** A stretch of local time on one weekday, `from` up to but not including `to`, as `HH:MM`. `24:00` ends a day. */
export type Interval = { from: string; to: string };

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When people work, by the wall clock of one zone (C-07). Dates are local dates of that zone (TM-08). */
export type Calendar = {
  name: string;
  zone: string;
  weekly: Readonly<Record<Weekday, readonly Interval[]>>;
  /** Dates on which no shift starts: the firm's own and those of its holiday sets. */
  closedOn: readonly string[];
  /** Dates with hours of their own, half days above all; they overrule the week and `closedOn`. */
  specialHours?: Readonly<Record<string, readonly Interval[]>>;
};

/** A permission to sell or do something, on local dates of its holder, both included. */
export type Licence = { name: string; from?: string; until: string };

/** Why a channel of a person is not used: its messages came back, the person wants none there, or nobody checked it yet. */
export type ClosedChannel = { channel: 'email' | 'sms'; because: 'bounced' | 'opted-out' | 'unverified' };

/** A territory with explicit boundaries: postal codes and ranges of them, and whole regions. */
export type Territory = { name: string; postalCodes: readonly string[]; regions: readonly string[] };

/** A seller, intake lead or exception owner. Addresses are personal data of staff and never enter a receipt. */
export type Person = {
  id: PersonId;
  name: string;
  roles: readonly string[];
  /** What they serve: postal codes (`97201`), inclusive ranges (`97201-97299`), or territories by name. Empty means everywhere. */
  territories: readonly string[];
  /** Empty means every product. */
  products: readonly string[];
  languages: readonly string[];
  /** Language and zone of the messages and pages made for this person. */
  speaks: 'en' | 'es';
  zone: string;
  calendar?: string;
  /** Local dates, inclusive, on which the person is away. */
  away: readonly { from: string; to: string }[];
  /** Instants between which the person is unavailable at short notice; told by an order, never written in the roster (L-08). */
  unavailable?: readonly { from: string; until: string }[];
  email?: string;
  sms?: string;
  /** Member id in the workspace whose clicks are taken. Always beside an address: what Slack shows is kept short. */
  slack?: string;
  closedChannels?: readonly ClosedChannel[];
  licences?: readonly Licence[];
  /** How many handoffs they may own at a time; no limit without it. */
  capacity?: number;
  /** Their own numbers in place of the firm's. */
  messagesPerHour?: MessagesPerHour;
};

/** How many messages one person gets on a channel within an hour, apart from those that no limit may hold (O-09). */
export type MessagesPerHour = Readonly<Partial<Record<'email' | 'sms' | 'slack', number>>>;

/** The people, and the territories that share out the map among them: an address on no side or on two is nobody's to guess. */
export type Roster = { version: string; people: readonly Person[]; territories?: readonly Territory[]; messagesPerHour?: MessagesPerHour };

/** Everything a decision may read from policy, on fixed versions (C-05). */
export type Policy = { contract: Contract; roster: Roster; calendars: readonly Calendar[] };
