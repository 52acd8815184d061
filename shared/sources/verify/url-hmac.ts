// Family: HMAC over the public URL and the decoded parameters, as Twilio defines it.

import { createHash, createHmac } from 'node:crypto';
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
