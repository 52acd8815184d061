// baton erase: forgets a customer. The receipts stay, since they are about who answered, and name nobody outside the business.

import { parseArgs } from 'node:util';
import { eraseTraces, type Traces, tracesOf } from '../../shared/adapters/dynamodb-erasure.ts';
import { dynamodbErasureLog } from '../../shared/adapters/dynamodb-erasure-log.ts';
import { dynamodbHandoffReader } from '../../shared/adapters/dynamodb-handoff-reader.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { mayBeErased } from '../../shared/domain/erasure.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';
import { deleteRaw, isThere } from '../raw-deliveries.ts';
import { whoErases } from '../who-erases.ts';

const HELP = `baton erase HANDOFF [--run --by PERSON]

Shows what there is of the customer of this handoff: every handoff of theirs, and every signal. With --run all of it is
overwritten for good: names, addresses, numbers, words, notes, generated texts, and the deliveries as they came.

Left are the receipts with their pseudonyms, the kind of work, and whether the address takes messages: whoever said STOP
is not written to again. A handoff that is not over is refused: withdraw it first. It reads the whole table, by your own
rights, and is noted with who and when. Not reached: backups of the table (35 days), events that were set aside
("baton quarantine list", 90 days) or failed ("baton redrive", 14 days), messages in the mailboxes of staff, and what
the providers keep.

  --run            erase it; saying it again changes nothing
  --by PERSON      who erases, by the id in the roster
${INSTALLATION_HELP}

Exit status: 0 shown or erased, 1 there is no such handoff, 2 wrong usage, or something is not over.`;

export const erase: Command = {
  name: 'erase',
  summary: 'forget the customer of a handoff that is over',
  help: HELP,
  async run(args, output) {
    const options = { ...INSTALLATION_OPTIONS, run: { type: 'boolean' }, by: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) throw new UsageError('name one handoff, such as h-0123456789abcdef0123456789abcdef.');
    const installation = findInstallation(values);
    const table = dynamodbTable(installation.outputs.TableName);
    const by = values.run === true ? await whoErases(values.by, table) : undefined;
    const loaded = await dynamodbHandoffReader(table).load(handoffId(name));
    if (loaded === undefined) {
      output.error(`There is no handoff ${name}.`);
      return 1;
    }
    const traces = await tracesOf(table, loaded.handoff);
    for (const line of linesOf(traces)) output.line(line);
    const open = traces.handoffs.filter((one) => !mayBeErased(one));
    if (open.length > 0) throw new UsageError(`${open.map(({ id }) => id).join(', ')} is not over: whoever works on it needs to know for whom. Withdraw it first.`);
    if (by === undefined) {
      output.line('Nothing was changed; --run erases it.');
      return 0;
    }
    const at = await timeOf(installation);
    const log = dynamodbErasureLog(table);
    for (const { id } of traces.handoffs) await log.note(id, { by, at });
    const raws = await erasedRaws(traces, installation.outputs.RawBucketName, (rawRef) => log.note(rawRef, { by, at }));
    await eraseTraces(table, traces);
    output.line(`Erased by ${by} at ${at}: ${traces.handoffs.length} handoffs, ${traces.signals.length} signals, ${raws} deliveries.`);
    return 0;
  },
};

const linesOf = ({ handoffs, signals }: Traces): string[] => [
  ...handoffs.map(({ id, state, openedAt }) => `handoff ${id}, ${state}, opened ${openedAt}`),
  ...signals.map(({ source, eventId }) => `signal  ${source} ${eventId}`),
];

async function erasedRaws({ signals }: Traces, bucket: string, note: (rawRef: string) => Promise<void>): Promise<number> {
  let count = 0;
  for (const rawRef of new Set(signals.flatMap((one) => one.rawRef ?? []))) {
    if (!(await isThere(bucket, rawRef))) continue;
    await note(rawRef);
    await deleteRaw(bucket, rawRef);
    count += 1;
  }
  return count;
}
