// The `sig` of Vonage's SMS API. Its method is a setting of the account; only HMAC with SHA-256 or SHA-512 is accepted, told apart by length.

import { createHmac } from 'node:crypto';
import type { Delivery } from '../ports/signal-source.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { instantIn } from './stated-signal.ts';
import { sameText } from './verify/same-text.ts';

const TOLERANCE_MS = 300_000;
const ALGORITHMS: ReadonlyMap<number, string> = new Map([
  [64, 'sha256'],
  [128, 'sha512'],
]);
const MAX_PARAMETERS = 500;

/** The parameters of a delivery, JSON or form; undefined when it is neither, or a name comes twice. */
export function vonageParameters({ headers, body }: Delivery): JsonObject | undefined {
  const text = new TextDecoder().decode(body);
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded')) {
    const value = readJson(text);
    return isObject(value) ? value : undefined;
  }
  const form = new URLSearchParams(text);
  const names = new Set(form.keys());
  if (form.size > MAX_PARAMETERS || names.size !== form.size || names.has('__proto__')) return undefined;
  return Object.fromEntries(form);
}

/** Whether a delivery carries a `sig` at all. */
export const hasSignature = (delivery: Delivery): boolean => vonageParameters(delivery)?.sig !== undefined;

/** Whether a secret signed exactly these parameters, near now. The signature covers all of them, so an added one breaks it. */
export function verifyVonageSms(delivery: Delivery, secrets: readonly string[], now: string): boolean {
  const { sig, ...parameters } = vonageParameters(delivery) ?? {};
  const algorithm = typeof sig === 'string' ? ALGORITHMS.get(sig.length) : undefined;
  const sentAt = Date.parse(instantIn('seconds', parameters.timestamp) ?? '');
  if (typeof sig !== 'string' || algorithm === undefined || !(Math.abs(Date.parse(now) - sentAt) <= TOLERANCE_MS)) return false;
  const text = Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `&${name}=${(textOf(value) ?? '').replace(/[&=]/g, '_')}`)
    .join('');
  return secrets.some((secret) => secret !== '' && sameText(sig.toLowerCase(), createHmac(algorithm, secret).update(text, 'utf8').digest('hex')));
}
