// Family: HMAC over the exact bytes of the body.

import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of the raw bytes, in base64. */
export const rawHmac = (key: string | Uint8Array, body: Uint8Array): string => createHmac('sha256', key).update(body).digest('base64');
