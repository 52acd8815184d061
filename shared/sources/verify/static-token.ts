// Family: a secret that comes along and is compared in constant time. It proves who sends, and nothing about the body:
// whoever saw one delivery can make others, so these are for providers that can do no better.

import type { Delivery } from '../../ports/signal-source.ts';
import type { Verification } from '../provider.ts';
import { withHeaders } from './raw-hmac.ts';
import { sameText } from './same-text.ts';

/** Whether what came along is an active secret. Blank is never one. */
export const isActive = (received: string | undefined, secrets: readonly string[]): boolean =>
  received !== undefined && received !== '' && secrets.some((secret) => secret !== '' && sameText(received, secret));

/** `Authorization: Bearer <secret>`, `X-Webhook-Token: <secret>`, or Basic with the secret as password (or as `user:password`). */
export const headerToken: Verification = {
  verify: ({ headers }, secrets) => tokensIn(headers).some((token) => isActive(token, secrets)),
  sign: (delivery, secret) => withHeaders(delivery, { authorization: `Bearer ${secret}` }),
};

function tokensIn({ authorization = '', 'x-webhook-token': token }: Readonly<Record<string, string>>): (string | undefined)[] {
  const [, scheme = '', credentials = ''] = /^([A-Za-z]+) +([A-Za-z0-9._~+/=-]+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return [credentials, token];
  if (scheme.toLowerCase() !== 'basic') return [token];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return [pair, pair.slice(pair.indexOf(':') + 1), token];
}

/** `/in/<name>/<secret>`: the last segment of the path. */
export const pathToken: Verification = {
  verify: ({ url }, secrets) => isActive(lastSegment(url), secrets),
  sign: (delivery, secret) => ({ ...delivery, url: `${delivery.url}/${secret}` }),
};

export function lastSegment(url: string): string | undefined {
  return /^[^?#]*\/in\/[a-z0-9-]+\/([^/?#]+)/.exec(url)?.[1];
}

/** A secret somewhere in the body. `find` must not throw; `put` gives the body with the secret in its place. */
export const bodyToken = ({ find, put }: { find(delivery: Delivery): string | undefined; put(delivery: Delivery, secret: string): Delivery }): Verification => ({
  verify: (delivery, secrets) => isActive(find(delivery), secrets),
  sign: put,
});
