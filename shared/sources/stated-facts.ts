// From named fields to facts. A field is either understood completely or kept as it was sent: nothing is guessed, nothing is lost.

import type { AccountFacts } from '../domain/packet.ts';
import type { Signal } from '../domain/signal.ts';
import { plainName } from './field-name.ts';
import type { JsonObject, JsonValue } from './read-json.ts';
import { asciiLower, statedEmail } from './stated-email.ts';

type Draft = {
  contact: { -readonly [K in keyof Signal['contact']]: Signal['contact'][K] };
  request: { -readonly [K in keyof Signal['request']]: Signal['request'][K] };
  location: { -readonly [K in keyof Signal['location']]: Signal['location'][K] };
  consent: { -readonly [K in keyof Signal['consent']]: Signal['consent'][K] };
  account: AccountFacts;
};

/** The parts of a signal that its fields state. */
export type StatedFacts = Pick<Signal, 'contact' | 'request' | 'location' | 'consent' | 'account' | 'more'>;

/** Takes a text as a fact. False when it says something else, or more than the fact holds: then the text is kept as sent as well. */
type Take = (draft: Draft, text: string, read: ReadPhone) => boolean;

/** The valid number that a text is, in E.164; `whole` is false when the text says more. */
export type ReadPhone = (text: string, country?: string) => { number: string; whole: boolean } | undefined;

const MAX_NAME = 200;
const MAX_SHORT = 100;
const MAX_TIMING = 1000;

const takeName: Take = ({ contact }, text) => {
  if (contact.name !== undefined) return false;
  contact.name = [...text.trim()].slice(0, MAX_NAME).join('');
  return contact.name === text.trim();
};

const takeEmail: Take = ({ contact }, text) => {
  const address = statedEmail(text);
  if (address === undefined || contact.email !== undefined) return false;
  contact.email = address;
  return true;
};

const takePhone: Take = ({ contact }, text, read) => {
  const phone = read(text);
  if (phone === undefined || contact.phone !== undefined) return false;
  contact.phone = phone.number;
  return phone.whole;
};

const LANGUAGES: ReadonlyMap<string, string> = new Map(Object.entries({ english: 'en', inglés: 'en', spanish: 'es', español: 'es', castellano: 'es' }));

const takeLanguage: Take = ({ contact }, text) => {
  const stated = text.trim().normalize('NFC').toLowerCase();
  const code = LANGUAGES.get(stated) ?? /^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*$/.exec(stated)?.[1];
  if (code === undefined || contact.language !== undefined) return false;
  contact.language = code;
  return stated === code || LANGUAGES.has(stated);
};

const CHANNELS: ReadonlyMap<string, 'email' | 'phone' | 'sms'> = new Map(
  Object.entries({ email: 'email', 'e-mail': 'email', phone: 'phone', call: 'phone', sms: 'sms', text: 'sms' } as const),
);

const takePreference: Take = ({ contact }, text) => {
  const channel = CHANNELS.get(asciiLower(text.trim()));
  if (channel === undefined || contact.prefers !== undefined) return false;
  contact.prefers = channel;
  return true;
};

const takeWords: Take = ({ request }, text) => {
  if (request.words !== undefined) return false;
  request.words = text;
  return true;
};

/** `Roof inspection` and `roof-inspection` are the same category. The label is kept beside it when it differs. */
const takeSlug =
  (key: 'category' | 'product'): Take =>
  ({ request }, text) => {
    const slug = slugOf(text);
    if (slug === undefined || request[key] !== undefined) return false;
    request[key] = slug;
    return slug === text;
  };

const slugOf = (text: string): string | undefined => {
  const slug = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' || slug.length > MAX_SHORT ? undefined : slug;
};

const takeShort = (text: string): string | undefined => (text.trim().length <= MAX_SHORT ? text.trim() : undefined);

const takeTiming: Take = ({ request }, text) => {
  if (request.timing !== undefined || text.length > MAX_TIMING) return false;
  request.timing = text.trim();
  return true;
};

const takePlace =
  (key: 'postalCode' | 'city' | 'region' | 'country'): Take =>
  ({ location }, text) => {
    const short = takeShort(text);
    if (short === undefined || location[key] !== undefined) return false;
    location[key] = short;
    return true;
  };

const GRANTED: ReadonlySet<string> = new Set(['yes', 'true', 'granted', 'on', 'sí', 'si', '1']);
const DENIED: ReadonlySet<string> = new Set(['no', 'false', 'denied', 'off', '0']);

const takeConsent =
  (channel: 'email' | 'sms'): Take =>
  ({ consent }, text) => {
    const word = text.trim().normalize('NFC').toLowerCase();
    const answer = GRANTED.has(word) ? 'granted' : DENIED.has(word) ? 'denied' : undefined;
    if (answer === undefined || consent[channel] !== undefined) return false;
    consent[channel] = answer;
    return true;
  };

const takePurpose: Take = ({ request }, text) => {
  const purpose = asciiLower(text.trim());
  if (request.purpose !== undefined || (purpose !== 'sales' && purpose !== 'service')) return false;
  request.purpose = purpose;
  return true;
};

const takeRegulated: Take = ({ request }, text) => {
  const matter = takeShort(text);
  if (matter === undefined || request.regulated !== undefined) return false;
  request.regulated = matter;
  return true;
};

const takeSafety: Take = ({ request }, text) => {
  const word = asciiLower(text.trim());
  if (request.safety !== undefined || (word !== 'yes' && word !== 'no' && word !== 'true' && word !== 'false')) return false;
  request.safety = word === 'yes' || word === 'true' ? 'yes' : 'no';
  return true;
};

