import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { HandoffTask } from '../../shared/contracts/workflow-task.ts';
import { env } from '../../shared/lambda/env.ts';
import { taskHandler } from '../../shared/lambda/task-handler.ts';
import { resolveCandidates } from './resolve-candidates.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = { store: dynamodbHandoffStore(table), policies: dynamodbPolicyBook(table), time: systemTime };

export const handler = taskHandler(HandoffTask, ({ handoffId }) => resolveCandidates(deps, handoffId));
