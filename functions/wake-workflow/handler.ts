import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import { sfnWaker } from '../../shared/adapters/sfn-workflow.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { WaitOverEvent } from '../../shared/contracts/wait-over-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { count } from '../../shared/lambda/metrics.ts';
import { wakeWorkflow } from './wake-workflow.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = { handoffs: dynamodbHandoffStore(table), waits: dynamodbWaitBook(table), policies: dynamodbPolicyBook(table), workflow: sfnWaker(), time: systemTime };

/** Of a receipt's event only the handoff matters, which stands in the same place. */
export const handler = eventHandler(WaitOverEvent, async ({ handoffId }, { detailType }) => {
  const { kind: outcome } = await wakeWorkflow(deps, handoffId);
  if (outcome === 'nobody-waits') count('WakeupStale');
  logger.info('wake-up-considered', 'A workflow was woken, or did not need to be', { handoffId, detailType, outcome });
});
