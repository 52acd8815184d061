// Whether the workflows of handoffs that are due really wait, as it stood when the report was read (M-02).

import { type Handoff, lastMovedAt } from '../../shared/domain/handoff.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { type Machine, type WorkflowFault, workflowFault } from '../../shared/domain/workflow-fault.ts';
import type { Watched } from '../../shared/ports/report-sources.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';

type Sources = { workflow: Pick<Workflow, 'latest'>; policyOf: (handoff: Handoff) => Policy | undefined };

/** Looked up at the same time. */
const TOGETHER = 8;

/** The faults that have stood since `since` at least. One look-up for each handoff that is due, so the cost follows the orphans (M-05). */
export async function workflowFaults({ workflow, policyOf }: Sources, watched: readonly Watched[], now: string, since: string): Promise<Map<HandoffId, WorkflowFault>> {
  const faults = new Map<HandoffId, WorkflowFault>();
  for (let from = 0; from < watched.length; from += TOGETHER) {
    const some = watched.slice(from, from + TOGETHER).filter(({ handoff }) => lastMovedAt(handoff) <= since);
    await Promise.all(
      some.map(async (one) => {
        const policy = policyOf(one.handoff);
        const fault = policy === undefined ? undefined : workflowFault(one, policy, now, await look(workflow, one.handoff.id));
        if (fault !== undefined && fault.since <= since) faults.set(one.handoff.id, fault);
      }),
    );
  }
  return faults;
}

/** What cannot be looked up is unknown, and never costs the report (L-06). */
const look = (workflow: Sources['workflow'], id: HandoffId): Promise<Machine | 'unknown' | undefined> => workflow.latest(id).catch((): 'unknown' => 'unknown');
