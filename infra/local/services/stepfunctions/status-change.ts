import type { Execution } from './position.ts';

const REDRIVABLE_FOR = 14 * 86_400_000;
/** With fewer events left than this a redrive could record nothing. */
const LAST_REDRIVABLE_EVENT = 24_999;

/** Whether an execution may be redriven, and why not. */
export function redriveStanding(execution: Execution, now: number): { redriveStatus: 'REDRIVABLE' | 'NOT_REDRIVABLE'; redriveStatusReason?: string } {
  const refuse = (redriveStatusReason: string) => ({ redriveStatus: 'NOT_REDRIVABLE' as const, redriveStatusReason });
  if (execution.status === 'RUNNING') return refuse('Execution is RUNNING and cannot be redriven');
  if (execution.status === 'SUCCEEDED') return refuse('Execution is SUCCEEDED and cannot be redriven');
  if (execution.lastEvent >= LAST_REDRIVABLE_EVENT) return refuse('Execution history event limit exceeded');
  if (now - (execution.stoppedAt ?? now) > REDRIVABLE_FOR) return refuse('Execution has exceeded the redrivable period');
  return { redriveStatus: 'REDRIVABLE' };
}

/** Detail of the event that Step Functions puts on the default bus. Times in milliseconds, absent values as null. */
export function statusChange(execution: Execution): Record<string, unknown> {
  const { redriveStatus, redriveStatusReason } = redriveStanding(execution, execution.stoppedAt ?? execution.startedAt);
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.machineArn,
    stateMachineVersionArn: null,
    stateMachineAliasArn: null,
    name: execution.name,
    status: execution.status,
    startDate: execution.startedAt,
    stopDate: execution.stoppedAt ?? null,
    input: execution.input,
    inputDetails: { included: true },
    output: execution.output ?? null,
    outputDetails: execution.output === undefined ? null : { included: true },
    error: execution.error ?? null,
    cause: execution.cause ?? null,
    redriveCount: execution.redriveCount,
    redriveDate: execution.redrivenAt ?? null,
    redriveStatus,
    redriveStatusReason: redriveStatusReason ?? null,
  };
}
