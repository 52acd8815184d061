// baton policy: check the business's files, and make a checked version the one in force.

import { parseArgs } from 'node:util';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { loadPolicy } from '../../shared/contracts/policy-files.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';

const HELP = `baton policy check [FOLDER]
baton policy publish [FOLDER] [--by PERSON]

check    reads contracts/*.yaml, roster.yaml and calendars.yaml of FOLDER (default policy) and names
         every mistake with file, line and what was expected. Changes nothing.
publish  checks, stores an immutable version and makes it the one in force. Open handoffs keep theirs.

  --by PERSON      who publishes (default: the change owner of the first contract)
${INSTALLATION_HELP}

Exit status: 0 in order, 1 mistakes were found, 2 wrong usage.`;

export const policy: Command = {
  name: 'policy',
  summary: 'check and publish the business policy',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, by: { type: 'string' } } });
    const [verb, folder = 'policy', ...more] = positionals;
    if ((verb !== 'check' && verb !== 'publish') || more.length > 0) throw new UsageError('say "check" or "publish", and at most one folder.');
    const read = loadPolicy(folder);
    if (read.kind === 'invalid') {
      for (const finding of read.findings) output.error(finding);
      return 1;
    }
    const { contracts, roster } = read.policy;
    if (verb === 'check') {
      output.line(`In order: ${contracts.length} contract${contracts.length === 1 ? '' : 's'} (${contracts.map((one) => one.name).join(', ')}), ${roster.people.length} people.`);
      return 0;
    }
    const installation = findInstallation(values);
    const by = values.by ?? contracts[0]?.changeOwner ?? 'unknown';
    await dynamodbPolicyPress(dynamodbTable(installation.outputs.TableName)).publish(read.policy, by, await timeOf(installation));
    output.line(`In force: ${contracts.map((one) => `${one.name} ${one.version.slice(0, 12)}`).join(', ')}.`);
    return 0;
  },
};
