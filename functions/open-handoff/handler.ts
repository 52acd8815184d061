import { dynamodbContactBooks } from '../../shared/adapters/dynamodb-contact-books.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbMatchBook } from '../../shared/adapters/dynamodb-match-book.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbQuarantine } from '../../shared/adapters/dynamodb-quarantine.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbSourceBook } from '../../shared/adapters/dynamodb-source-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { installedLeadFetch } from '../../shared/adapters/installed-lead-fetch.ts';
import { contactSeal } from '../../shared/adapters/secretsmanager-contact-seal.ts';
import { linkMint } from '../../shared/adapters/secretsmanager-link-mint.ts';
import { sfnWorkflow } from '../../shared/adapters/sfn-workflow.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { IntakeEvent, isCount } from '../../shared/contracts/intake-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { reportSignal } from '../../shared/lambda/report-signal.ts';
import { whenNeeded } from '../../shared/lambda/when-needed.ts';
import { answersOf } from '../../shared/sources/fetched-lead.ts';
import { figuresOf } from './keep-figures.ts';
import { openHandoff } from './open-handoff.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const figures = figuresOf(dynamodbSourceBook(table));
const secrets = env('FETCH_SECRETS_PREFIX');
const seal = { ...contactSeal(env('BATON_SECRET')), ...linkMint(env('BATON_SECRET')) };
const deps = {
  signals: dynamodbSignalLog(table),
  policies: dynamodbPolicyBook(table),
  handoffs: dynamodbHandoffStore(table),
  matches: dynamodbMatchBook(table),
  workflow: sfnWorkflow(env('HANDOFF_MACHINE')),
  ...{ seal, digest: signalDigest, time: systemTime, ...dynamodbContactBooks(table, seal) },
  leads: answersOf(whenNeeded('fetch', () => installedLeadFetch(secrets))),
  counts: figures,
};
const { keep: quarantine } = dynamodbQuarantine(table, systemTime);

export const handler = eventHandler(IntakeEvent, async (event) => (isCount(event) ? figures.counted(event) : reportSignal(await openHandoff(deps, event))), { quarantine });
