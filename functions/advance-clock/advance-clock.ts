import type { AdvanceTask } from '../../shared/contracts/workflow-task.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import { type WorkflowAnswer, workflowAnswer } from '../../shared/domain/workflow-answer.ts';
import { transition, type Wish, wishFor } from '../../shared/domain/workflow-transition.ts';
import type { HandoffStore } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { LinkSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type AdvanceClockDeps = { store: HandoffStore; policies: PolicyBook; seal: Pick<LinkSeal, 'mint'>; time: TimeSource };

/** Due steps and lost races of one run: an escalation chain is short, and so is a crowd on one handoff. */
const ATTEMPTS = 12;

/** Waits that failed in a row before a person is asked to look. */
const PATIENCE = 5;

/**
 * Lets everything happen that is due, by the same conditional write as any person (SF-03), and tells the machine what to
 * wait for next. Losing a race is reading again: whatever stands in the row then is the truth the machine follows.
 */
export async function advanceClock(deps: AdvanceClockDeps, task: AdvanceTask): Promise<WorkflowAnswer & { faults?: number }> {
  const id: HandoffId = task.handoffId;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const loaded = await deps.store.load(id);
    if (loaded === undefined) throw new Error(`handoff ${id} does not exist`);
    const { handoff } = loaded;
    const policy = await deps.policies.at(handoff.contract, handoff.contractVersion);
    const now = deps.time.now();
    const answer = workflowAnswer(handoff, policy, now);
    const wish = systemFault(handoff, task) ?? (answer.next === 'advance-clock' ? wishFor(nextStep(handoff, policy, now), handoff) : undefined);
    if (wish === undefined) return { ...answer, ...(task.faults !== undefined && { faults: task.faults }) };

    const made = transition(handoff, wish, policy, now);
    if (made.kind !== 'transition') throw new Error(`handoff ${id} is due and refuses ${wish.command.kind}: ${made.kind}`);
    const links = await Promise.all(made.links.map(async (link) => ({ ...link, id: await deps.seal.mint(link) })));
    await deps.store.append(handoff, made.after, made.receipts, { links });
  }
  throw new Error(`handoff ${id} kept changing under ${ATTEMPTS} attempts`);
}

/** A wait that keeps failing before anybody was asked is put to a person. Ownership is never taken away for it. */
function systemFault(handoff: Handoff, { fault, faults = 0 }: AdvanceTask): Wish | undefined {
  if (fault === undefined || faults < PATIENCE) return undefined;
  if (handoff.state !== 'ready' && handoff.state !== 'candidates-resolved') return undefined;
  const because = `the workflow failed ${faults} times in a row: ${fault}`;
  return {
    command: { kind: 'raise-exception', commandId: commandId(`raise-exception:${handoff.exceptions.length + 1}`), class: 'system-fault', because },
    actor: { kind: 'system', component: 'advance-clock' },
  };
}
