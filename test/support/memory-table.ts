// What the fakes share, as the adapters share one table. Everything that goes in or comes out is a copy, and each port
// call runs without a pause inside, so it is as atomic as a transaction.

import type { Reading } from '../../shared/domain/activity.ts';
import type { ContactChoice, MessageReported } from '../../shared/domain/announcement.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import type { HandoffId, PersonId } from '../../shared/domain/ids.ts';
import type { Load } from '../../shared/domain/load.ts';
import type { Ledger } from '../../shared/domain/message-limit.ts';
import type { Generated, Packet } from '../../shared/domain/packet.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { Tally, TallyName } from '../../shared/domain/tally.ts';
import type { Absence } from '../../shared/ports/absence-book.ts';
import type { Claim } from '../../shared/ports/claim-book.ts';
import type { LinkTarget, Note, StoredWait } from '../../shared/ports/handoff-store.ts';
import type { MatchRow } from '../../shared/ports/match-book.ts';
import type { UnmatchedOutcome } from '../../shared/ports/outcome-book.ts';
import type { ActivePolicy } from '../../shared/ports/policy-book.ts';
import type { Publication } from '../../shared/ports/policy-press.ts';
import type { Totals } from '../../shared/ports/report-sources.ts';
import type { SignalStanding } from '../../shared/ports/signal-log.ts';

export type MemoryHandoff = { head: Handoff; receipts: Receipt[]; packets: Map<number, Packet>; notes: Map<number, Note>; acceptances: Map<number, string>; wait?: StoredWait };
export type MemorySignal = { signal: Signal; bodyHash: string; standing: SignalStanding; conflicts: Map<string, Signal> };

export type MemoryTable = {
  handoffs: Map<HandoffId, MemoryHandoff>;
  loads: Map<PersonId, Load>;
  links: Map<string, LinkTarget>;
  signals: Map<string, MemorySignal>;
  claims: Map<string, Claim>;
  ledgers: Map<string, Ledger>;
  choices: Map<string, ContactChoice>;
  deliveries: Map<string, MessageReported[]>;
  matches: Map<string, MatchRow>;
  totals: Totals;
  tally: Partial<Record<TallyName, number>>;
  readings: Map<string, Reading>;
  unmatched: Map<string, UnmatchedOutcome>;
  absences: Absence[];
  generated: Map<string, Generated>;
  policy: { active?: ActivePolicy; contracts: Map<string, ActivePolicy['contracts'][number]>; publications: { publication: Publication; content: ActivePolicy }[] };
  reports: Map<string, Record<string, unknown>>;
  files: Map<string, { contentType: string; body: string }>;
};

export const memoryTable = (): MemoryTable => ({
  handoffs: new Map(),
  loads: new Map(),
  links: new Map(),
  signals: new Map(),
  claims: new Map(),
  ledgers: new Map(),
  choices: new Map(),
  deliveries: new Map(),
  matches: new Map(),
  totals: { received: 0, ignored: 0, linked: 0, waiting: 0, offered: 0, accepted: 0, exception: 0, closed: 0 },
  tally: {},
  readings: new Map(),
  unmatched: new Map(),
  absences: [],
  generated: new Map(),
  policy: { contracts: new Map(), publications: [] },
  reports: new Map(),
  files: new Map(),
});

/** Adds to the counters. */
export function addTo({ tally }: MemoryTable, more: Tally): void {
  for (const [name, count] of Object.entries(more) as [TallyName, number][]) tally[name] = (tally[name] ?? 0) + count;
}

/** A copy as a store gives it back: later changes by either side stay unseen, and undefined members are gone. */
export const copy = <T>(value: T): T => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

export const matchName = ({ kind, hash }: { kind: string; hash: string }) => `${kind}#${hash}`;

export const signalName = (signal: { source: string; eventId: string }) => `${signal.source}#${signal.eventId}`;
