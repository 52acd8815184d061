import { createHash } from 'node:crypto';

/** The id as sent; a digest of it when it is long or could be an address, since event ids stand in receipts (PI-07). */
export const statedEventId = (id: string): string => (/^[A-Za-z0-9._:=/-]{1,200}$/.test(id) ? id : `sha256-${createHash('sha256').update(id, 'utf8').digest('hex')}`);

/**
 * The id of a delivery whose provider gives none: the digest of its bytes and the day it came. The same text twice on a day
 * is a repetition; on another day it is a new request, since nobody may swallow a second wish of the same words.
 */
export const contentEventId = (body: Uint8Array, receivedAt: string): string => `sha256-${createHash('sha256').update(body).digest('hex')}-${receivedAt.slice(0, 10)}`;
