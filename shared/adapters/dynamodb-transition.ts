// What one transition writes. Pure, so that its shape can be tested without a table (DB-05).

import { type Handoff, QUEUE_STATE } from '../domain/handoff.ts';
import type { HandoffId } from '../domain/ids.ts';
import { loadChanges } from '../domain/load.ts';
import type { Receipt } from '../domain/receipt.ts';
import { type Tally, tallyOf } from '../domain/tally.ts';
import type { Alongside, IssuedLink } from '../ports/handoff-store.ts';
import type { MatchRow } from '../ports/match-book.ts';
import type { Totals } from '../ports/report-sources.ts';
import {
  acceptanceKey,
  dayKey,
  generatedKey,
  headKey,
  indexEntries,
  issuedLinkKey,
  linkKey,
  matchKey,
  noteKey,
  packetKey,
  receiptKey,
  shardOf,
  signalKey,
  totalsKey,
  waitKey,
} from './dynamodb-keys.ts';
import { loadWrite } from './dynamodb-load.ts';
import { absent, type Expression, type Write } from './dynamodb-writer.ts';

export type Transition = { before: Handoff | undefined; after: Handoff; receipts: readonly Receipt[]; alongside: Alongside };

/** The writes of one transition, each on an item of its own. */
export function transitionWrites({ before, after, receipts, alongside }: Transition): Write[] {
  checkLog(before, after, receipts);
  return [
    headWrite(before, after),
    ...receipts.map((receipt) => receiptWrite(after.id, receipt)),
    ...totalsWrites(before, after, receipts, alongside),
    ...dayWrites(before, after),
    ...loadChanges(before, after, receipts).map((change) => loadWrite(change, alongside.turn)),
    ...besides(after.id, alongside),
  ];
}

/** The receipts must continue the row they are written to, and lead to the row that is written. */
function checkLog(before: Handoff | undefined, after: Handoff, receipts: readonly Receipt[]): void {
  const base = before?.version ?? 0;
  const continues = receipts.length > 0 && receipts.every((receipt, index) => receipt.seq === base + index + 1);
  if (!continues || after.version !== base + receipts.length)
    throw new Error(`receipts ${receipts.map((receipt) => receipt.seq).join(', ')} do not lead from ${base} to ${after.version}`);
}

function headWrite(before: Handoff | undefined, after: Handoff): Write {
  const condition: Expression = before === undefined ? absent : sameVersion(before.version);
  return { kind: 'put', item: { ...headKey(after.id), version: after.version, state: after.state, handoff: after, ...indexEntries(after) }, condition };
}

/** The row has not moved since it was read. */
export const sameVersion = (version: number): Expression => ({ text: '#version = :version', names: { '#version': 'version' }, values: { ':version': version } });

const receiptWrite = (id: HandoffId, receipt: Receipt): Write => ({ kind: 'put', item: { ...receiptKey(id, receipt.seq), receipt }, condition: absent });

/** Moves the handoff from one counter to another in the row of its shard, and counts what happened and a signal that joins it, in one write (M-03, M-06). */
function totalsWrites(before: Handoff | undefined, after: Handoff, receipts: readonly Receipt[], { linkedSignal }: Alongside): Write[] {
  const from = before === undefined ? undefined : QUEUE_STATE[before.state];
  const to = QUEUE_STATE[after.state];
  const moved = from === to ? {} : { [to]: 1, ...(from !== undefined && { [from]: -1 }) };
  const deltas = { ...moved, ...tallyOf(receipts), ...(linkedSignal !== undefined && { linked: 1 }) };
  return Object.keys(deltas).length === 0 ? [] : [countWrite(after.id, deltas)];
}

/** A handoff stands in the list of the day it opened on, for the measures; the list holds ids only. */
const dayWrites = (before: Handoff | undefined, after: Handoff): Write[] =>
  before === undefined ? [{ kind: 'put', item: dayKey(after.openedAt, after.id), condition: absent }] : [];

