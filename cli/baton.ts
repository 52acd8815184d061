// The command line: finds the command, prints its result, turns every failure into one sentence.

import { type Command, type Output, UsageError } from './command.ts';
import { erase } from './commands/erase.ts';
import { measures } from './commands/measures.ts';
import { away, pause, reassign, resume, takeover, withdraw } from './commands/order.ts';
import { policy } from './commands/policy.ts';
import { quarantine } from './commands/quarantine.ts';
import { ready } from './commands/ready.ts';
import { redrive } from './commands/redrive.ts';
import { report } from './commands/report.ts';
import { send } from './commands/send.ts';
import { show } from './commands/show.ts';
import { source } from './commands/source.ts';
import { start } from './commands/start.ts';
import { verify } from './commands/verify.ts';

/** Every command, in the order in which the overview and the README list them. */
export const COMMANDS: readonly Command[] = [
  start,
  send,
  source,
  ready,
  quarantine,
  redrive,
  show,
  report,
  measures,
  verify,
  policy,
  reassign,
  withdraw,
  away,
  takeover,
  pause,
  resume,
  erase,
];

const terminal: Output = { line: (text) => console.log(text), error: (text) => console.error(text) };

/** Runs one command line and answers with its exit status: 0 done, 1 the answer is no, 2 wrong usage, 3 something failed. */
export async function main(args: string[], output: Output = terminal): Promise<number> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    const asked = name === undefined || ['help', '--help', '-h'].includes(name);
    if (!asked) output.error(`baton: there is no command "${name}".`);
    output.line(overview());
    return asked ? 0 : 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    output.line(command.help);
    return 0;
  }
  try {
    return await command.run(rest, output);
  } catch (error) {
    output.error(`baton ${command.name}: ${sentence(error)}`);
    return error instanceof UsageError || isParseArgsError(error) ? 2 : 3;
  }
}

const overview = () =>
  ['baton: the ownership clock for inbound leads', '', ...COMMANDS.map((one) => `  baton ${one.name.padEnd(10)} ${one.summary}`), '', 'Each has its own --help.'].join('\n');

const isParseArgsError = (error: unknown) => error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const refused = 'code' in error && error.code === 'ECONNREFUSED' ? 'nothing answers there; is Baton running (npm start)?' : undefined;
  return `${refused ?? error.message}${cause}`;
}
