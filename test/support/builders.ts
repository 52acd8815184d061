// Things of the domain for tests. Each builder fills in what does not matter, so that a test shows only what does.

import type { Command } from '../../shared/domain/command.ts';
import type { Handoff, Offer, RaisedException } from '../../shared/domain/handoff.ts';
import { commandId, handoffId, personId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import {
  type Calendar,
  type Contract,
  type ExceptionRule,
  type Person,
  type Policy,
  REJECT_REASONS,
  type RejectConsequence,
  type RejectReason,
} from '../../shared/domain/policy.ts';
import type { Fact } from '../../shared/domain/receipt.ts';
import type { Signal } from '../../shared/domain/signal.ts';

/** The present of most tests: eight in the morning in Portland, on a Monday. */
export const NOW = '2026-03-02T16:00:00.000Z';
export const ID = handoffId('h-0123456789abcdef0123456789abcdef');

export const INA = personId('ina');
export const OMAR = personId('omar');
export const DANA = personId('dana');
export const ROSA = personId('rosa');
export const SAM = personId('sam');

/** The instant so many seconds after another. */
export const later = (instant: string, seconds: number): string => new Date(Date.parse(instant) + seconds * 1000).toISOString();

const PORTLAND = 'America/Los_Angeles';

export function aPerson(id: string, more: Partial<Person> = {}): Person {
  return {
    id: personId(id),
    name: id,
    roles: ['seller'],
    territories: [],
    products: [],
    languages: ['en'],
    speaks: 'en',
    zone: PORTLAND,
    away: [],
    email: `${id}@roof.example`,
    ...more,
  };
}

/** Open on weekdays from 08:00 to 17:00 in Portland. */
export function aCalendar(more: Partial<Calendar> = {}): Calendar {
  const day = [{ from: '08:00', to: '17:00' }];
  return { name: 'office', zone: PORTLAND, weekly: { mon: day, tue: day, wed: day, thu: day, fri: day, sat: [], sun: [] }, closedOn: [], ...more };
}

export function anExceptionRule(more: Partial<ExceptionRule> = {}): ExceptionRule {
  return { owner: OMAR, backup: DANA, escalateTo: INA, respond: { seconds: 1800 }, review: { seconds: 14_400 }, meanwhile: 'hold', ...more };
}

const NEXT: RejectConsequence = { then: 'next-candidate', flagRule: false };
const REJECTS = Object.fromEntries(REJECT_REASONS.map((reason) => [reason, NEXT])) as Record<RejectReason, RejectConsequence>;

/** Asks sellers for five minutes each, in the order of the roster; late acceptance allowed; a promise lies at most two days ahead. */
export function aContract(more: Partial<Contract> = {}): Contract {
  const pair = { person: INA, backup: OMAR };
  return {
    name: 'roof-inspection',
    version: 'c1',
    changeOwner: DANA,
    starts: [{ on: 'form.submitted', from: ['website'] }],
    requires: [],
    responsible: { observer: pair, decisionOwner: pair, approver: pair, executor: pair, incidentOwner: pair },
    intakeLead: pair,
    ask: [{ role: 'seller', order: 'fixed', window: { seconds: 300 } }],
    lateAcceptance: 'allow-if-unclaimed',
    accept: { nextActions: ['call', 'visit'], dueWithin: { seconds: 172_800 }, ifOverdue: { grace: { seconds: 7200 }, class: 'nobody-answered' } },
    reject: {
      ...REJECTS,
      'wrong-territory': { then: 'next-candidate', flagRule: true },
      duplicate: { then: 'exception', class: 'possible-duplicate', flagRule: false },
      'regulated-owner-required': { then: 'exception', class: 'regulated-request', flagRule: false },
    },
    exceptions: { default: anExceptionRule() },
    ...more,
  };
}

/** Rosa and Sam sell, Ina leads intake, Omar and Dana answer for exceptions. */
export function aPolicy(more: { contract?: Partial<Contract>; people?: readonly Person[]; calendars?: readonly Calendar[] } = {}): Policy {
  const staff = [aPerson('ina', { roles: ['intake'] }), aPerson('omar', { roles: ['operations'] }), aPerson('dana', { roles: ['owner'] })];
  return {
    contract: aContract(more.contract),
    roster: { version: 'r1', people: more.people ?? [aPerson('rosa', { languages: ['en', 'es'] }), aPerson('sam'), ...staff] },
    calendars: more.calendars ?? [],
  };
}

export function aPacket(more: Partial<Packet> = {}): Packet {
  return {
    version: 1,
    contact: { email: 'ada@example.com', language: 'en' },
    request: { words: 'The roof leaks.', category: 'roof-inspection' },
    location: { postalCode: '97201' },
    consent: {},
    sources: [],
    more: {},
    unknown: [],
    ...more,
  };
}

export function aSignal(more: Partial<Signal> = {}): Signal {
  return { source: 'website', eventId: 'form-1', kind: 'form.submitted', occurredAt: NOW, receivedAt: NOW, contact: {}, request: {}, location: {}, consent: {}, more: {}, ...more };
}

export function anOffer(more: Partial<Offer> = {}): Offer {
  return { number: 1, to: ROSA, step: 0, rule: 'serves everywhere', status: 'pending', requestedAt: NOW, deadlineAt: later(NOW, 300), packetVersion: 1, ...more };
}

export function anException(more: Partial<RaisedException> = {}): RaisedException {
  return { number: 1, class: 'nobody-answered', because: 'everyone was asked', owner: OMAR, earlierOwners: [], raisedAt: NOW, respondBy: later(NOW, 1800), ...more };
}

/** A row as it stands, `ready` unless the test says otherwise. For whole lives use `aLife`. */
export function aHandoff(more: Partial<Handoff> = {}): Handoff {
  return {
    id: ID,
    version: 1,
    state: 'ready',
    source: { system: 'website', eventId: 'form-1' },
    occurredAt: NOW,
    openedAt: NOW,
    changedAt: NOW,
    lastReceipt: 'handoff.opened',
    contract: 'roof-inspection',
    contractVersion: 'c1',
    packetVersion: 1,
    contactRef: 'contact-1',
    custodian: INA,
    intakeLead: INA,
    candidates: [],
    offers: [],
    exceptions: [],
    ...more,
  };
}

/** Rosa holds the first offer; Sam is next. */
export const anOfferedHandoff = (more: Partial<Handoff> = {}): Handoff =>
  aHandoff({
    version: 3,
    state: 'acceptance-requested',
    lastReceipt: 'acceptance.requested',
    candidates: [
      { person: ROSA, step: 0, rule: 'serves everywhere' },
      { person: SAM, step: 0, rule: 'serves everywhere' },
    ],
    offers: [anOffer()],
    ...more,
  });

type PersonCommand = Extract<Command, { by: unknown }>;
type Said<Kind extends PersonCommand['kind']> = Omit<Extract<PersonCommand, { kind: Kind }>, 'kind' | 'commandId' | 'channel'>;

/** A command that a person gives by email. */
export const says = <Kind extends PersonCommand['kind']>(kind: Kind, said: Said<Kind>) =>
  ({ kind, commandId: commandId(`${kind}-${String(said.by)}`), channel: 'email', ...said }) as unknown as Extract<PersonCommand, { kind: Kind }>;

/** A yes with a promise that the contract of these tests knows: a call within the hour. */
export const anAccept = (by: Handoff['custodian'], offer: number, now = NOW) => says('accept', { by, offer, nextAction: 'call', dueAt: later(now, 3600), seenPacketVersion: 1 });

export function anOpening(
  more: Pick<Partial<Extract<Fact, { kind: 'handoff.opened' }>>, 'missing' | 'possibleDuplicate' | 'required' | 'safety' | 'handoffId' | 'meeting'> = {},
): Extract<Fact, { kind: 'handoff.opened' }> {
  return {
    kind: 'handoff.opened',
    handoffId: ID,
    source: 'website',
    sourceEventId: 'form-1',
    occurredAt: NOW,
    contract: 'roof-inspection',
    intakeLead: INA,
    contactRef: 'contact-1',
    ...more,
    missing: more.missing ?? [],
  };
}
