import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import { type WorkflowAnswer, workflowAnswer } from '../../shared/domain/workflow-answer.ts';
import { transition } from '../../shared/domain/workflow-transition.ts';
import type { HandoffStore } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type ResolveCandidatesDeps = { store: HandoffStore; policies: PolicyBook; time: TimeSource };

const ATTEMPTS = 5;

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

    const openCounts = await deps.store.openCounts(policy.roster.people.map((person) => person.id));
    const command = { kind: 'resolve-candidates', commandId: commandId('resolve-candidates'), openCounts, packet } as const;
    const made = transition(handoff, { command, actor: { kind: 'system', component: 'resolve-candidates' } }, policy, now);
    if (made.kind !== 'transition') throw new Error(`handoff ${id} wants candidates and refuses them: ${made.kind}`);
    const written = await deps.store.append(handoff, made.after, made.receipts);
    if (written.kind === 'written') return workflowAnswer(made.after, policy, now);
  }
  throw new Error(`handoff ${id} kept changing under ${ATTEMPTS} attempts`);
}
