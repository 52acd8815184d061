import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { linkMint } from '../../shared/adapters/secretsmanager-link-mint.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { WaitTask } from '../../shared/contracts/workflow-task.ts';
import { env } from '../../shared/lambda/env.ts';
import { taskHandler } from '../../shared/lambda/task-handler.ts';
import { requestAcceptance } from './request-acceptance.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = {
  store: dynamodbHandoffStore(table),
  waits: dynamodbWaitBook(table),
  policies: dynamodbPolicyBook(table),
  seal: linkMint(env('BATON_SECRET')),
  bus: eventbridgeEventBus(env('HANDOFF_BUS')),
  time: systemTime,
};

export const handler = taskHandler(WaitTask, ({ handoffId, taskToken }) => requestAcceptance(deps, handoffId, taskToken));
