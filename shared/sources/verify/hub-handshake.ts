// How Meta's products prove deliveries and check an address: one signature, one handshake.

import type { SetUpRequest, SourceAnswer } from '../../ports/signal-source.ts';
import type { Verification } from '../provider.ts';
import { bodyHmac } from './raw-hmac.ts';
import { sameText } from './same-text.ts';

/** How the verify token stands among the secrets of a source, beside the app secret. */
export const VERIFY_TOKEN = 'verify=';

const appSecrets = (secrets: readonly string[]): string[] => secrets.filter((secret) => !secret.startsWith(VERIFY_TOKEN));

const signed = bodyHmac({ header: 'x-hub-signature-256', prefix: 'sha256=', encoding: 'hex' });

/** `X-Hub-Signature-256` over the raw bytes with the app secret. The SHA-1 header beside it is not looked at. */
export const hubSignature: Verification = { ...signed, verify: (delivery, secrets, now) => signed.verify(delivery, appSecrets(secrets), now) };

/** The challenge as plain text for a subscription with our verify token, 403 for another token; undefined for any other request. */
export function hubHandshake({ method, url }: SetUpRequest, secrets: readonly string[]): SourceAnswer | undefined {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  if (method !== 'GET' || query.get('hub.mode') !== 'subscribe') return undefined;
  const challenge = query.get('hub.challenge') ?? '';
  const token = query.get('hub.verify_token') ?? '';
  const known = token !== '' && secrets.some((secret) => secret.startsWith(VERIFY_TOKEN) && sameText(token, secret.slice(VERIFY_TOKEN.length)));
  if (!known || !/^[\w.-]{1,200}$/.test(challenge)) return { status: 403, contentType: 'text/plain; charset=utf-8', body: 'The verify token was not accepted.' };
  return { status: 200, contentType: 'text/plain; charset=utf-8', body: challenge };
}
