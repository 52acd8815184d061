import { enterWait } from '../../shared/domain/enter-wait.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { HandoffStore, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { LinkSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type RequestAcceptanceDeps = { store: HandoffStore; waits: WaitBook; policies: PolicyBook; seal: Pick<LinkSeal, 'mint'>; bus: EventBus; time: TimeSource };

/** What became of the wait: begun with its transition, joined because it stands already, or over before it began. */
export type RequestAcceptanceOutcome = { kind: 'begun' } | { kind: 'joined' } | { kind: 'over' };

const ATTEMPTS = 5;

/**
 * Asks the next person, and remembers who waits for the answer: offer, links and token in one transaction.
 *
 * A token that comes when the offer stands already (a later attempt, a replaced execution) takes the place of the earlier
 * one (SF-04). When the row waits for no answer, the token is kept and the machine told to look again (SF-21).
 */
export async function requestAcceptance(deps: RequestAcceptanceDeps, id: HandoffId, token: string): Promise<RequestAcceptanceOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const loaded = await deps.store.load(id);
    if (loaded === undefined) throw new Error(`handoff ${id} does not exist`);
    const { handoff } = loaded;
    const now = deps.time.now();
    const entry = enterWait('request-acceptance', handoff, await deps.policies.at(handoff.contract, handoff.contractVersion), now);
    const wait = { wait: entry.wait, token, storedAt: now };

    if (entry.kind === 'begins') {
      const { after, receipts, links: planned } = entry.transition;
      const links = await Promise.all(planned.map(async (link) => ({ ...link, id: await deps.seal.mint(link) })));
      const written = await deps.store.append(handoff, after, receipts, { wait, links });
      if (written.kind === 'written') return { kind: 'begun' };
      continue; // somebody was first, or this very command came before with another token: look again
    }
    if ((await deps.waits.remember(handoff, wait)) === 'stale') continue;
    if (entry.kind === 'stands') return { kind: 'joined' };
    await deps.bus.publish([{ source: 'baton.workflow', detailType: 'wait.over', detail: { schemaVersion: '1', handoffId: id } }]);
    return { kind: 'over' };
  }
  throw new Error(`handoff ${id} kept changing under ${ATTEMPTS} attempts`);
}
