import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { linkMint } from '../../shared/adapters/secretsmanager-link-mint.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { AdvanceTask } from '../../shared/contracts/workflow-task.ts';
import { env } from '../../shared/lambda/env.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { count } from '../../shared/lambda/metrics.ts';
import { taskHandler } from '../../shared/lambda/task-handler.ts';
import { advanceClock } from './advance-clock.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = { store: dynamodbHandoffStore(table), policies: dynamodbPolicyBook(table), seal: linkMint(env('BATON_SECRET')), time: systemTime };

export const handler = taskHandler(AdvanceTask, (task) => {
  if (task.fault !== undefined) {
    logger.warn('wait-failed', 'A wait ended with an error instead of an answer', { handoffId: task.handoffId, because: task.fault, count: task.faults });
    count('WaitsFailed');
  }
  return advanceClock(deps, task);
});