/** Adds to the counters of one shard. */
export function countWrite(shardedBy: string, deltas: Partial<Totals> & Tally): Write {
  const entries = Object.entries(deltas);
  return {
    kind: 'update',
    key: totalsKey(shardOf(shardedBy)),
    change: `ADD ${entries.map((_, index) => `#c${index} :c${index}`).join(', ')}`,
    names: Object.fromEntries(entries.map(([name], index) => [`#c${index}`, name])),
    values: Object.fromEntries(entries.map(([, delta], index) => [`:c${index}`, delta])),
  };
}

function besides(id: HandoffId, { packet, wait, links = [], notes = [], acceptance, signal, generated, linkedSignal, matches = [] }: Alongside): Write[] {
  const writes: Write[] = [];
  if (packet !== undefined) writes.push({ kind: 'put', item: { ...packetKey(id, packet.version), packet: named(packet) }, condition: absent });
  if (wait !== undefined) writes.push({ kind: 'put', item: { ...waitKey(id), ...wait } });
  if (acceptance !== undefined) writes.push({ kind: 'put', item: { ...acceptanceKey(id, acceptance.seq), ...acceptance }, condition: absent });
  if (generated !== undefined) writes.push({ kind: 'put', item: { ...generatedKey(id, generated.seq), generated: generated.generated }, condition: absent });
  if (signal !== undefined) writes.push(settleSignal(signal, { kind: 'opened', handoffId: id }));
  if (linkedSignal !== undefined) writes.push(settleSignal(linkedSignal, { kind: 'linked', handoffId: id }));
  const linked = links.flatMap((link) => linkWrites(id, link));
  const noted = notes.map((note): Write => ({ kind: 'put', item: { ...noteKey(id, note.seq), note } }));
  return [...writes, ...linked, ...noted, ...matches.map(matchWrite)];
}

/** An arrival can only be matched while its row is there; the window of matching is shorter. */
const MATCH_KEPT_DAYS = 90;

/** Two channels that bring the same request at once meet on this condition (ID-11). */
function matchWrite({ key, version, entries }: MatchRow): Write {
  const newest = Math.max(...entries.map(({ occurredAt }) => Date.parse(occurredAt)));
  const expiresAt = Math.floor(newest / 1000) + MATCH_KEPT_DAYS * 24 * 60 * 60;
  return { kind: 'put', item: { ...matchKey(key), version: version + 1, entries, expiresAt }, condition: version === 0 ? absent : sameVersion(version) };
}

/** What a form field without a name is called in the table, which cannot hold a nameless attribute. */
const NAMELESS = '(no name)';

/** The same facts with a name for every field; nothing a source sent is lost for want of one. */
export function named<Facts extends { more: Readonly<Record<string, string>> }>(facts: Facts): Facts {
  const { '': nameless, ...more } = facts.more;
  return nameless === undefined ? facts : { ...facts, more: { [NAMELESS]: nameless, ...more } };
}

const LINK_KEPT_DAYS = 90;

/** A link is found by its id when it is clicked, and by its offer when it is sent. DynamoDB deletes it long after it ended. */
function linkWrites(id: HandoffId, issued: IssuedLink): Write[] {
  const link = { ...issued, handoffId: id };
  const expiresAt = Math.floor(Date.parse(issued.expiresAt) / 1000) + LINK_KEPT_DAYS * 24 * 60 * 60;
  return [
    { kind: 'put', item: { ...linkKey(issued.id), link, expiresAt }, condition: absent },
    { kind: 'put', item: { ...issuedLinkKey(id, issued), link, expiresAt } },
  ];
}

/** Says what became of a signal, once, and takes it out of the index of undecided ones. */
export function settleSignal(
  signal: { source: string; eventId: string },
  standing: { kind: 'opened' | 'linked'; handoffId: HandoffId } | { kind: 'ignored'; because: string },
): Write {
  return {
    kind: 'update',
    key: signalKey(signal),
    change: 'SET #standing = :standing REMOVE #openPk, #openSk',
    condition: '#standing.#kind = :received',
    names: { '#standing': 'standing', '#kind': 'kind', '#openPk': 'openPk', '#openSk': 'openSk' },
    values: { ':standing': standing, ':received': 'received' },
  };
}
