// Two requests that share a phone, one of them in the hands of a reviewer, on any stores: for the races of merging.

import { answerOffer, type OpenedLink } from '../../functions/answer-offer/answer-offer.ts';
import { openHandoff } from '../../functions/open-handoff/open-handoff.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import type { Command } from '../../shared/domain/command.ts';
import { openException } from '../../shared/domain/handoff.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { transition } from '../../shared/domain/workflow-transition.ts';
import type { HandoffStore, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { MatchBook } from '../../shared/ports/match-book.ts';
import type { SignalLog } from '../../shared/ports/signal-log.ts';
import { seal } from './answering.ts';
import { aContract, aPolicy, aSignal, later, NOW } from './builders.ts';
import { memoryContactBooks } from './memory-books.ts';
import { memoryContactSeal, memoryTime, memoryWorkflow } from './memory-outside.ts';
import { caseBookOf } from './memory-policy-book.ts';
import { memoryTable } from './memory-table.ts';

const policy = aPolicy();
const policies = { active: async () => ({ contracts: [aContract()], roster: policy.roster, calendars: policy.calendars }), at: async () => policy };

export type MergingStores = { handoffs: HandoffStore; signals: SignalLog; matches: MatchBook };

/** What reviewers and channels can do to handoffs in these stores. */
export function aReviewersDesk(stores: MergingStores) {
  const time = memoryTime(later(NOW, 100_000));
  const deps = { ...stores, policies, workflow: memoryWorkflow(), seal: memoryContactSeal, digest: signalDigest, time, ...memoryContactBooks(memoryTable()) };
  const load = async (id: HandoffId): Promise<LoadedHandoff> => {
    const loaded = await stores.handoffs.load(id);
    if (loaded === undefined) throw new Error(`${id} is not there`);
    return loaded;
  };
  async function wish(id: HandoffId, command: Command) {
    const { handoff } = await load(id);
    const made = transition(handoff, { command, actor: { kind: 'system', component: 'test' } }, policy, time.now());
    if (made.kind !== 'transition') throw new Error(`${command.kind}: ${made.kind}`);
    await stores.handoffs.append(handoff, made.after, made.receipts);
  }
  return {
    load,
    deliver: (signal: Signal) => openHandoff(deps, { schemaVersion: '1', signal }),
    /** Raises the exception and lets its owner take it. */
    async review(id: HandoffId) {
      await wish(id, { kind: 'raise-exception', commandId: commandId('raise') });
      const owner = openException((await load(id)).handoff)?.owner;
      if (owner !== undefined) await wish(id, { kind: 'accept-exception', commandId: commandId('take'), by: owner, channel: 'email', exception: 1 });
    },
    async decide(id: HandoffId, kind: 'merge' | 'separate') {
      const loaded = await load(id);
      const owner = loaded.handoff.exceptions[0]?.owner;
      const person = policy.roster.people.find((one) => one.id === owner);
      if (person === undefined) throw new Error('nobody reviews');
      const link = { id: 'x', purpose: 'exception', number: 1, person: person.id, channel: 'email', expiresAt: later(NOW, 1e6), handoffId: id } as const;
      const opened: OpenedLink = { ...loaded, link, policy, person, now: time.now() };
      const nothing = { find: async () => undefined, issuedFor: async () => [] };
      return answerOffer({ links: nothing, store: stores.handoffs, cases: caseBookOf(stores.handoffs, policies), seal, time }, opened, { kind });
    },
  };
}

export const idOf = (signal: Signal): HandoffId => signalDigest.handoffId(signal);

/** Forms and calls of one household: they share a phone, and each has an address of its own. */
export const householdSignal = (round: string, name: string, eventId = name): Signal =>
  aSignal({
    eventId: `${round}-${eventId}`,
    occurredAt: later(NOW, 60),
    receivedAt: later(NOW, 60),
    contact: { name, email: `${name}@house-${round}.test`, phone: `+1503555${round.padStart(4, '0')}` },
  });
