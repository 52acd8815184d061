import { dynamodbHandoffReader } from '../../shared/adapters/dynamodb-handoff-reader.ts';
import { dynamodbMessageBooks } from '../../shared/adapters/dynamodb-message-books.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { reportSummary } from '../../shared/adapters/dynamodb-report-summary.ts';
import { dynamodbSuppressionBook } from '../../shared/adapters/dynamodb-suppression-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { installedSlack } from '../../shared/adapters/installed-slack.ts';
import { contactSeal } from '../../shared/adapters/secretsmanager-contact-seal.ts';
import { sesv2EmailSender } from '../../shared/adapters/sesv2-email-sender.ts';
import { smsVoiceSmsSender } from '../../shared/adapters/sms-voice-sms-sender.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { NoticeEvent } from '../../shared/contracts/notice-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { count } from '../../shared/lambda/metrics.ts';
import { whenNeeded } from '../../shared/lambda/when-needed.ts';
import { type NotifyDeps, notify } from './notify.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const [busName, smsFrom, secrets] = [env('HANDOFF_BUS'), env('SMS_FROM'), env('FETCH_SECRETS_PREFIX')];
const deps: NotifyDeps = {
  store: dynamodbHandoffReader(table),
  policies: dynamodbPolicyBook(table),
  ...dynamodbMessageBooks(table),
  bus: whenNeeded('publish', () => eventbridgeEventBus(busName)),
  email: sesv2EmailSender({ from: env('MAIL_FROM'), configurationSet: env('MAIL_CONFIGURATION_SET') }),
  sms: whenNeeded('send', () => smsVoiceSmsSender(smsFrom)),
  slack: whenNeeded('send', () => installedSlack(secrets)),
  reports: { find: (day) => reportSummary(table, day) },
  suppressions: dynamodbSuppressionBook(table, contactSeal(env('BATON_SECRET'))),
  ...{ time: systemTime, publicUrl: env('PUBLIC_URL'), opsEmail: env('OPS_EMAIL') },
  settled: (outcome, effect, handoffId) => {
    if (outcome === 'sent' || outcome === 'refused') count(outcome === 'sent' ? 'MessagesSent' : 'MessagesRefused');
    logger.info('message-settled', 'A message was sent, refused, held or left out', { outcome, effect, handoffId });
  },
};

export const handler = eventHandler(NoticeEvent, (event) => notify(deps, event));
