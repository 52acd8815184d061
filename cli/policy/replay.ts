import { parseArgs } from 'node:util';
import { readRecords } from '../../shared/adapters/dynamodb-handoff-records.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { type First, type Replayed, replayProposal } from '../../shared/domain/policy-replay.ts';
import { type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS } from '../installation.ts';
import { onlyOne, policyIn } from './check.ts';

const MOST = 10_000;

/** Recorded handoffs through the policy of a folder: whose first candidate would be somebody else, and why (C-05). */
export async function replayPolicy(args: string[], output: Output): Promise<number> {
  const options = { ...INSTALLATION_OPTIONS, limit: { type: 'string', default: '500' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const limit = Number(values.limit);
  if (!/^\d{1,5}$/.test(values.limit) || limit < 1 || limit > MOST) throw new UsageError(`--limit takes a number from 1 to ${MOST}, not "${values.limit}".`);
  const proposal = policyIn(onlyOne(positionals), output);
  if (proposal === undefined) return 1;
  const { outputs } = findInstallation(values);
  const replay = replayProposal(await readRecords(dynamodbTable(outputs.TableName), limit), proposal);
  if (values.json === true) output.line(JSON.stringify(replay, null, 2));
  else {
    for (const change of replay.changes) for (const line of told(change)) output.line(line);
    output.line(`Looked at ${replay.looked} handoff${replay.looked === 1 ? '' : 's'}: ${replay.changes.length} would begin with somebody else, ${replay.unchanged} would not.`);
  }
  return 0;
}

function told({ handoff, owner, was, wouldBe, because }: Replayed): string[] {
  return [`${handoff}${owner === undefined ? '' : ` (owned by ${owner})`}: ${whoIs(was)} → ${whoIs(wouldBe)}`, `   ${because}`];
}

const whoIs = (first: First): string => (first.kind === 'asked' ? first.person : first.kind === 'exception' ? `exception ${first.class}` : 'nothing opened');
