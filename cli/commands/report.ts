// baton report: what nobody owns, now or as it was published for a day.

import { parseArgs } from 'node:util';
import { compileReport, reportJson } from '../../functions/report-orphans/report-orphans.ts';
import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { sfnLookout } from '../../shared/adapters/sfn-workflow.ts';
import { isReconciled } from '../../shared/domain/balance.ts';
import { reportText } from '../../shared/domain/report-text.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';
import { knownZone, ZONE_HELP, ZONE_OPTION } from '../zone.ts';

const HELP = `baton report [--json] [--zone ZONE]

Lists what nobody owns right now, from the table itself: it sends nothing and writes nothing.
The published report of each day stands in the report bucket and goes out by mail.

  --json           the same as JSON
${ZONE_HELP}
${INSTALLATION_HELP}

Exit status: 0 nothing is unowned and the sheet balances, 1 something is listed, 2 wrong usage.`;

export const report: Command = {
  name: 'report',
  summary: 'what nobody owns right now',
  help: HELP,
  async run(args, output) {
    const options = { ...INSTALLATION_OPTIONS, ...ZONE_OPTION, json: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    if (positionals.length > 0) throw new UsageError('takes no names, only options.');
    const zone = knownZone(values.zone);
    const installation = findInstallation(values);
    const now = await timeOf(installation);
    const table = dynamodbTable(installation.outputs.TableName);
    const sources = {
      attention: dynamodbAttentionIndex(table),
      totals: dynamodbTotalsBook(table),
      policies: dynamodbPolicyBook(table, { pointerSeconds: 60 }),
      workflow: sfnLookout(installation.outputs.MachineArn),
    };
    const compiled = await compileReport({ ...sources, time: { now: () => now }, zone });
    output.line(values.json ? reportJson(compiled).trimEnd() : reportText(compiled).trimEnd());
    return compiled.rows.length === 0 && isReconciled(compiled.balance) ? 0 : 1;
  },
};
