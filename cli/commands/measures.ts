// baton measures: the funnel, the times with their tail, and where the rules are wrong.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dynamodbDayBook } from '../../shared/adapters/dynamodb-day-book.ts';
import { dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTallyBook } from '../../shared/adapters/dynamodb-tally-book.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { lineIn } from '../../shared/contracts/policy-yaml.ts';
import { type Activity, activityBetween, activityText, activityTitle, countedOf } from '../../shared/domain/activity.ts';
import { plusDays } from '../../shared/domain/local-time.ts';
import { measure } from '../../shared/domain/measures.ts';
import { measuresText } from '../../shared/domain/measures-text.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';

const HELP = `baton measures [--days N] [--policy FOLDER] [--json]

Shows what became of the handoffs that opened in the last N days: each stage counted apart, times with
median, p90, p95 and longest (work nobody accepted counts as still waiting), and rejections that point
at the same rule, with the contract line to look at. Below them what was counted, whatever handoff it
belongs to: signals, noes and moves with their reasons, outcomes that match nothing; since the last
report that came out before those days.

  --days N         how far back (default 7)
  --policy FOLDER  where the contracts stand, to name their lines (default policy)
  --json           the same as JSON
${INSTALLATION_HELP}`;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export const measures: Command = {
  name: 'measures',
  summary: 'stages, times and rejections of the last days',
  help: HELP,
  async run(args, output) {
    const options = { ...INSTALLATION_OPTIONS, days: { type: 'string', default: '7' }, policy: { type: 'string', default: 'policy' }, json: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    if (positionals.length > 0) throw new UsageError('takes no names, only options.');
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1 || days > 366) throw new UsageError(`--days takes a whole number from 1 to 366, not "${values.days}".`);
    const installation = findInstallation(values);
    const until = await timeOf(installation);
    const from = new Date(Date.parse(until) - days * DAY_MILLISECONDS).toISOString();
    const table = dynamodbTable(installation.outputs.TableName);
    const measured = measure(await dynamodbDayBook(table).openedBetween(from, until), from, until);
    const activity = await activitySince(table, from, until);
    const text = () => [
      measuresText(measured, (contract, step) => placeOf(values.policy, contract, step)),
      '',
      `${activityTitle(activity)}, whatever it belongs to`,
      ...activityText(activity),
    ];
    for (const line of values.json ? [JSON.stringify({ ...measured, activity }, null, 2)] : text()) output.line(line);
    return 0;
  },
};

/** What was counted since the report that came out last before the period; since the beginning when there is none in the week before it. */
async function activitySince(table: Table, from: string, until: string): Promise<Activity> {
  const day = from.slice(0, 10);
  const [readings, { totals, tally }] = await Promise.all([dynamodbTallyBook(table).noted(plusDays(day, -7), plusDays(day, 1)), dynamodbTotalsBook(table).counted()]);
  return activityBetween(
    readings.findLast(({ at }) => at <= from),
    { at: until, counts: countedOf(totals, tally) },
  );
}

/** The line of the asking step in the contract's file, or its path when the file is not at hand. */
export function placeOf(folder: string, contract: string, step: number): string {
  const file = join(folder, 'contracts', `${contract}.yaml`);
  if (!existsSync(file)) return `${contract} ask[${step}]`;
  return `${file}:${lineIn(file, readFileSync(file, 'utf8'), ['ask', step])}`;
}
