import { createHash } from 'node:crypto';

/** Names the bytes of a delivery by what they are: `raw/<source>/<SHA-256>`. */
export const rawReference = (source: string, body: Uint8Array): string => `raw/${source}/${createHash('sha256').update(body).digest('hex')}`;
