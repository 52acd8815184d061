// Who may be asked, in which order, and why. Same input, same answer, always.

import { isOpen } from './business-time.ts';
import { localParts } from './local-time.ts';
import type { Packet } from './packet.ts';
import type { AskStep, Calendar, Person, Policy } from './policy.ts';
import type { Candidate, Considered } from './receipt.ts';
import { coveringEntry } from './territory.ts';

/** What the gates look at. `openCounts` is how many open handoffs each person holds, for `least-open`. */
export type ResolverInput = { packet: Packet; policy: Policy; openCounts: Readonly<Record<string, number>>; now: string };

/** One rule a person must meet: what it saw when it passes (nothing, when there was nothing to say), or why it does not. */
type Verdict = { pass: true; because?: string } | { pass: false; failed: string };
type Gate = (person: Person, input: ResolverInput) => Verdict;

const pass = (because?: string): Verdict => (because === undefined ? { pass: true } : { pass: true, because });
const fail = (failed: string): Verdict => ({ pass: false, failed });

/** In the order of R-02; the first that fails is the one that is reported. */
const GATES: readonly Gate[] = [byTerritory, byProduct, byLanguage, bySchedule, byChannel];

/**
 * Everyone on the roster with a verdict, and those who passed in the order of asking. A person appears once, in the first
 * step that names them; a step without anybody eligible leaves no trace among the candidates.
 * The texts name rules and entries of the roster, never what the customer wrote: they end up in receipts.
 */
export function resolveCandidates(input: ResolverInput): { candidates: Candidate[]; considered: Considered[] } {
  const { contract, roster } = input.policy;
  const considered = roster.people.map((person) => consider(person, input));
  const rules = new Map(considered.flatMap((one) => (one.eligible ? [[one.person, one.rule] as const] : [])));
  const candidates: Candidate[] = [];
  contract.ask.forEach((ask, step) => {
    for (const person of inOrder(ask, input)) {
      const rule = rules.get(person.id);
      if (rule === undefined) continue;
      rules.delete(person.id);
      candidates.push({ person: person.id, step, rule });
    }
  });
  return { candidates, considered };
}

function consider(person: Person, input: ResolverInput): Considered {
  const { ask } = input.policy.contract;
  if (!ask.some((step) => isAsked(person, step))) return { person: person.id, eligible: false, failed: `not asked: no step of the contract names them as ${rolesOf(ask)}` };
  const reasons: string[] = [];
  for (const gate of GATES) {
    const verdict = gate(person, input);
    if (!verdict.pass) return { person: person.id, eligible: false, failed: verdict.failed };
    if (verdict.because !== undefined) reasons.push(verdict.because);
  }
  return { person: person.id, eligible: true, rule: reasons.join(' · ') };
}

const isAsked = (person: Person, step: AskStep): boolean => person.roles.includes(step.role) && (step.people === undefined || step.people.includes(person.id));

const rolesOf = (ask: readonly AskStep[]): string => [...new Set(ask.map((step) => step.role))].join(' or ');

function inOrder(ask: AskStep, { policy, openCounts }: ResolverInput): Person[] {
  const people = policy.roster.people.filter((person) => isAsked(person, ask));
  const listed = ask.people;
  if (ask.order === 'fixed') return listed === undefined ? people : people.sort((a, b) => listed.indexOf(a.id) - listed.indexOf(b.id));
  const open = (person: Person) => openCounts[person.id] ?? 0;
  return people.sort((a, b) => open(a) - open(b) || (a.id < b.id ? -1 : 1));
}

function byTerritory(person: Person, { packet }: ResolverInput): Verdict {
  if (person.territories.length === 0) return pass('serves everywhere');
  const { postalCode } = packet.location;
  if (postalCode === undefined) return fail('territory unknown');
  const entry = coveringEntry(person.territories, postalCode);
  return entry === undefined ? fail(`outside territory: serves ${person.territories.join(', ')}`) : pass(`serves ${entry}`);
}

function byProduct(person: Person, { packet }: ResolverInput): Verdict {
  if (person.products.length === 0) return pass('sells everything');
  const asked = (packet.request.product ?? packet.request.category)?.trim().toLowerCase();
  if (asked === undefined || asked === '') return fail('product unknown');
  const sold = person.products.find((product) => product.toLowerCase() === asked);
  return sold === undefined ? fail(`other product: sells ${person.products.join(', ')}`) : pass(`sells ${sold}`);
}

/** A language that nobody stated excludes nobody; a stated one is compared without its region (`es-MX` is Spanish). */
function byLanguage(person: Person, { packet }: ResolverInput): Verdict {
  const stated = packet.contact.language?.trim().toLowerCase();
  if (stated === undefined || stated === '') return pass();
  const language = stated.split(/[-_]/)[0] ?? '';
  if (!/^[a-z]{2,3}$/.test(language)) return fail('language unknown');
  return person.languages.includes(language) ? pass(`speaks ${nameOf(language)}`) : fail(`does not speak ${nameOf(language)}`);
}

function bySchedule(person: Person, { policy, now }: ResolverInput): Verdict {
  const today = localParts(now, person.zone).date;
  const away = person.away.find(({ from, to }) => today >= from && today <= to);
  if (away !== undefined) return fail(`away until ${away.to}`);
  const missing = person.unavailable?.find(({ from, until }) => now >= from && now < until);
  if (missing !== undefined) return fail(`unavailable until ${missing.until}`);
  if (person.calendar === undefined) return pass();
  const calendar = policy.calendars.find((one) => one.name === person.calendar);
  if (calendar === undefined) return fail(`schedule unknown: no calendar ${person.calendar}`);
  return isOpen(calendar, now) ? pass(`on duty by ${calendar.name}`) : fail(offDuty(calendar, now));
}

function offDuty(calendar: Calendar, now: string): string {
  const { date, weekday, time } = localParts(now, calendar.zone);
  return calendar.closedOn.includes(date) ? `off duty: ${calendar.name} is closed on ${date}` : `off duty: ${calendar.name} is closed at ${weekday} ${time}`;
}

function byChannel(person: Person): Verdict {
  return person.email === undefined && person.sms === undefined ? fail('not reachable: neither e-mail nor text message') : pass();
}

/** Written out rather than asked of `Intl`, so that a receipt reads the same on every machine. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  en: 'English',
  es: 'Spanish',
  fr: 'French',
  de: 'German',
  pt: 'Portuguese',
  zh: 'Chinese',
  vi: 'Vietnamese',
  ru: 'Russian',
};

const nameOf = (language: string): string => LANGUAGE_NAMES[language] ?? language;
