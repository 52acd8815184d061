// What starts `reconcile`: the schedule, or Step Functions saying that an execution ended badly.

import * as z from 'zod/mini';
import { type HandoffId, handoffId } from '../domain/ids.ts';

/** The five-minute schedule. Whatever it says besides, a sweep is the answer. */
const Sweep = z.object({ schemaVersion: z.literal('1').check(z.describe('Version of this contract.')) });

/** `Step Functions Execution Status Change` of the default bus, as far as it matters: executions are named by handoff. */
const EndedExecution = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({ name: z.string().check(z.describe('Name of the execution: the handoff, and `-r<n>` for a replacement.')) }),
});

/** The reason for one run of `reconcile`. */
export const ReconcileRequest = z.union([EndedExecution, Sweep]);
export type ReconcileRequest = z.output<typeof ReconcileRequest>;

/** The handoff whose execution ended, or undefined for a sweep. */
export function handoffOf(request: ReconcileRequest): HandoffId | undefined {
  const found = 'detail' in request ? /^(h-[0-9a-f]{32})(?:-r\d+)?$/.exec(request.detail.name)?.[1] : undefined;
  return found === undefined ? undefined : handoffId(found);
}
