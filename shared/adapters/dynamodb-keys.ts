// Every key of the table is built here (architecture.md, section 3).

import { createHash } from 'node:crypto';
import type { MessageReported, SuppressedChannel } from '../domain/announcement.ts';
import { type Handoff, openException, pendingOffer } from '../domain/handoff.ts';
import type { HandoffId, PersonId } from '../domain/ids.ts';
import type { LinkChannel } from '../domain/link.ts';
import { attentionAt } from '../domain/next-step.ts';
import type { IssuedLink } from '../ports/handoff-store.ts';
import type { MatchKey } from '../ports/match-book.ts';
import type { Quarantined } from '../ports/quarantine.ts';

export type Key = { pk: string; sk: string };

/** How many partitions the `open` index and the counters are spread over (DB-13). */
export const SHARDS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The shard of a handoff comes from its id, which is a hash already; everything else is hashed first. */
export function shardOf(text: string): number {
  const digits = /^h-([0-9a-f]{2})/.exec(text)?.[1] ?? digest(text).slice(0, 2);
  return Number.parseInt(digits, 16) % SHARDS.length;
}

const counted = (number: number, places: number) => String(number).padStart(places, '0');
const ofHandoff = (id: HandoffId) => `HANDOFF#${id}`;

export const headKey = (id: HandoffId): Key => ({ pk: ofHandoff(id), sk: 'HEAD' });
export const receiptKey = (id: HandoffId, seq: number): Key => ({ pk: ofHandoff(id), sk: `RECEIPT#${counted(seq, 6)}` });
export const packetKey = (id: HandoffId, version: number): Key => ({ pk: ofHandoff(id), sk: `PACKET#${counted(version, 4)}` });
export const noteKey = (id: HandoffId, seq: number): Key => ({ pk: ofHandoff(id), sk: `NOTE#${counted(seq, 6)}` });
export const acceptanceKey = (id: HandoffId, seq: number): Key => ({ pk: ofHandoff(id), sk: `ACCEPTANCE#${counted(seq, 6)}` });
export const generatedKey = (id: HandoffId, seq: number): Key => ({ pk: ofHandoff(id), sk: `GENERATED#${counted(seq, 6)}` });
export const WAIT = 'WAIT';
export const waitKey = (id: HandoffId): Key => ({ pk: ofHandoff(id), sk: WAIT });
export const linkKey = (linkId: string): Key => ({ pk: `LINK#${linkId}`, sk: 'LINK' });
export const issuedLinkKey = (id: HandoffId, link: Pick<IssuedLink, 'purpose' | 'number' | 'person' | 'channel'>): Key => ({
  pk: ofHandoff(id),
  sk: `LINK#${link.purpose}#${link.number}#${link.person}#${link.channel}`,
});
export const signalKey = (signal: { source: string; eventId: string }): Key => ({ pk: `SIGNAL#${signal.source}#${signal.eventId}`, sk: 'SIGNAL' });
export const conflictKey = (signal: { source: string; eventId: string }, bodyHash: string): Key => ({ pk: signalKey(signal).pk, sk: `CONFLICT#${bodyHash}` });
export const quarantinedEventKey = (eventId: string): Key => ({ pk: `QUARANTINE#${eventId}`, sk: 'EVENT' });
export const quarantineEntryKey = ({ kind, id }: { kind: Quarantined['kind']; id: string }): Key => ({ pk: 'QUARANTINE', sk: `${kind}#${id}` });
export const matchKey = ({ kind, hash }: MatchKey): Key => ({ pk: `MATCH#${kind}#${hash}`, sk: 'MATCH' });
export const sourceStatsKey = (source: string): Key => ({ pk: `SOURCE#${source}`, sk: 'STATS' });
export const erasureKey = (rawRef: string, at: string): Key => ({ pk: `ERASED#${rawRef}`, sk: `ERASED#${at}` });
export const claimKey = (id: HandoffId, effect: string): Key => ({ pk: `CLAIM#${id}#${effect}`, sk: 'CLAIM' });
export const suppressionKey = (reference: string, channel: SuppressedChannel): Key => ({ pk: `SUPPRESSION#${reference}`, sk: `CHANNEL#${channel}` });
export const deliveryKey = ({ provider, messageId, state }: Pick<MessageReported, 'provider' | 'messageId' | 'state'>): Key => ({
  pk: `DELIVERY#${provider}#${messageId}`,
  sk: `STATE#${state}`,
});
export const loadKey = (person: PersonId): Key => ({ pk: `PERSON#${person}`, sk: 'LOAD' });
export const ledgerKey = (person: PersonId, channel: LinkChannel): Key => ({ pk: `PERSON#${person}`, sk: `MESSAGES#${channel}` });
export const totalsKey = (shard: number): Key => ({ pk: `TOTALS#${shard}`, sk: 'TOTALS' });
export const policyKey = (hash: string, part: 'CONTRACT' | 'ROSTER' | 'CALENDARS'): Key => ({ pk: `POLICY#${hash}`, sk: part });
export const publishedKey = (at: string, number: number): Key => ({ pk: 'POLICY', sk: `PUBLISHED#${sortable(at)}#${counted(number, 6)}` });
export const activePolicyKey: Key = { pk: 'POLICY', sk: 'ACTIVE' };
export const pausesKey: Key = { pk: 'POLICY', sk: 'PAUSES' };
export const pauseNoteKey = (at: string, orderId: string): Key => ({ pk: 'PAUSES', sk: `NOTE#${at}#${orderId}` });
export const absencesKey: Key = { pk: 'POLICY', sk: 'ABSENCES' };
export const reportKey = (day: string): Key => ({ pk: `REPORT#${day}`, sk: 'REPORT' });

