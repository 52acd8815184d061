// Versions by content: how a file is laid out or commented does not count, what it says does.

import { createHash } from 'node:crypto';
import type { Calendar, Contract, MessagesPerHour, Person, Territory } from '../domain/policy.ts';

/** SHA-256 of the canonical JSON of a value: keys sorted, nothing undefined. */
export const contentHash = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex');

/** Version of a contract: what it says, and the calendars that give its hours a meaning (C-04, C-05). */
export const contractVersion = (contract: Omit<Contract, 'version'>, calendars: readonly Calendar[]): string => contentHash({ contract, calendars: calendarsVersion(calendars) });

/** Version of the roster: its people, and beside them the territories and limits where there are any. */
export const rosterVersion = (people: readonly Person[], territories: readonly Territory[] = [], messagesPerHour?: MessagesPerHour): string =>
  contentHash(territories.length === 0 && messagesPerHour === undefined ? people : { people, ...(territories.length > 0 && { territories }), messagesPerHour });

/** Version of the calendars, whatever order they are listed in. */
export const calendarsVersion = (calendars: readonly Calendar[]): string => contentHash([...calendars].sort((a, b) => (a.name < b.name ? -1 : 1)));

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, canonical(one)]));
}
