import { enterWait } from '../../shared/domain/enter-wait.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { HandoffStore, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type AwaitNextStepDeps = { store: HandoffStore; waits: WaitBook; policies: PolicyBook; bus: EventBus; time: TimeSource };

/** What became of the wait: joined, or over before it began. */
export type AwaitNextStepOutcome = { kind: 'joined' } | { kind: 'over' };

const ATTEMPTS = 5;

/** Remembers who waits for the promised next step. The acceptance made the promise, so there is nothing to write but the token. */
export async function awaitNextStep(deps: AwaitNextStepDeps, id: HandoffId, token: string): Promise<AwaitNextStepOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const loaded = await deps.store.load(id);
    if (loaded === undefined) throw new Error(`handoff ${id} does not exist`);
    const { handoff } = loaded;
    const now = deps.time.now();
    const entry = enterWait('await-next-step', handoff, await deps.policies.at(handoff.contract, handoff.contractVersion), now);
    if ((await deps.waits.remember(handoff, { wait: entry.wait, token, storedAt: now })) === 'stale') continue;
    if (entry.kind === 'stands') return { kind: 'joined' };
    await deps.bus.publish([{ source: 'baton.workflow', detailType: 'wait.over', detail: { schemaVersion: '1', handoffId: id } }]);
    return { kind: 'over' };
  }
  throw new Error(`handoff ${id} kept changing under ${ATTEMPTS} attempts`);
}
