// Family: HMAC over a timestamp prefix and the exact bytes, as Standard Webhooks defines it (`id.timestamp.body`).

import { createHmac } from 'node:crypto';
import type { Delivery } from '../../ports/signal-source.ts';
import { withHeaders } from './raw-hmac.ts';
import { sameText } from './same-text.ts';

/** How far a signed timestamp may be from now, both ways (WH-06). */
const TOLERANCE_SECONDS = 300;

export type StandardWebhook = { id: string; timestamp: string; body: string | Uint8Array };

/**
 * The key bytes of a secret: base64 after the optional `whsec_`, so a bare generated secret of letters and digits is a key
 * as well. Undefined when it is not base64 or too short to protect anything (under 16 bytes).
 */
export function standardWebhooksKey(secret: string): Buffer | undefined {
  const text = secret.trim().replace(/^whsec_/, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= 16 ? key : undefined;
}

/** The value of `webhook-signature` that this secret gives, `v1,` and base64. */
export function signStandardWebhook(secret: string, webhook: StandardWebhook): string {
  const key = standardWebhooksKey(secret);
  if (key === undefined) throw new Error('a Standard Webhooks secret is base64, with or without whsec_ in front');
  return `v1,${createHmac('sha256', key).update(`${webhook.id}.${webhook.timestamp}.`).update(webhook.body).digest('base64')}`;
}

/** True when any listed `v1` signature fits any active secret and the timestamp is near. A header that came twice is refused (LA-13). */
export function verifyStandardWebhook(headers: Readonly<Record<string, string>>, body: Uint8Array, secrets: readonly string[], now: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': listed = '' } = headers;
  if (!/^[^\s,]{1,256}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.parse(now) / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const signatures = listed.split(' ').filter((one) => one !== '');
  if (signatures.length === 0 || signatures.length > 20 || !signatures.every((one) => /^v1a?,[A-Za-z0-9+/=]+$/.test(one))) return false;
  return secrets
    .filter((secret) => standardWebhooksKey(secret) !== undefined)
    .map((secret) => signStandardWebhook(secret, { id, timestamp, body }))
    .some((expected) => signatures.some((signature) => sameText(signature, expected)));
}

/** The delivery with the three headers of a signature made at that time, under the id it has or one made of the time. */
export function signedStandardWebhook(delivery: Delivery, secret: string, now: string): Delivery {
  const timestamp = String(Math.floor(Date.parse(now) / 1000));
  const id = delivery.headers['webhook-id'] ?? `msg_${timestamp}`;
  return withHeaders(delivery, { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signStandardWebhook(secret, { id, timestamp, body: delivery.body }) });
}
