// What a person must meet to be asked, in the order of R-02. The first gate that fails is the one that is reported.

import { isOpen } from './business-time.ts';
import { unreachable } from './channels.ts';
import type { Offer } from './handoff.ts';
import { type Load, NO_LOAD } from './load.ts';
import { localParts } from './local-time.ts';
import type { Packet } from './packet.ts';
import type { Calendar, Licence, LicenceRule, Policy } from './policy.ts';
import type { PreparedRoster, Standing } from './prepared-roster.ts';

/** One rule: what it saw when it passes (nothing, when there was nothing to say), or why it does not. */
type Verdict = { pass: true; because?: string } | { pass: false; failed: string };

/** One request as the gates see it. Answers that many people share are worked out once. */
export type Request = {
  prepared: PreparedRoster;
  product: string | undefined;
  language: Language;
  licences: readonly LicenceRule[];
  covered: ReadonlyMap<number, string>;
  hasPlace: boolean;
  loads: Readonly<Record<string, Load>>;
  earlier: readonly Offer[];
  now: string;
  today(zone: string): string;
  duty(calendar: string): Verdict;
};

type Gate = (who: Standing, request: Request) => Verdict;
type Language = { kind: 'unstated' } | { kind: 'unknown' } | { kind: 'stated'; code: string; name: string };

const pass = (because?: string): Verdict => (because === undefined ? PASSED : { pass: true, because });
const fail = (failed: string): Verdict => ({ pass: false, failed });
const PASSED: Verdict = { pass: true };

/** What a roster alone decides, and what a person carries besides. */
const BEFORE_LOAD: readonly Gate[] = [byTerritory, byProduct, byLicence, byLanguage, bySchedule];
const GATES: readonly Gate[] = [...BEFORE_LOAD, byCapacity, byChannel, byEarlierAnswer];

/** Asks every gate; answers what they saw, or the first that fails. */
export function examine(who: Standing, request: Request): { pass: true; rule: string } | { pass: false; failed: string } {
  const reasons: string[] = [];
  for (const gate of GATES) {
    const verdict = gate(who, request);
    if (!verdict.pass) return verdict;
    if (verdict.because !== undefined) reasons.push(verdict.because);
  }
  return { pass: true, rule: reasons.join(' · ') };
}

/** Whether only what they carry can still decide about this person. */
export const mustBeWeighed = (who: Standing, request: Request): boolean => BEFORE_LOAD.every((gate) => gate(who, request).pass);

/** Prepares a request for the gates. */
export function requestOf(packet: Packet, policy: Policy, seen: Pick<Request, 'prepared' | 'covered' | 'loads' | 'earlier' | 'now'>): Request {
  const product = (packet.request.product ?? packet.request.category)?.trim().toLowerCase();
  const dates = new Map<string, string>();
  const duties = new Map<string, Verdict>();
  const stated = product === '' ? undefined : product;
  return {
    ...seen,
    product: stated,
    language: languageOf(packet.contact.language),
    licences: (policy.contract.licences ?? []).filter(({ products }) => products === undefined || products.some((one) => one.toLowerCase() === stated)),
    hasPlace: packet.location.postalCode !== undefined || seen.covered.size > 0,
    today: (zone) => remembered(dates, zone, () => localParts(seen.now, zone).date),
    duty: (name) =>
      remembered(duties, name, () =>
        dutyBy(
          name,
          policy.calendars.find((one) => one.name === name),
          seen.now,
        ),
      ),
  };
}

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

function byTerritory({ person, at }: Standing, { covered, hasPlace, prepared }: Request): Verdict {
  if (person.territories.length === 0) return pass('serves everywhere');
  const entry = covered.get(at);
  if (entry !== undefined) return pass(`serves ${entry}`);
  return fail(hasPlace ? (prepared.outside[at]?.failed ?? 'outside territory') : 'territory unknown');
}

function byProduct({ person, at }: Standing, { product, prepared }: Request): Verdict {
  if (person.products.length === 0) return pass('sells everything');
  if (product === undefined) return fail('product unknown');
  const sold = person.products.find((one) => one.toLowerCase() === product);
  return sold === undefined ? fail(prepared.otherProduct[at] ?? 'other product') : pass(`sells ${sold}`);
}

