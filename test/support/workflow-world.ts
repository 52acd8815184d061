// The six workflow functions on stores in memory: one handoff, opened by a policy, time that moves only when told.

import { advanceClock } from '../../functions/advance-clock/advance-clock.ts';
import { awaitNextStep } from '../../functions/await-next-step/await-next-step.ts';
import { raiseException } from '../../functions/raise-exception/raise-exception.ts';
import { reconcile, reconcileOne } from '../../functions/reconcile/reconcile.ts';
import { requestAcceptance } from '../../functions/request-acceptance/request-acceptance.ts';
import { resolveCandidates } from '../../functions/resolve-candidates/resolve-candidates.ts';
import type { Command } from '../../shared/domain/command.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId } from '../../shared/domain/ids.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { Actor } from '../../shared/domain/receipt.ts';
import { transition } from '../../shared/domain/workflow-transition.ts';
import type { Appended, HandoffStore } from '../../shared/ports/handoff-store.ts';
import { anOpening, aPacket, aPolicy, ID, NOW } from './builders.ts';
import { memoryClaimBook, memoryWaitBook } from './memory-books.ts';
import { memoryHandoffStore } from './memory-handoff-store.ts';
import { memoryEventBus, memoryLinkSeal, memoryTime, memoryWorkflow } from './memory-outside.ts';
import { memoryPolicyBook, memoryPolicyPress } from './memory-policy-book.ts';
import { memoryAttentionIndex, memorySignalLog } from './memory-report-sources.ts';
import { memoryTable } from './memory-table.ts';

/** Whatever a test wants to happen between the read and the write of a use case. */
type Interference = { beforeAppend?: (() => Promise<void>) | undefined };

export async function aWorkflowWorld({ policy = aPolicy(), missing = [] }: { policy?: Policy; missing?: readonly string[] } = {}) {
  const table = memoryTable();
  const interference: Interference = {};
  const plain = memoryHandoffStore(table);
  const store: HandoffStore = {
    ...plain,
    async append(...args): Promise<Appended> {
      const interfere = interference.beforeAppend;
      interference.beforeAppend = undefined;
      await interfere?.();
      return plain.append(...args);
    },
  };
  const time = memoryTime(NOW);
  const bus = memoryEventBus();
  const workflow = memoryWorkflow();
  const deps = {
    store,
    waits: memoryWaitBook(table),
    policies: memoryPolicyBook(table),
    attention: memoryAttentionIndex(table),
    claims: memoryClaimBook(table),
    seal: memoryLinkSeal(),
    workflow,
    bus,
    time,
  };
  const person = (by: Extract<Command, { by: unknown }>['by']): Actor => ({ kind: 'person', person: by, channel: 'email' });
  await memoryPolicyPress(table).publish({ contracts: [policy.contract], roster: policy.roster, calendars: policy.calendars }, 'test', NOW);
  const opened = apply(undefined, [anOpening({ missing })], {
    at: NOW,
    commandId: commandId('open'),
    actor: { kind: 'system', component: 'open-handoff' },
    packetVersion: 1,
    contractVersion: policy.contract.version,
  });
  await plain.append(undefined, opened.handoff, opened.receipts, { packet: aPacket() });

  const row = async (): Promise<Handoff> => {
    const loaded = await plain.load(ID);
    if (loaded === undefined) throw new Error('the row is gone');
    return loaded.handoff;
  };
  return {
    deps,
    table,
    time,
    bus,
    workflow,
    interference,
    row,
    signals: memorySignalLog(table),
    kinds: async () => (await plain.receipts(ID)).map(({ kind }) => kind),
    resolve: () => resolveCandidates(deps, ID),
    request: (token: string) => requestAcceptance(deps, ID, token),
    raise: (token: string) => raiseException(deps, ID, token),
    await: (token: string) => awaitNextStep(deps, ID, token),
    advance: (fault?: { fault: string; faults: number }) => advanceClock(deps, { handoffId: ID, ...fault }),
    reconcile: () => reconcile(deps),
    reconcileOne: () => reconcileOne(deps, ID),
    /** A person answers; the row is written past every function. Answers what was decided. */
    async answer(command: Extract<Command, { by: unknown }>) {
      const handoff = await row();
      const made = transition(handoff, { command, actor: person(command.by) }, policy, time.now());
      if (made.kind === 'transition') await plain.append(handoff, made.after, made.receipts);
      return made.kind;
    },
  };
}
