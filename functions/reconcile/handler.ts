import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbClaimBook } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { sfnWorkflow } from '../../shared/adapters/sfn-workflow.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { handoffOf, ReconcileRequest } from '../../shared/contracts/reconcile-request.ts';
import { env } from '../../shared/lambda/env.ts';
import { reportRepairs } from '../../shared/lambda/report-repairs.ts';
import { requestHandler } from '../../shared/lambda/request-handler.ts';
import { reconcile, reconcileOne } from './reconcile.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = {
  store: dynamodbHandoffStore(table),
  waits: dynamodbWaitBook(table),
  policies: dynamodbPolicyBook(table),
  attention: dynamodbAttentionIndex(table),
  claims: dynamodbClaimBook(table),
  workflow: sfnWorkflow(env('HANDOFF_MACHINE')),
  bus: eventbridgeEventBus(env('HANDOFF_BUS')),
  time: systemTime,
};

export const handler = requestHandler(ReconcileRequest, async (request) => {
  const one = handoffOf(request);
  reportRepairs(await (one === undefined ? reconcile(deps) : reconcileOne(deps, one)));
});
