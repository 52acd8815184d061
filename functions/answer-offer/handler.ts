import { dynamodbCaseBook } from '../../shared/adapters/dynamodb-case-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { installedSlack } from '../../shared/adapters/installed-slack.ts';
import { batonSeal } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { SlackAnsweredOnBus } from '../../shared/contracts/announcement-event.ts';
import { env } from '../../shared/lambda/env.ts';
import { httpHandler } from '../../shared/lambda/http-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { requestHandler } from '../../shared/lambda/request-handler.ts';
import { whenNeeded } from '../../shared/lambda/when-needed.ts';
import { answerFromSlack } from './answer-from-slack.ts';
import { NOT_SURE } from './not-sure.ts';
import { type RespondDeps, respond } from './respond.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps: RespondDeps = {
  links: dynamodbLinkBook(table),
  store: dynamodbHandoffStore(table),
  cases: dynamodbCaseBook(table),
  seal: batonSeal(env('BATON_SECRET')),
  time: systemTime,
  opened: (by, { handoff, link }) => logger.info('link-opened', 'A link was opened; that decides nothing', { handoffId: handoff.id, kind: by, source: link.channel }),
};

const secrets = env('FETCH_SECRETS_PREFIX');
const slack = whenNeeded('send', () => installedSlack(secrets));

const pages = httpHandler((request) => respond(deps, request), NOT_SURE);
const clicks = requestHandler(SlackAnsweredOnBus, async ({ detail: { announcement } }) => {
  const { kind: outcome, ...rest } = await answerFromSlack({ ...deps, slack }, announcement);
  logger.info('slack-answer-handled', 'A click in Slack was handled', { outcome, eventId: announcement.eventId, ...rest });
});

/** Requests come from the front door, clicks from the bus. */
export const handler = (request: Parameters<typeof pages>[0] | { 'detail-type': string }, context: Parameters<typeof pages>[1]) =>
  'detail-type' in request ? clicks(request, context) : pages(request, context);
