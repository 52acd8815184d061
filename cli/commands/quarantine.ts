// baton quarantine: what was set aside for a person, because it misses its contract, says something else under an id that was used, or is about no handoff there is.

import { parseArgs } from 'node:util';
import { dynamodbQuarantineShelf } from '../../shared/adapters/dynamodb-quarantine.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import type { Quarantined, QuarantineShelf } from '../../shared/ports/quarantine.ts';
import { type Command, type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS } from '../installation.ts';

const HELP = `baton quarantine list [--json]
baton quarantine show ID

list   what was set aside in the last 90 days: events that miss their contract, other content under an id that a source
       had used, and outcomes of handoffs that do not exist. Nothing opened for any of it. No personal data is printed.
show   the contents under one id of the list, with the personal data in them

  --json           list: as JSON
${INSTALLATION_HELP}

Exit status: 0 nothing is set aside, or shown; 1 something is set aside, or there is nothing under this id; 2 wrong usage.`;

export const quarantine: Command = {
  name: 'quarantine',
  summary: 'what was set aside instead of opening a handoff',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, json: { type: 'boolean' } } });
    const [action, id, ...more] = positionals;
    const isList = action === 'list' && id === undefined;
    if (!isList && (action !== 'show' || id === undefined || more.length > 0)) throw new UsageError('say "quarantine list" or "quarantine show ID".');
    const shelf = dynamodbQuarantineShelf(dynamodbTable(findInstallation(values).outputs.TableName));
    return id === undefined ? list(shelf, output, values.json === true) : show(shelf, output, id);
  },
};

async function list(shelf: QuarantineShelf, output: Output, asJson: boolean): Promise<number> {
  const entries = await shelf.list();
  if (asJson) output.line(JSON.stringify(entries, null, 2));
  else for (const entry of entries) output.line(lineOf(entry));
  return entries.length === 0 ? 0 : 1;
}

async function show(shelf: QuarantineShelf, output: Output, id: string): Promise<number> {
  const contents = await shelf.contents(id);
  if (contents.length === 0) output.error(`Nothing is set aside under ${id}.`);
  for (const { what, content } of contents) output.line(`${what}:\n${typeof content === 'string' ? content : JSON.stringify(content, null, 2)}`);
  return contents.length === 0 ? 1 : 0;
}

const lineOf = ({ at, kind, source, id, because }: Quarantined): string => `${at}  ${kind.padEnd(8)}  ${source}  ${id}  ${because}`;
