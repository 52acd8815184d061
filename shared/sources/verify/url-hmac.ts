// Family: HMAC over the public URL and what came with it: Twilio's decoded parameters, or HubSpot's body and time.

import { createHash, createHmac } from 'node:crypto';
import type { Delivery } from '../../ports/signal-source.ts';
import type { Verification } from '../provider.ts';
import { millisecondsOf, withHeaders } from './raw-hmac.ts';
import { sameText } from './same-text.ts';

/** The text that is signed beside the URL: every parameter, sorted by name, as name and value; of repeated names each distinct value once, sorted. */
export function signedParameters(form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  return names
    .map((name) =>
      [...new Set(form.getAll(name))]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('');
}

/** The signature of a URL and its parameters. */
export const urlHmac = (algorithm: 'sha1' | 'sha256', key: string, url: string, parameters: string): string =>
  createHmac(algorithm, key)
    .update(url + parameters, 'utf8')
    .digest('base64');

/** The URL as given, and with its port left out or the usual one written out: Twilio may sign either (WH-05). */
export function spellings(url: string): string[] {
  const match = /^(https?):\/\/([^/?#:]+)(:\d+)?([/?#].*)?$/s.exec(url);
  if (match === null) return [url];
  const [, scheme, host, port, rest = ''] = match;
  const usual = scheme === 'https' ? ':443' : ':80';
  if (port === undefined) return [url, `${scheme}://${host}${usual}${rest}`];
  return [url, `${scheme}://${host}${rest}`];
}

/** Whether the query names the SHA-256 of exactly these bytes, once. A body that no signature covers is refused (WH-04). */
export function bodyIsCovered(url: string, body: Uint8Array): boolean {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const hashes = new URLSearchParams(query).getAll('bodySHA256');
  const [hash] = hashes;
  return hashes.length === 1 && hash !== undefined && sameText(hash.toLowerCase(), createHash('sha256').update(body).digest('hex'));
}

/** Escapes that HubSpot writes plainly before it signs a URL. Its other escapes stay as they are. */
const PLAIN: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
};

/** The URL as HubSpot signs it. */
export const hubspotUrl = (url: string): string => url.replace(/%[0-9A-Fa-f]{2}/g, (written) => PLAIN[written.toUpperCase()] ?? written);

const HUBSPOT_TOLERANCE_MS = 300_000;

/**
 * HubSpot's third scheme: method, URL, body and time. The older ones travel beside it without a time, so a delivery that has
 * only those is refused: accepting them would be a way back to something that can be replayed.
 */
export const hubspotV3: Verification = {
  verify(delivery, secrets, now) {
    const { 'x-hubspot-signature-v3': signature = '', 'x-hubspot-request-timestamp': time = '' } = delivery.headers;
    const at = millisecondsOf(time, 'milliseconds');
    if (at === undefined || Math.abs(Date.parse(now) - at) > HUBSPOT_TOLERANCE_MS) return false;
    return secrets.some((secret) => secret !== '' && sameText(signature, hubspotSignature(delivery, secret, time)));
  },
  sign(delivery, secret, now) {
    const time = String(Date.parse(now));
    return withHeaders(delivery, { 'x-hubspot-request-timestamp': time, 'x-hubspot-signature-v3': hubspotSignature(delivery, secret, time) });
  },
};

const hubspotSignature = ({ url, body }: Delivery, secret: string, time: string): string =>
  createHmac('sha256', secret)
    .update(`POST${hubspotUrl(url)}`, 'utf8')
    .update(body)
    .update(time)
    .digest('base64');
