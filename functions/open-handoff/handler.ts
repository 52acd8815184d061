import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbQuarantine } from '../../shared/adapters/dynamodb-quarantine.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { batonSeal } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import { sfnWorkflow } from '../../shared/adapters/sfn-workflow.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { count } from '../../shared/lambda/metrics.ts';
import { openHandoff } from './open-handoff.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = {
  signals: dynamodbSignalLog(table),
  policies: dynamodbPolicyBook(table),
  handoffs: dynamodbHandoffStore(table),
  workflow: sfnWorkflow(env('HANDOFF_MACHINE')),
  seal: batonSeal(env('BATON_SECRET')),
  digest: signalDigest,
  time: systemTime,
};
const quarantine = dynamodbQuarantine(table, systemTime);

export const handler = eventHandler(
  SignalEvent,
  async (event) => {
    const { kind: outcome, ...rest } = await openHandoff(deps, event);
    if (outcome === 'conflict') count('SignalConflicts');
    logger.info('signal-handled', 'A signal was handled', { outcome, ...rest });
  },
  { quarantine: quarantine.keep },
);
