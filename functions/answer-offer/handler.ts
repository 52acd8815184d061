import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { batonSeal } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { env } from '../../shared/lambda/env.ts';
import { httpHandler } from '../../shared/lambda/http-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { type RespondDeps, respond } from './respond.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps: RespondDeps = {
  links: dynamodbLinkBook(table),
  store: dynamodbHandoffStore(table),
  policies: dynamodbPolicyBook(table),
  seal: batonSeal(env('BATON_SECRET')),
  time: systemTime,
  opened: (by, { handoff, link }) => logger.info('link-opened', 'A link was opened; that decides nothing', { handoffId: handoff.id, kind: by, source: link.channel }),
};

export const handler = httpHandler((request) => respond(deps, request));
