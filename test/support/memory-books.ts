// The smaller stores in memory, each with the guarantees of its port.

import { EMPTY_LEDGER } from '../../shared/domain/message-limit.ts';
import { type Pause, type PauseNote, sameScope } from '../../shared/domain/pause.ts';
import type { ClaimBook } from '../../shared/ports/claim-book.ts';
import type { DeliveryBook } from '../../shared/ports/delivery-book.ts';
import type { LinkBook, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { MatchBook } from '../../shared/ports/match-book.ts';
import type { MessageLedger } from '../../shared/ports/message-ledger.ts';
import type { PauseBook } from '../../shared/ports/pause-book.ts';
import type { ReportShelf } from '../../shared/ports/report-shelf.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';
import { copy, type MemoryTable, matchName } from './memory-table.ts';

/** Choices by channel and address; the later one stands, and of two at the same instant the one that shuts. */
export function memorySuppressionBook(table: MemoryTable): SuppressionBook {
  const nameOf = (channel: string, address: string) => `${channel} ${address.includes('@') ? address.toLowerCase() : address}`;
  return {
    async note(choice) {
      const name = nameOf(choice.channel, choice.address);
      const known = table.choices.get(name);
      const [later, same] = [
        known === undefined || Date.parse(choice.occurredAt) > Date.parse(known.occurredAt),
        known !== undefined && Date.parse(choice.occurredAt) === Date.parse(known.occurredAt),
      ];
      if (later || (same && choice.kind === 'contact.opted-out')) table.choices.set(name, copy(choice));
    },
    async standing(channel, address) {
      const choice = table.choices.get(nameOf(channel, address));
      if (choice?.kind !== 'contact.opted-out') return undefined;
      const { because, source, eventId, occurredAt } = choice;
      return { because, source, eventId, since: new Date(occurredAt).toISOString() };
    },
  };
}

export function memoryDeliveryBook(table: MemoryTable): DeliveryBook {
  const nameOf = (provider: string, messageId: string) => `${provider}#${messageId}`;
  return {
    async note(report) {
      const name = nameOf(report.provider, report.messageId);
      const known = table.deliveries.get(name) ?? [];
      if (!known.some(({ state }) => state === report.state)) table.deliveries.set(name, [...known, copy(report)]);
    },
    reports: async (provider, messageId) => copy((table.deliveries.get(nameOf(provider, messageId)) ?? []).toSorted((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt))),
  };
}

export function memoryWaitBook(table: MemoryTable): WaitBook {
  return {
    async remember(handoff, wait) {
      const row = table.handoffs.get(handoff.id);
      if (row?.head.version !== handoff.version) return 'stale';
      const stands = row.wait !== undefined && (row.wait.token === wait.token || row.wait.storedAt > wait.storedAt);
      if (!stands) row.wait = copy(wait);
      return 'remembered';
    },
    find: async (id) => copy(table.handoffs.get(id)?.wait),
    async markWoken(id, token, at) {
      const wait = table.handoffs.get(id)?.wait;
      if (wait === undefined || wait.token !== token || wait.wokenAt !== undefined) return false;
      wait.wokenAt = at;
      return true;
    },
  };
}

export function memoryLinkBook(table: MemoryTable): LinkBook {
  return {
    find: async (linkId) => copy(table.links.get(linkId)),
    issuedFor: async (id, purpose, number, person) =>
      copy(
        [...table.links.values()]
          .filter((link) => link.handoffId === id && link.purpose === purpose && link.number === number && link.person === person)
          .sort((a, b) => a.channel.localeCompare(b.channel)),
      ),
  };
}

export function memoryClaimBook(table: MemoryTable): ClaimBook {
  const name = (id: string, effect: string) => `${id}#${effect}`;
  return {
    async claim(id, effect, at) {
      if (table.claims.has(name(id, effect))) return false;
      table.claims.set(name(id, effect), { handoffId: id, effect, claimedAt: at, attempts: 0 });
      return true;
    },
    async settle(id, effect, result, detail) {
      const claim = table.claims.get(name(id, effect));
      if (claim === undefined) throw new Error(`effect ${effect} of ${id} cannot be settled: it was never claimed`);
      if (claim.result === undefined) Object.assign(claim, { result, detail });
    },
    async trying(id, effect) {
      const claim = table.claims.get(name(id, effect));
      if (claim === undefined || claim.result !== undefined) return false;
      claim.attempts += 1;
      return true;
    },
    async hold(id, effect, because, outcome) {
      const claim = table.claims.get(name(id, effect));
      if (claim === undefined || claim.result !== undefined) return;
      claim.held = because;
      if (outcome !== undefined) claim.attempts -= 1;
    },
    async confirm(id, effect, providerId) {
      const claim = table.claims.get(name(id, effect));
      if (claim !== undefined && claim.result === undefined) Object.assign(claim, { result: 'sent', detail: providerId });
    },
    find: async (id, effect) => copy(table.claims.get(name(id, effect))),
    async reclaim(claim, at) {
      const stored = table.claims.get(name(claim.handoffId, claim.effect));
      if (stored === undefined || stored.result !== undefined || stored.attempts !== claim.attempts || stored.claimedAt !== claim.claimedAt || stored.held !== claim.held)
        return false;
      stored.claimedAt = at;
      delete stored.held;
      return true;
    },
  };
}

export function memoryReportShelf(table: MemoryTable): ReportShelf {
  return {
    async put(name, contentType, body) {
      table.files.set(name, { contentType, body });
      return `memory://${name}`;
    },
    async publish(day, summary) {
      table.reports.set(day, copy(summary));
    },
    find: async (day) => copy(table.reports.get(day)),
  };
}

export function memoryMessageLedger(table: MemoryTable): MessageLedger {
  const name = (person: string, channel: string) => `${person}#${channel}`;
  const standing = (person: string, channel: string) => copy(table.ledgers.get(name(person, channel)) ?? EMPTY_LEDGER);
  return {
    read: async (person, channel) => standing(person, channel),
    async admit(person, channel, decide) {
      const admission = decide(standing(person, channel));
      if ('ledger' in admission && admission.ledger !== undefined) table.ledgers.set(name(person, channel), copy(admission.ledger));
      return admission;
    },
  };
}

export const memoryMatchBook = (table: MemoryTable): MatchBook => ({
  rows: async (keys) => copy(keys.map((key) => table.matches.get(matchName(key)) ?? { key, version: 0, entries: [] })),
});

export function memoryPauseBook(): PauseBook {
  let standing: Pause[] = [];
  const notes: PauseNote[] = [];
  const others = (scope: Pause['scope']) => standing.filter((one) => !sameScope(one.scope, scope));
  return {
    pauses: async () => standing,
    notes: async () => notes,
    async pause(pause) {
      standing = [...others(pause.scope), pause];
      notes.push({ kind: 'sending.paused', scope: pause.scope, by: pause.by, at: pause.since });
    },
    async resume(scope, by, at) {
      standing = others(scope);
      notes.push({ kind: 'sending.resumed', scope, by, at });
    },
  };
}

export const memoryContactBooks = (table: MemoryTable) => ({ suppressions: memorySuppressionBook(table), pauses: memoryPauseBook() });
