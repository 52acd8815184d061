import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { resolve as absolute, delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endLeftover, forgetProcess, rememberProcess } from './leftover.ts';
import { orderStreams } from './stream-order.ts';

/** A running database that speaks DynamoDB's protocol. */
export type Engine = { name: string; endpoint: string; stop(): Promise<void> };

/** How one of the databases is started: the command for a port and a data folder, and what is done once it answers. */
export type Candidate = { name: string; command(port: number, dataDir: string): { program: string; args: string[] }; onceUp?(dataDir: string): void };

const START_MILLISECONDS = 30_000;

/** The databases this machine can run, best first. */
export function candidates(environment: NodeJS.ProcessEnv = process.env): Candidate[] {
  const dynoxide = [bundledDynoxide(), onPath('dynoxide', environment)].filter((program) => program !== undefined).map(dynoxideAt);
  const java = onPath('java', environment);
  const emulator = dynamoDbLocal();
  return java && emulator ? [...dynoxide, dynamoDbLocalWith(java, emulator)] : dynoxide;
}

/** What each database lacks on this machine, in the words of the message that says so. */
export function whatIsMissing(environment: NodeJS.ProcessEnv = process.env): string[] {
  const hasDynoxide = bundledDynoxide() !== undefined || onPath('dynoxide', environment) !== undefined;
  return [
    ...(hasDynoxide ? [] : [`Dynoxide: npm installed none for ${process.platform}-${process.arch}, and no dynoxide is on PATH`]),
    ...(onPath('java', environment) ? [] : ['DynamoDB Local: no java is on PATH']),
    ...(dynamoDbLocal() ? [] : ['DynamoDB Local: the npm package amplify-dynamodb-simulator is not installed']),
  ];
}

/** Starts the first database that runs, or uses the one `BATON_DYNAMODB_ENDPOINT` names. Throws one message that says what to install. */
export async function startEngine(dataDir: string, choice = candidates(), endpoint = process.env.BATON_DYNAMODB_ENDPOINT): Promise<Engine> {
  await endLeftover(dataDir);
  if (endpoint) return useRunning(endpoint);
  const faults: string[] = [];
  for (const candidate of choice) {
    try {
      return await start(candidate, dataDir);
    } catch (fault) {
      faults.push(`${candidate.name}: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  }
  throw new Error(`No DynamoDB-compatible database can run here.
${[...faults, ...whatIsMissing()].map((line) => `  - ${line}\n`).join('')}Do one of:
  1. install Dynoxide so that dynoxide is on PATH;
  2. install Java 17 or later and the npm package amplify-dynamodb-simulator, which holds DynamoDB Local;
  3. start a DynamoDB Local anywhere, and set BATON_DYNAMODB_ENDPOINT to its URL.`);
}

/** Somebody else's database: it has to answer now, and it is not stopped. */
async function useRunning(endpoint: string): Promise<Engine> {
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) throw new Error(`BATON_DYNAMODB_ENDPOINT takes a URL such as http://127.0.0.1:8000, not "${endpoint}".`);
  if (!(await answers(endpoint))) throw new Error(`BATON_DYNAMODB_ENDPOINT names ${endpoint}, and nothing answers there. Start that database, or unset the variable.`);
  return { name: `BATON_DYNAMODB_ENDPOINT ${endpoint}`, endpoint, stop: async () => {} };
}

const dynoxideAt = (program: string): Candidate => ({
  name: 'Dynoxide',
  command: (port, dataDir) => ({ program, args: ['--host', '127.0.0.1', '--port', String(port), '--db-path', dynoxideFile(dataDir)] }),
  onceUp: (dataDir) => orderStreams(dynoxideFile(dataDir)),
});

const dynoxideFile = (dataDir: string): string => join(dataDir, 'dynamodb.sqlite');

const dynamoDbLocalWith = (java: string, emulator: string): Candidate => ({
  name: 'DynamoDB Local',
  command: (port, dataDir) => ({
    program: java,
    args: [
      `-Djava.library.path=${join(emulator, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(emulator, 'DynamoDBLocal.jar'),
      '-port',
      String(port),
      '-sharedDb',
      '-disableTelemetry',
      '-dbPath',
      dataDir,
    ],
  }),
});

async function start(candidate: Candidate, dataDir: string): Promise<Engine> {
  const port = await freePort();
  const { program, args } = candidate.command(port, absolute(dataDir));
  const child = spawnTied(program, args, dataDir);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-400);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (fault) => resolve(fault.message));
    child.once('exit', (status, signal) => resolve(`ended with ${status ?? signal}${said ? `: ${said.trim()}` : ''}`));
  });
  if (child.pid !== undefined) rememberProcess(dataDir, child.pid, args.join(' '));
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    const fault = await Promise.race([ended, untilAnswering(endpoint)]);
    if (fault !== undefined) throw new Error(fault);
    candidate.onceUp?.(absolute(dataDir));
  } catch (fault) {
    child.kill('SIGKILL');
    throw fault;
  }
  return { name: candidate.name, endpoint, stop: () => stopChild(child, ended, dataDir) };
}

async function stopChild(child: ChildProcess, ended: Promise<string>, dataDir: string): Promise<void> {
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(patience);
  forgetProcess(dataDir);
}

/** Starts a process that ends with this one where the system can do that (Linux), so that `kill -9` leaves nothing behind. */
function spawnTied(program: string, args: string[], cwd: string): ChildProcess {
  const setpriv = process.platform === 'linux' ? onPath('setpriv', process.env) : undefined;
  const options = { cwd, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] };
  return setpriv ? spawn(setpriv, ['--pdeathsig', 'KILL', program, ...args], options) : spawn(program, args, options);
}

async function untilAnswering(endpoint: string): Promise<string | undefined> {
  const until = performance.now() + START_MILLISECONDS;
  while (performance.now() < until) {
    if (await answers(endpoint, 1000)) return undefined;
    await pause(10);
  }
  return `did not answer within ${START_MILLISECONDS / 1000} s`;
}

const answers = (endpoint: string, patience = 10_000): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(patience) }).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  );

/** A loopback port that nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

function bundledDynoxide(): string | undefined {
  return packageFile(`@dynoxide/${process.platform}-${process.arch}`, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
}

function dynamoDbLocal(): string | undefined {
  return packageFile('amplify-dynamodb-simulator', 'emulator');
}

function packageFile(name: string, file: string): string | undefined {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function onPath(program: string, environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => absolute(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
