// baton start: the synthesized template, running on this laptop.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readPort } from '../../infra/local/read-port.ts';
import { bootRuntime } from '../../infra/local/runtime.ts';
import { isSynthesized } from '../../infra/synth.ts';
import { type Command, type Output, UsageError } from '../command.ts';
import { pointAt, runtimeFile, type Urls } from '../installation.ts';
import { reloadOnChange, synthesizeApart } from '../reload-on-change.ts';
import { policy } from './policy.ts';

const HELP = `npm start [-- --port N --data DIR --fresh --no-watch --json --verbose]

Runs Baton on this machine, from the same template that deploys to AWS: synthesizes it when something
changed, boots it, publishes the folder policy/, and keeps running until Ctrl+C.

  --port N     port on 127.0.0.1 (default 4747; 0 picks a free one)
  --data DIR   where everything is kept (default .baton); survives restarts and kill -9
  --fresh      forget what DIR holds and begin anew
  --no-watch   do not reload functions and the state machine when their code changes
  --json       print one line of JSON with the URLs instead of the text; does not watch. Behind "--" npm prints
               its own banner first: for a program, "npm start --json", whose first line is the JSON
  --verbose    print every log line as it happens; the console keeps them either way`;

export const start: Command = {
  name: 'start',
  summary: 'run Baton on this machine (npm start)',
  help: HELP,
  async run(args, output) {
    const { values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        port: { type: 'string', default: '4747' },
        data: { type: 'string', default: '.baton' },
        fresh: { type: 'boolean' },
        watch: { type: 'boolean', default: true },
        json: { type: 'boolean' },
        verbose: { type: 'boolean' },
      },
    });
    process.env.TZ = 'UTC'; // as Lambda has it; the functions share this process's zone
    const port = portOf(values.port);
    const json = values.json ?? process.env.npm_config_json === 'true'; // `npm start --json`: npm takes it for its own, moves its banner to the other stream, and says so here
    if (json && values.verbose) throw new UsageError('--json and --verbose both want the output; choose one.');
    if (values.fresh) rmSync(values.data, { recursive: true, force: true });
    mkdirSync(values.data, { recursive: true });

    if (!isSynthesized()) await synthesizeApart();
    const runtime = await bootRuntime({ cdkOut: 'cdk.out', dataDir: values.data, port, quiet: !values.verbose });
    const urls: Urls = { ...runtime.urls, webhooks: runtime.outputs.WebhookUrl ?? runtime.urls.webhooks };
    writeFileSync(runtimeFile(values.data), JSON.stringify({ urls, outputs: runtime.outputs }, null, 2));
    pointAt(urls.aws);
    const published = await policy.run(['publish', 'policy', '--data', values.data, '--why', 'baton start took these files'], { line: () => {}, error: output.error });
    if (published !== 0) {
      await runtime.stop();
      output.error('Baton did not start: put policy/ in order first.');
      return 1;
    }
    const unwatch = values.watch && !json ? reloadOnChange(runtime, output) : () => {};
    if (json) output.line(JSON.stringify(urls));
    else welcome(urls, output, values.watch);
    await untilStopped();
    unwatch();
    await runtime.stop();
    return 0;
  },
};

function portOf(text: string): number {
  try {
    return readPort(text);
  } catch (fault) {
    throw new UsageError((fault as Error).message, { cause: fault });
  }
}

function welcome(urls: Urls, output: Output, watching: boolean): void {
  output.line(`Baton runs here, from the template that deploys.

  console    ${urls.console}
  mailbox    ${urls.mailbox}   (every e-mail and SMS Baton sends)
  webhooks   ${urls.webhooks}/website
  AWS        ${urls.aws}   (for any AWS client: --endpoint-url)

Try this first, in another terminal:

  npx baton send roof-inspection     a lead arrives
  open the mailbox, follow the link, say yes
  npx baton report                   what nobody owns

${watching ? 'Changed code is taken over as you save it. ' : ''}Ctrl+C stops it; everything is kept.`);
}

const untilStopped = () =>
  new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
