import { dynamodbAbsenceBook } from '../../shared/adapters/dynamodb-absence-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbMessageLedger } from '../../shared/adapters/dynamodb-message-ledger.ts';
import { dynamodbOutcomeBook } from '../../shared/adapters/dynamodb-outcome-book.ts';
import { dynamodbPauseBook } from '../../shared/adapters/dynamodb-pause-book.ts';
import { dynamodbPersonIndex } from '../../shared/adapters/dynamodb-person-index.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbQuarantine } from '../../shared/adapters/dynamodb-quarantine.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { linkMint } from '../../shared/adapters/secretsmanager-link-mint.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { OutsideEvent } from '../../shared/contracts/outside-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { hear } from './hear.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = {
  store: dynamodbHandoffStore(table),
  policies: dynamodbPolicyBook(table),
  absences: dynamodbAbsenceBook(table),
  pauses: dynamodbPauseBook(table),
  people: dynamodbPersonIndex(table),
  ledger: dynamodbMessageLedger(table),
  outcomes: dynamodbOutcomeBook(table),
  ...{ seal: linkMint(env('BATON_SECRET')), time: systemTime },
};
const quarantine = dynamodbQuarantine(table, systemTime);

export const handler = eventHandler(
  OutsideEvent,
  async (detail, envelope) => {
    for (const { handoffId, outcome, because, meeting } of await hear(deps, detail, envelope)) {
      const why = because ?? (meeting && 'its meeting is without an accepted seller');
      logger.info('order-carried-out', 'An order was carried out, or changed nothing', { handoffId, detailType: envelope.detailType, outcome, because: why });
    }
  },
  { quarantine: quarantine.keep },
);