const takeCustomer: Take = ({ account }, text) => {
  const word = asciiLower(text.trim());
  if (account.existingCustomer !== undefined || (word !== 'yes' && word !== 'no' && word !== 'true' && word !== 'false')) return false;
  account.existingCustomer = word === 'yes' || word === 'true' ? 'yes' : 'no';
  return true;
};

const MOST_MATCHES = 100;

/** Ids of account records with commas between them. */
const takeMatches: Take = ({ account }, text) => {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (account.matches !== undefined || ids.length > MOST_MATCHES || ids.some((id) => id.length > MAX_SHORT)) return false;
  account.matches = ids;
  return true;
};

/** Names of fields that state a fact. The first name of each line is the published one; the others are what common forms send. */
export const TAKES: ReadonlyMap<string, Take> = new Map<string, Take>([
  ...named(takeName, 'name', 'full_name', 'fullname', 'nombre', 'nombre_completo'),
  ...named(takeEmail, 'email', 'email_address', 'e_mail', 'correo', 'correo_electronico'),
  ...named(takePhone, 'phone', 'phone_number', 'mobile', 'telephone', 'tel', 'mobile_phone', 'telefono'),
  ...named(takeLanguage, 'language', 'idioma'),
  ...named(takePreference, 'prefers', 'preferred_contact'),
  ...named(takeWords, 'message', 'details', 'comments', 'comment', 'note', 'notes', 'how_can_we_help', 'how_can_we_help_you', 'inquiry', 'enquiry', 'mensaje'),
  ...named(takeSlug('category'), 'category', 'service', 'service_needed', 'service_type', 'servicio'),
  ...named(takeSlug('product'), 'product', 'producto'),
  ...named(takeTiming, 'timing'),
  ...named(takePlace('postalCode'), 'postal_code', 'zip', 'postcode', 'zip_code', 'codigo_postal'),
  ...named(takePlace('city'), 'city', 'ciudad'),
  ...named(takePlace('region'), 'region', 'state'),
  ...named(takePlace('country'), 'country'),
  ...named(takePurpose, 'purpose'),
  ...named(takeRegulated, 'regulated'),
  ...named(takeSafety, 'safety'),
  ...named(takeCustomer, 'existing_customer'),
  ...named(takeMatches, 'account_matches'),
  ...named(takeConsent('email'), 'consent.email', 'consent__email', 'email_consent', 'consent_email', 'email_opt_in', 'email_optin'),
  ...named(takeConsent('sms'), 'consent.sms', 'consent__sms', 'sms_consent', 'consent_sms', 'sms_opt_in', 'sms_optin'),
]);

function named(take: Take, ...names: string[]): [string, Take][] {
  return names.map((name) => [name, take]);
}

/** Reads the fields in order; the first that states a fact wins, and what contradicts it is kept as sent. A country among the fields says where its number is dialled. */
export function factsWith(readPhone: ReadPhone, fields: readonly (readonly [string, JsonValue])[]): StatedFacts {
  const draft: Draft = { contact: {}, request: {}, location: {}, consent: {}, account: {} };
  const more = new Map<string, string>();
  const whole = joinedNames(fields);
  const dialled = fields.find(([key]) => key === 'country')?.[1];
  const from = typeof dialled === 'string' && /^[A-Za-z]{2}$/.test(dialled.trim()) ? dialled.trim().toUpperCase() : undefined;
  for (const [key, value] of whole) {
    const text = textOf(value);
    if (text === undefined) continue;
    const take = typeof value === 'object' ? undefined : (TAKES.get(key) ?? TAKES.get(plainName(key)));
    if (take?.(draft, text, (phone) => readPhone(phone, from)) !== true) keep(more, key, text);
  }
  const { account, ...facts } = draft;
  return { ...facts, ...(Object.keys(account).length > 0 && { account }), more: Object.fromEntries(more) };
}

/** Whether the fields state anything at all. */
export const statesNothing = ({ contact, request, location, consent, account = {}, more }: StatedFacts): boolean =>
  [contact, request, location, consent, account, more].every((part) => Object.keys(part).length === 0);

/** Fields in which `consent` objects are opened into one field a channel. */
export function fieldsOf(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).flatMap(([key, value]): [string, JsonValue][] =>
    key === 'consent' && isObject(value) ? Object.entries(value).map(([channel, answer]) => [`consent.${channel}`, answer]) : [[key, value]],
  );
}

export const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a value as it was sent; undefined for what states nothing: null and blank text. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  return text.trim() === '' ? undefined : text;
}

const FIRST_OR_LAST: ReadonlySet<string> = new Set(['first_name', 'firstname', 'last_name', 'lastname']);

/** A first and a last name become the name, unless one is stated as a whole. */
function joinedNames(fields: readonly (readonly [string, JsonValue])[]): readonly (readonly [string, JsonValue])[] {
  const of = (...wanted: string[]) => fields.find(([key, value]) => wanted.includes(plainName(key)) && typeof value === 'string' && value.trim() !== '')?.[1];
  const [first, last] = [of('first_name', 'firstname'), of('last_name', 'lastname')];
  if (of('name', 'full_name') !== undefined || (first === undefined && last === undefined)) return fields;
  const rest = fields.filter(([key, value]) => !(FIRST_OR_LAST.has(plainName(key)) && (value === first || value === last)));
  const name = [first, last].map((part) => textOf(part)?.trim()).filter((part) => part !== undefined);
  return [['name', name.join(' ')], ...rest];
}

/** Keeps a field under its name; a second field of the same name gets a number. */
function keep(more: Map<string, string>, key: string, text: string): void {
  let name = key;
  for (let n = 2; more.has(name); n += 1) name = `${key}#${n}`;
  more.set(name, text);
}