/** A licence counts on the local date of its holder. */
function byLicence({ person }: Standing, { licences, today }: Request): Verdict {
  if (licences.length === 0) return PASSED;
  const day = today(person.zone);
  for (const { licence } of licences) {
    const valid = person.licences?.some(({ name, from = day, until }) => name === licence && from <= day && day <= until);
    if (valid !== true) return fail(licenceFault(person.licences ?? [], licence, day));
  }
  return pass(`licensed for ${licences.map(({ licence }) => licence).join(', ')}`);
}

function licenceFault(licences: readonly Licence[], licence: string, day: string): string {
  const ends = licences.flatMap(({ name, until }) => (name === licence ? [until] : [])).sort();
  const until = ends.at(-1);
  if (until === undefined) return `no licence ${licence}`;
  return until < day ? `licence ${licence} ended on ${until}` : `licence ${licence} is not valid yet`;
}

/** A language that nobody stated excludes nobody; a stated one is compared without its region (`es-MX` is Spanish). */
function byLanguage({ person }: Standing, { language }: Request): Verdict {
  if (language.kind === 'unstated') return PASSED;
  if (language.kind === 'unknown') return fail('language unknown');
  return person.languages.includes(language.code) ? pass(`speaks ${language.name}`) : fail(`does not speak ${language.name}`);
}

function languageOf(text: string | undefined): Language {
  const stated = text?.trim().toLowerCase();
  if (stated === undefined || stated === '') return { kind: 'unstated' };
  const code = stated.split(/[-_]/)[0] ?? '';
  return /^[a-z]{2,3}$/.test(code) ? { kind: 'stated', code, name: LANGUAGE_NAMES[code] ?? code } : { kind: 'unknown' };
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

function bySchedule({ person }: Standing, { today, duty, now }: Request): Verdict {
  if (person.away.length > 0) {
    const day = today(person.zone);
    const away = person.away.find(({ from, to }) => day >= from && day <= to);
    if (away !== undefined) return fail(`away until ${away.to}`);
  }
  const missing = person.unavailable?.find(({ from, until }) => now >= from && now < until);
  if (missing !== undefined) return fail(`unavailable until ${missing.until}`);
  return person.calendar === undefined ? PASSED : duty(person.calendar);
}

function dutyBy(name: string, calendar: Calendar | undefined, now: string): Verdict {
  if (calendar === undefined) return fail(`schedule unknown: no calendar ${name}`);
  if (isOpen(calendar, now)) return pass(`on duty by ${name}`);
  const { date, weekday, time } = localParts(now, calendar.zone);
  return fail(calendar.closedOn.includes(date) ? `off duty: ${name} is closed on ${date}` : `off duty: ${name} is closed at ${weekday} ${time}`);
}

/** A look at what they hold now; the write of a yes decides. */
function byCapacity({ person }: Standing, { loads }: Request): Verdict {
  if (person.capacity === undefined) return PASSED;
  const { held } = loads[person.id] ?? NO_LOAD;
  return held >= person.capacity ? fail(`at capacity: owns ${held} of ${person.capacity}`) : pass(`owns ${held} of ${person.capacity}`);
}

function byChannel({ person }: Standing): Verdict {
  const because = unreachable(person);
  return because === undefined ? PASSED : fail(`not reachable: ${because}`);
}

/** Nobody is asked again who said no to this handoff, nor anybody who asked to be left out for the rest of their day. */
function byEarlierAnswer({ person }: Standing, { earlier, loads, now }: Request): Verdict {
  const no = earlier.find((offer) => offer.to === person.id && offer.status === 'rejected' && (offer.excludedUntil === undefined || now < offer.excludedUntil));
  if (no !== undefined) return fail(`said no before: ${no.reason ?? 'other'}`);
  const until = loads[person.id]?.excludedUntil;
  return until !== undefined && now < until ? fail('left out today: said no-capacity') : PASSED;
}