export const tallyKey = (day: string): Key => ({ pk: `REPORT#${day}`, sk: 'TALLY' });
export const unmatchedKey = (orderId: string): Key => ({ pk: `OUTCOME#${orderId}`, sk: 'UNMATCHED' });

/** One of the lists of a day (UTC): which handoffs opened on it. */
export const dayShardKey = (instant: string, shard: number) => `DAY#${sortable(instant).slice(0, 10)}#${shard}`;
export const dayKey = (instant: string, id: HandoffId): Key => ({ pk: dayShardKey(instant, shardOf(id)), sk: id });

export const openShardKey = (shard: number) => `OPEN#${shard}`;
export const ownerKey = (person: PersonId) => `OWNER#${person}`;
export const answeringKey = (person: PersonId) => `ANSWERS#${person}`;

/** An instant in the one form that sorts as text: UTC with milliseconds. */
export const sortable = (instant: string): string => new Date(instant).toISOString();

/** Above every entry of the `open` index at or before this instant: `$` is the character after `#`. */
export const upTo = (instant: string): string => `${sortable(instant)}$`;

/** The `open` entry of anything that wants a look at an instant. Ids of unknown length are hashed so that the key stays short. */
export const openEntry = (instant: string, id: string) => ({
  openPk: openShardKey(shardOf(id)),
  openSk: `${sortable(instant)}#${id.startsWith('h-') ? id : digest(id).slice(0, 32)}`,
});

/** The sparse index attributes of a row: absent when nothing is due and when nobody is asked or owns (DB-15). */
export function indexEntries(handoff: Handoff): Record<string, string> {
  const attention = attentionAt(handoff);
  const open = attention === undefined ? {} : openEntry(attention, handoff.id);
  return { ...open, ...heldEntry(handoff) };
}

function heldEntry(handoff: Handoff): Record<string, string> {
  if (handoff.state === 'closed') return {};
  const offer = pendingOffer(handoff);
  if (offer !== undefined) return { personPk: ownerKey(offer.to), personSk: sortable(offer.deadlineAt) };
  const exception = openException(handoff);
  if (exception !== undefined) return { personPk: answeringKey(exception.owner), personSk: sortable(exception.reviewAt ?? exception.respondBy) };
  const { ownership } = handoff;
  return ownership === undefined ? {} : { personPk: ownerKey(ownership.owner), personSk: sortable(ownership.dueAt) };
}
