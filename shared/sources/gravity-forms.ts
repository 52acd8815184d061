// Gravity Forms with its Webhooks add-on: JSON or a form, without a signature, so a header that we choose stands in. It counts any
// answer as success and tries nothing again.

import { readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import { mediaTypeOf, readForm } from './read-form.ts';
import { type JsonValue, readJson } from './read-json.ts';
import { statedEmail } from './stated-email.ts';
import { isObject, textOf } from './stated-facts.ts';
import { statedPhone } from './stated-phone.ts';
import type { Field } from './stated-signal.ts';
import { headerToken } from './verify/static-token.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Attributes of an entry that are no answers. */
const ENTRY: ReadonlySet<string> = new Set([
  ...['id', 'form_id', 'post_id', 'date_created', 'date_updated', 'is_starred', 'is_read', 'ip', 'source_url', 'user_agent', 'currency', 'payment_status', 'payment_date'],
  ...['payment_amount', 'payment_method', 'transaction_id', 'is_fulfilled', 'created_by', 'transaction_type', 'status', 'source_id'],
]);

/** "Select fields" with the names of our facts is understood best; "All fields" numbers them, and the address may say which is which. */
export const gravityForms: Provider = {
  name: 'gravity-forms',
  title: 'Gravity Forms (Webhooks add-on)',
  secret: { from: 'baton', what: 'value of a request header' },
  setup: [
    'Form > Settings > Webhooks > Add New: Request URL <url>, method POST, format JSON.',
    'Request Headers: name "Authorization", value "Bearer <secret>".',
    'Request Body: Select Fields, with keys name, email, phone, message, category; or All Fields, and say which number is which: <url>?email=2&phone=3&message=5.',
  ],
  contentTypes: ['application/json', FORM],
  verification: headerToken,
  read(delivery, receivedAt, locale) {
    const fields = mediaTypeOf(delivery) === FORM ? readForm(delivery) : fieldsIn(readJson(new TextDecoder().decode(delivery.body)));
    if (fields === undefined) return { kind: 'unreadable' };
    const of = (name: string) => fields.find(([key]) => key === name)?.[1];
    const answers = recognised(withNames(fields.filter(([key]) => !ENTRY.has(key))), locale.country);
    const context = fields.filter(([key]) => ENTRY.has(key));
    const notALead = of('status') === 'spam' || of('status') === 'trash' ? 'marked as spam by the form' : undefined;
    const submission = { source: 'gravity-forms', id: [siteOf(of('source_url')), of('form_id'), of('id')], at: inUtc(of('date_created')), answers, context, notALead };
    return readSubmission(submission, delivery, receivedAt, locale);
  },
  answer: received,
};

const fieldsIn = (value: JsonValue | undefined): Field[] | undefined => (isObject(value) ? Object.entries(value) : undefined);

/** Ids count from one on every site, so the site belongs to the id. */
const siteOf = (url: JsonValue | undefined): string => /^https?:\/\/([A-Za-z0-9.-]{1,100})/.exec(textOf(url) ?? '')?.[1]?.toLowerCase() ?? 'site';

/** The add-on writes UTC without saying so. */
const inUtc = (date: JsonValue | undefined): JsonValue | undefined => (typeof date === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date) ? `${date}Z` : date);

/** The parts of the one Name field (`1.3` first, `1.6` last) become a name. An Address field has the same numbers and a `.1`. */
function withNames(fields: readonly Field[]): Field[] {
  const bases = new Set(fields.flatMap(([key]) => /^(\d+)\.[36]$/.exec(key)?.[1] ?? []));
  const isName = (base: string) => fields.every(([key]) => !key.startsWith(`${base}.`) || /\.[23468]$/.test(key));
  const [base, ...others] = [...bases].filter(isName);
  if (base === undefined || others.length > 0) return [...fields];
  return fields.map(([key, value]) => [key === `${base}.3` ? 'first_name' : key === `${base}.6` ? 'last_name' : key, value]);
}

/** Among numbered answers, the only one that is an address is the address, and so for a phone number. Among several nobody guesses. */
function recognised(fields: readonly Field[], country: string): Field[] {
  const numbered = fields.filter(([key, value]) => /^\d+$/.test(key) && typeof value === 'string');
  const only = (is: (text: string) => boolean) => {
    const found = numbered.filter(([, value]) => typeof value === 'string' && is(value));
    return found.length === 1 ? found[0]?.[0] : undefined;
  };
  const [email, phone] = [only((text) => statedEmail(text) !== undefined), only((text) => /\d{3}/.test(text) && statedPhone(text, country) !== undefined)];
  return fields.map(([key, value]) => [key === email ? 'email' : key === phone ? 'phone' : key, value]);
}
