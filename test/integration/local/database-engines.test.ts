import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineClient } from '../../../infra/local/services/dynamodb/client.ts';
import { candidates, type Engine, startEngine, whatIsMissing } from '../../../infra/local/services/dynamodb/engine.ts';
import { orderStreams } from '../../../infra/local/services/dynamodb/stream-order.ts';
import { makeTable } from '../../../infra/local/services/dynamodb/table.ts';
import { StreamReader } from '../../../infra/local/services/event-source/stream.ts';
import { table } from './small-stack.ts';

let dataDir: string;
const engines: Engine[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'baton-engine-'));
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const resource = { logicalId: 'Table', type: 'AWS::DynamoDB::Table', path: 'Table', properties: table?.Properties ?? {} };

async function start(choice = candidates(), endpoint?: string): Promise<EngineClient> {
  const engine = await startEngine(dataDir, choice, endpoint);
  engines.push(engine);
  return new EngineClient(engine.endpoint);
}

async function writeAndReadStream(client: EngineClient): Promise<string[]> {
  const made = await makeTable(client, resource);
  expect(made.arn).toBe('arn:aws:dynamodb:us-east-1:000000000000:table/things');
  await client.call('PutItem', { TableName: 'things', Item: { pk: { S: 'a' }, sk: { S: 'b' } } });
  const reader = new StreamReader(client, made.streamArn ?? '');
  expect(made.streamArn).toMatch(/^arn:aws:dynamodb:us-east-1:000000000000:table\/things\/stream\//);
  const [shard = ''] = await reader.shards();
  return (await reader.read(shard, undefined, 'TRIM_HORIZON')).map((record) => `${record.eventName} ${record.awsRegion}`);
}

test.each(candidates().map((candidate) => [candidate.name, candidate] as const))('LR-03: %s holds tables, transactions and a stream for the runtime', async (_, candidate) => {
  const client = await start([candidate]);
  expect(await writeAndReadStream(client)).toEqual(['INSERT us-east-1']);
  const twice = client.call('TransactWriteItems', {
    TransactItems: [{ Put: { TableName: 'things', Item: { pk: { S: 'a' }, sk: { S: 'b' } }, ConditionExpression: 'attribute_not_exists(pk)' } }],
  });
  await expect(twice).rejects.toMatchObject({ code: 'TransactionCanceledException' });
  client.stop();
});

test('B-7: however many records a stream holds, Dynoxide finds the last one and the next ones by an index', async () => {
  const client = await start(candidates().filter(({ name }) => name === 'Dynoxide'));
  expect(await writeAndReadStream(client)).toEqual(['INSERT us-east-1']);
  client.stop();
  const db = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'), { readOnly: true });
  const plan = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN SELECT ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  const number = 'CAST(sequence_number AS INTEGER)';
  expect(plan(`COALESCE(MAX(${number}), 0) + 1 FROM _stream_records WHERE table_name = 'things'`)).toEqual([expect.stringMatching(/^SEARCH .*COVERING INDEX/)]);
  const next = plan(`new_image FROM _stream_records WHERE table_name = 'things' AND shard_id = 's' AND ${number} > 7 ORDER BY ${number} ASC LIMIT 10`);
  expect(next).toEqual([expect.stringMatching(/^SEARCH .*<expr>>/)]);
  db.close();
});

test('B-7: a database that keeps its stream in another way is left as it is', () => {
  const file = join(dataDir, 'other.sqlite');
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE _stream_records (at INTEGER)');
  orderStreams(file);
  expect(db.prepare("SELECT count(*) AS indexes FROM sqlite_master WHERE type = 'index'").get()?.indexes).toBe(0);
  db.close();
});

test('LR-03: a running database named by BATON_DYNAMODB_ENDPOINT is used and not stopped', async () => {
  await start();
  const endpoint = engines[0]?.endpoint ?? '';
  const other = await startEngine(mkdtempSync(join(tmpdir(), 'baton-engine-')), [], endpoint);
  expect(await writeAndReadStream(new EngineClient(other.endpoint))).toEqual(['INSERT us-east-1']);
  await other.stop();
  expect((await fetch(endpoint)).status).toBeLessThan(500);
});

test('B-9: a dynoxide on PATH is found and runs, as does java when it is there', async () => {
  const [bundled] = candidates({ PATH: '' });
  if (bundled === undefined) throw new Error('npm installed no dynoxide for this machine');
  symlinkSync(bundled.command(0, dataDir).program, join(dataDir, 'dynoxide'));
  const found = candidates({ PATH: dataDir }).find((candidate) => candidate.command(0, dataDir).program === join(dataDir, 'dynoxide'));
  const client = await start(found ? [found] : []);
  expect(await writeAndReadStream(client)).toEqual(['INSERT us-east-1']);
});

test('B-9: what is missing is said for each database, and nothing about those that are there', () => {
  expect(whatIsMissing({ PATH: '' }).join()).toContain('no java is on PATH');
  writeFileSync(join(dataDir, 'java'), '', { mode: 0o755 });
  expect(whatIsMissing({ PATH: dataDir })).toEqual([]);
});

test.each([
  ['http://127.0.0.1:1', /names http:\/\/127\.0\.0\.1:1, and nothing answers there\. Start that database, or unset the variable/],
  ['localhost:8000', /takes a URL such as http:\/\/127\.0\.0\.1:8000, not "localhost:8000"/],
])('B-9: BATON_DYNAMODB_ENDPOINT %s is refused in one sentence', async (endpoint, sentence) => {
  await expect(startEngine(dataDir, [], endpoint)).rejects.toThrow(sentence);
});

test('B-9: when no database can run, one message names the three ways out', async () => {
  const message = await startEngine(dataDir, [], undefined).catch((fault: Error) => fault.message);
  for (const way of ['dynoxide', 'Java 17', 'amplify-dynamodb-simulator', 'BATON_DYNAMODB_ENDPOINT']) expect(message).toContain(way);
});

test('B-9: a database that does not start is passed over for the next, and its reason is told when none is left', async () => {
  const broken = { name: 'Broken', command: () => ({ program: process.execPath, args: ['-e', 'console.error("no license"); process.exit(7)'] }) };
  const client = await start([broken, ...candidates()]);
  expect(await writeAndReadStream(client)).toEqual(['INSERT us-east-1']);
  await expect(startEngine(join(dataDir), [broken], undefined)).rejects.toThrow(/Broken: ended with 7: no license/);
});

test('B-3: a database left behind by a killed runtime is ended before the next one starts', async () => {
  const marker = join(dataDir, 'dynamodb.sqlite');
  const left = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)', marker], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(left, 'exit');
  await once(left.stdout, 'data');
  writeFileSync(join(dataDir, 'dynamodb.pid'), JSON.stringify({ pid: left.pid, commandLine: marker }));
  await start();
  await ended;
  expect(JSON.parse(readFileSync(join(dataDir, 'dynamodb.pid'), 'utf8'))).toMatchObject({ commandLine: expect.stringContaining(marker) });
});

test('B-7: a table made by an earlier template with another key is refused, not used', async () => {
  const client = await start();
  await makeTable(client, resource);
  await expect(makeTable(client, resource)).resolves.toMatchObject({ name: 'things', expiryAttribute: 'expiresAt' });
  const other = { ...resource, properties: { ...resource.properties, KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] } };
  await expect(makeTable(client, other)).rejects.toThrow('table things was made by an earlier template with other keys, indexes or stream');
});
