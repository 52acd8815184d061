// A real DynamoDB for tests: Dynoxide, or AWS's own DynamoDB Local when BATON_TEST_DYNAMODB is `local`.
// Of what Baton relies on, they differ in one point (store-faults.test.ts, LR-03): Dynoxide stores a map with a nameless
// attribute. Neither ever throws TransactionConflict, not even for sixty transactions at once on one row; both give the old item of
// a failed condition, know request tokens, leave large batches half done, and refuse empty or mistyped index keys. Messages
// differ, so nothing reads them. Dynoxide is some ten times faster.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CLIENT_SETTINGS, dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { endsWithUs } from './ends-with-us.ts';

export type Engine = 'dynoxide' | 'dynamodb-local';
export const engine: Engine = process.env.BATON_TEST_DYNAMODB === 'local' ? 'dynamodb-local' : 'dynoxide';

export type TestDynamodb = { endpoint: string; stop: () => Promise<void> };

/** An export of a table, as DynamoDB writes one, and the description of the table. */
export type TableExport = { folder: string; description: string };

/** Starts a database of its own, empty or with what was exported, in memory, on a free loopback port. Ended by its own process id. */
export async function startDynamodb(exported?: TableExport): Promise<TestDynamodb> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await launch(await freePort(), exported);
    if (started !== undefined) return started;
    if (attempt === 3) throw new Error(`${engine} did not start`);
  }
}

async function launch(port: number, exported: TableExport | undefined): Promise<TestDynamodb | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'baton-dynamodb-'));
  const [command, ...args] = commandLine(port, exported);
  const child = endsWithUs(spawn(command, args, { cwd: home, stdio: 'ignore' }));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    await ended(child);
    rmSync(home, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (await answers(child, endpoint)) return { endpoint, stop };
  await stop();
  return undefined;
}

function commandLine(port: number, exported: TableExport | undefined): [string, ...string[]] {
  const resolve = createRequire(import.meta.url).resolve;
  if (engine === 'dynoxide') {
    const how = exported === undefined ? ['serve'] : ['import', '--source', exported.folder, '--schema', exported.description, '--serve'];
    return [join(dirname(resolve('@dynoxide/linux-x64/package.json')), 'dynoxide'), ...how, '--port', String(port)];
  }
  if (exported !== undefined) throw new Error(`${engine} takes no export`);
  const emulator = join(dirname(resolve('amplify-dynamodb-simulator/package.json')), 'emulator');
  return [
    'java',
    `-Djava.library.path=${join(emulator, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(emulator, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    '-inMemory',
    '-port',
    String(port),
  ];
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

/** Asks until the database answers, or until it has ended. The client's own attempts do the waiting. */
async function answers(child: ChildProcess, endpoint: string): Promise<boolean> {
  const client = testClient(endpoint, { maxAttempts: 1 });
  const deadline = Date.now() + 30_000;
  while (child.exitCode === null && Date.now() < deadline) {
    const up = await client.send(new ListTablesCommand({})).then(
      () => true,
      () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 20)),
    );
    if (up) return true;
  }
  return false;
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });

/** A client with the settings of production, pointed at a test database. */
export const testClient = (endpoint: string, settings: { maxAttempts?: number } = {}) =>
  new DynamoDBClient({ ...CLIENT_SETTINGS, ...settings, endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });

/** Keys, indexes, stream and billing as in infra/constructs. */
export const tableShape: Omit<CreateTableCommandInput, 'TableName'> = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'sk', 'openPk', 'openSk', 'personPk', 'personSk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'open',
      KeySchema: [
        { AttributeName: 'openPk', KeyType: 'HASH' },
        { AttributeName: 'openSk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
    {
      IndexName: 'by-person',
      KeySchema: [
        { AttributeName: 'personPk', KeyType: 'HASH' },
        { AttributeName: 'personSk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
};

/** Creates the table under a name, and opens it as the adapters do. Pauses between attempts are skipped unless a test counts them. */
export async function createTable(endpoint: string, name: string, pause: Table['pause'] = async () => {}): Promise<Table> {
  const client = testClient(endpoint);
  await client.send(new CreateTableCommand({ ...tableShape, TableName: name }));
  return openTable(endpoint, name, pause);
}

/** Opens a table that exists, perhaps through a proxy. */
export const openTable = (endpoint: string, name: string, pause: Table['pause'] = async () => {}): Table => dynamodbTable(name, { client: testClient(endpoint), pause });
