// baton verify: is this acceptance receipt genuine? Offline, with nothing but the file and the public keys.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { verifyAcceptance } from '../../shared/adapters/jose-acceptance.ts';
import { type Command, UsageError } from '../command.ts';

const HELP = `baton verify FILE [--keys FILE] [--json]

Checks an acceptance receipt (a signed text that ends in three parts, as downloaded from the seller's page)
against Baton's public keys. Works offline.

  --keys FILE   the public keys, saved from https://YOUR-HOST/.well-known/baton-keys.json (default baton-keys.json)
  --json        print the receipt's content as JSON

Exit status: 0 genuine, 1 not genuine, 2 a file cannot be read.`;

export const verify: Command = {
  name: 'verify',
  summary: 'check a signed acceptance receipt, offline',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { keys: { type: 'string', default: 'baton-keys.json' }, json: { type: 'boolean' } } });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new UsageError('name one receipt file.');
    const verdict = await verifyAcceptance(read(file).trim(), keys(values.keys));
    if (verdict.kind === 'invalid') {
      output.error(`NOT genuine: ${verdict.because}`);
      return 1;
    }
    if (values.json) output.line(JSON.stringify(verdict.payload, null, 2));
    else {
      const { handoffId, acceptedOwner, acceptedAt, nextAction, dueAt, source, contractVersion, packetVersion } = verdict.payload;
      output.line(`Genuine. ${acceptedOwner} accepted ${handoffId} at ${acceptedAt}.`);
      output.line(`Promised: ${nextAction} by ${dueAt}.`);
      output.line(`Started by ${source.system} event ${source.eventId} of ${source.occurredAt}; packet version ${packetVersion}, contract version ${contractVersion}.`);
    }
    return 0;
  },
};

function keys(file: string): { keys: Record<string, unknown>[] } {
  const text = read(file);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'keys' in parsed && Array.isArray(parsed.keys)) return parsed as { keys: Record<string, unknown>[] };
  } catch {
    // told below, like any other content that is not a key set
  }
  throw new UsageError(`${file} is not a key set: expected JSON with "keys".`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
