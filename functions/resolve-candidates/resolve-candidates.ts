import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import type { Load } from '../../shared/domain/load.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { peopleToWeigh } from '../../shared/domain/resolver.ts';
import { acceptanceStartsAt } from '../../shared/domain/window.ts';
import { type WorkflowAnswer, workflowAnswer } from '../../shared/domain/workflow-answer.ts';
import { transition } from '../../shared/domain/workflow-transition.ts';
import type { HandoffStore } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type ResolveCandidatesDeps = { store: HandoffStore; policies: PolicyBook; time: TimeSource };

const ATTEMPTS = 8;

/** In a rush, many handoffs want the same person's turn. Fairness gives way before a customer waits for it. */
const LAST_GUARDED = 6;

/**
 * Names who may own a handoff now, once, and tells the machine what is next.
 *
 * A repeated or replaced execution finds the candidates named, or much more done, and only gets the answer.
 */
export async function resolveCandidates(deps: ResolveCandidatesDeps, id: HandoffId): Promise<WorkflowAnswer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const loaded = await deps.store.load(id);
    if (loaded === undefined) throw new Error(`handoff ${id} does not exist`);
    const { handoff, packet } = loaded;
    const policy = await deps.policies.at(handoff.contract, handoff.contractVersion);
    const now = deps.time.now();
    const answer = workflowAnswer(handoff, policy, now);
    if (answer.next !== 'resolve-candidates') return answer;

    const { openCounts, loads } = await weigh(deps.store, packet, policy, now);
    const command = { kind: 'resolve-candidates', commandId: commandId('resolve-candidates'), openCounts, loads, packet } as const;
    const made = transition(handoff, { command, actor: { kind: 'system', component: 'resolve-candidates' } }, policy, now);
    if (made.kind !== 'transition') throw new Error(`handoff ${id} wants candidates and refuses them: ${made.kind}`);
    const written = await deps.store.append(handoff, made.after, made.receipts, { turn: attempt < LAST_GUARDED ? 'if-unchanged' : 'anyway' });
    if (written.kind === 'written') return workflowAnswer(made.after, policy, now);
  }
  throw new Error(`handoff ${id} kept changing under ${ATTEMPTS} attempts`);
}

/** Only the people about whom nothing else has decided are weighed: a roster may be long. */
async function weigh(store: HandoffStore, packet: Packet, policy: Policy, now: string): Promise<{ openCounts: Record<string, number>; loads: Record<string, Load> }> {
  const people = peopleToWeigh({ packet, policy, now: acceptanceStartsAt(policy, now) });
  const byOpen = policy.contract.ask.some((step) => step.order === 'least-open');
  const [openCounts, loads] = await Promise.all([byOpen ? store.openCounts(people) : {}, store.loads(people)]);
  return { openCounts, loads };
}
