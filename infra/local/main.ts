#!/usr/bin/env node
// The local runtime for any CDK app of this shape: `node infra/local/main.ts --app path/to/cdk.out`.

import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readPort } from './read-port.ts';
import { bootRuntime, type Runtime } from './runtime.ts';
import { watchFolders } from './watch.ts';

const HELP = `baton-local [--app DIR] [--stack NAME] [--parameter NAME=VALUE]… [--port N] [--data DIR] [--fresh] [--no-watch] [--json] [--verbose]

Runs a synthesized CDK app on this machine: its functions, tables, queues, rules, schedules, state machines
and HTTP API, on one loopback port. What it cannot run it refuses by name before it starts anything.

  --app DIR                folder that "cdk synth" wrote (default cdk.out)
  --stack NAME             which stack, when the folder holds several
  --parameter NAME=VALUE   a parameter of the template; may be given several times
  --port N                 port on 127.0.0.1 (default 4747; 0 picks a free one)
  --data DIR               where everything is kept (default .baton-local); survives restarts and kill -9
  --fresh                  forget what DIR holds and begin anew
  --no-watch               do not take over functions and state machines when the folder is synthesized again
  --json                   print one line of JSON with URLs and outputs instead of the text; does not watch
  --verbose                print every log line as it happens`;

const OPTIONS = {
  app: { type: 'string', default: 'cdk.out' },
  stack: { type: 'string' },
  parameter: { type: 'string', multiple: true, default: [] as string[] },
  port: { type: 'string', default: '4747' },
  data: { type: 'string', default: '.baton-local' },
  fresh: { type: 'boolean' },
  watch: { type: 'boolean', default: true },
  json: { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, allowNegative: true, options: OPTIONS });
  if (values.help) return console.log(HELP);
  process.env.TZ = 'UTC'; // as Lambda has it; the functions share this process's zone
  const port = readPort(values.port);
  const parameters = Object.fromEntries(values.parameter.map(readParameter));
  if (values.fresh) rmSync(values.data, { recursive: true, force: true });
  mkdirSync(values.data, { recursive: true });
  const stack = values.stack === undefined ? {} : { stackName: values.stack };
  const runtime = await bootRuntime({ cdkOut: values.app, dataDir: values.data, port, parameters, quiet: !values.verbose, ...stack });
  const unwatch = values.watch && !values.json ? watchFolders({ folders: [values.app] }, () => reload(runtime, values.app)) : () => {};
  console.log(values.json ? JSON.stringify({ urls: runtime.urls, outputs: runtime.outputs }) : welcome(runtime, values.app));
  await untilStopped();
  unwatch();
  await runtime.stop();
}

async function reload(runtime: Runtime, app: string): Promise<void> {
  try {
    const { functions, machines, restart } = await runtime.reload(app);
    if (functions.length + machines.length > 0) console.log(`Reloaded: ${[...functions, ...machines].join(', ')}`);
    if (restart.length > 0) console.log(`Restart to apply: ${restart.join(', ')}`);
  } catch (fault) {
    console.error(`Not reloaded; what ran before goes on. ${sentence(fault)}`);
  }
}

function readParameter(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--parameter takes NAME=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const welcome = ({ urls, outputs }: Runtime, app: string): string => `${app} runs here.

  console    ${urls.console}
  mailbox    ${urls.mailbox}   (every e-mail and SMS it sends)
  HTTP API   ${urls.webhooks}
  AWS        ${urls.aws}   (for any AWS client: --endpoint-url)
${Object.entries(outputs)
  .map(([name, value]) => `\n  ${name} = ${value}`)
  .join('')}

Ctrl+C stops it; everything is kept.`;

const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

const sentence = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

try {
  await main(process.argv.slice(2));
} catch (fault) {
  console.error(`baton-local: ${sentence(fault)}`);
  process.exitCode = fault instanceof Error && 'code' in fault && String(fault.code).startsWith('ERR_PARSE_ARGS') ? 2 : 3;
}
