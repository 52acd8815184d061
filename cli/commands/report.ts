// baton report: what nobody owns, now or as it was published for a day.

import { parseArgs } from 'node:util';
import { compileReport, reportJson } from '../../functions/report-orphans/report-orphans.ts';
import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbDayBook } from '../../shared/adapters/dynamodb-day-book.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTallyBook } from '../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { sfnLookout } from '../../shared/adapters/sfn-workflow.ts';
import { isReconciled } from '../../shared/domain/balance.ts';
import { localParts } from '../../shared/domain/local-time.ts';
import { reportText } from '../../shared/domain/report-text.ts';
import { openedSince, reviewText, type Week, weekBefore, weeklyReview } from '../../shared/domain/weekly-review.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';
import { knownZone, ZONE_HELP, ZONE_OPTION } from '../zone.ts';
import { placeOf } from './measures.ts';

const HELP = `baton report [--week] [--json] [--zone ZONE] [--policy FOLDER]

Lists what nobody owns right now, from the table itself: it sends nothing and writes nothing.
Below the sheet stands what was counted since the last report came out: signals, answers, moves and outcomes
with their reasons. The published report of each day stands in the report bucket and goes out by mail.

  --week           instead: the review of the week that ended last Monday, with the rules that were turned
                   down more than once for the same reason and the contract line to look at
  --policy FOLDER  where the contracts stand, to name their lines (default policy)
  --json           the same as JSON
${ZONE_HELP}
${INSTALLATION_HELP}

Exit status: 0 nothing is unowned and the sheet balances, 1 something is listed, 2 wrong usage.`;

export const report: Command = {
  name: 'report',
  summary: 'what nobody owns right now',
  help: HELP,
  async run(args, output) {
    const options = { ...INSTALLATION_OPTIONS, ...ZONE_OPTION, json: { type: 'boolean' }, week: { type: 'boolean' }, policy: { type: 'string', default: 'policy' } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    if (positionals.length > 0) throw new UsageError('takes no names, only options.');
    const zone = knownZone(values.zone);
    const installation = findInstallation(values);
    const now = await timeOf(installation);
    const table = dynamodbTable(installation.outputs.TableName);
    if (values.week === true) return reviewed(table, weekBefore(localParts(now, zone).date, zone), { json: values.json === true, folder: values.policy, output });
    const sources = {
      attention: dynamodbAttentionIndex(table),
      totals: dynamodbTotalsBook(table),
      tallies: dynamodbTallyBook(table),
      policies: dynamodbPolicyBook(table, { pointerSeconds: 60 }),
      workflow: sfnLookout(installation.outputs.MachineArn),
    };
    const compiled = await compileReport({ ...sources, time: { now: () => now }, zone });
    output.line(values.json ? reportJson(compiled).trimEnd() : reportText(compiled).trimEnd());
    return compiled.rows.length === 0 && isReconciled(compiled.balance) ? 0 : 1;
  },
};

type Reviewed = { json: boolean; folder: string; output: Parameters<Command['run']>[1] };

/** The same review as the one that was mailed, from the table, with the lines of the files at hand. */
async function reviewed(table: Table, week: Week, { json, folder, output }: Reviewed): Promise<number> {
  const review = weeklyReview(await dynamodbDayBook(table).openedBetween(openedSince(week), week.until), week);
  output.line(json ? JSON.stringify(review, null, 2) : reviewText(review, (contract, step) => placeOf(folder, contract, step)));
  return review.clusters.length === 0 ? 0 : 1;
}
