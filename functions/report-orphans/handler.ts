import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbDayBook } from '../../shared/adapters/dynamodb-day-book.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTallyBook } from '../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { s3ReportShelf } from '../../shared/adapters/s3-report-shelf.ts';
import { sfnLookout } from '../../shared/adapters/sfn-workflow.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { ReportRequest } from '../../shared/contracts/report-event.ts';
import { bucketAccess } from '../../shared/lambda/bucket-access.ts';
import { env } from '../../shared/lambda/env.ts';
import { count } from '../../shared/lambda/metrics.ts';
import { requestHandler } from '../../shared/lambda/request-handler.ts';
import { reportOrphans } from './report-orphans.ts';
import { reviewWeek } from './review-week.ts';

const table = dynamodbTable(env('HANDOFF_TABLE'));
const deps = {
  attention: dynamodbAttentionIndex(table),
  totals: dynamodbTotalsBook(table),
  tallies: dynamodbTallyBook(table),
  shelf: s3ReportShelf(table, env('REPORT_BUCKET'), bucketAccess()),
  bus: eventbridgeEventBus(env('HANDOFF_BUS')),
  days: dynamodbDayBook(table),
  policies: dynamodbPolicyBook(table, { pointerSeconds: 60 }),
  workflow: sfnLookout(env('HANDOFF_MACHINE')),
  time: systemTime,
  zone: env('REPORT_ZONE'),
};

export const handler = requestHandler(ReportRequest, async ({ scheduledAt }) => {
  const { day, scheduledAt: due } = await reportOrphans(deps, scheduledAt);
  await reviewWeek(deps, day, due);
  count('ReportPublished');
});
