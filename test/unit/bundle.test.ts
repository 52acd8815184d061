import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { facadeOf } from '../../infra/builtin-modules.ts';
import { BUNDLE_BUDGET, type Bundle, bundle, functionNames } from '../../infra/bundle.ts';
import { withConstantKeys } from '../../infra/constant-keys.ts';
import { withoutPlainErrors } from '../../infra/plain-errors.ts';
import { FUNCTION_NAMES } from '../support/synthesized.ts';

// The bundler writes files, so this is the one place where a unit test does; everything goes to folders that are gone afterwards.
mkdirSync('.build', { recursive: true });
const folder = mkdtempSync(path.join('.build', 'check-'));
const elsewhere = mkdtempSync(path.join(tmpdir(), 'baton-bundles-'));
afterAll(() => {
  for (const one of [folder, elsewhere]) rmSync(one, { recursive: true, force: true });
});

/** What the stack gives, and nothing of this machine. */
const VARIABLES = [
  'HANDOFF_TABLE',
  'HANDOFF_BUS',
  'HANDOFF_MACHINE',
  'REPORT_BUCKET',
  'RAW_BUCKET',
  'BATON_SECRET',
  'WEBSITE_SECRET',
  'TYPEFORM_SECRET',
  'TWILIO_SECRET',
  'SOURCE_SECRETS_PREFIX',
  'FETCH_SECRETS_PREFIX',
  'MAIL_CONFIGURATION_SET',
  'PUBLIC_URL',
  'MAIL_FROM',
  'SMS_FROM',
  'OPS_EMAIL',
  'DEFAULT_COUNTRY',
];
const ENVIRONMENT = { ...Object.fromEntries(VARIABLES.map((name) => [name, 'test'])), REPORT_ZONE: 'UTC', AWS_REGION: 'us-east-1' };

const hashOf = (dir: string): string => {
  const hash = createHash('sha256');
  for (const name of functionNames()) for (const file of readdirSync(path.join(dir, name)).sort()) hash.update(`${name}/${file}`).update(readFileSync(path.join(dir, name, file)));
  return hash.digest('hex');
};
const textOf = (name: string) => readFileSync(path.join(folder, 'one', name, 'index.mjs'), 'utf8');

describe('bundles', () => {
  let bundles: Bundle[] = [];
  beforeAll(async () => {
    bundles = await bundle(path.resolve(folder, 'one'));
  });

  test('there is a handler for every function of the stack, and no other', () => {
    expect(functionNames()).toEqual([...FUNCTION_NAMES]);
  });

  test('every bundle is within its budget', () => {
    for (const { name, bytes } of bundles) expect([name, bytes <= BUNDLE_BUDGET]).toEqual([name, true]);
  });

  test('what the SDK says about its own packages stays out, except their versions', () => {
    for (const { name } of bundles) expect([name, /devDependencies:|typesVersions:/.test(textOf(name))]).toEqual([name, false]);
    expect(textOf('answer-offer')).toContain('name:"@aws-sdk/client-dynamodb",version:"');
  });

  test('the same sources give the same bytes, in any folder', async () => {
    await bundle(path.resolve(folder, 'two'));
    expect(hashOf(path.join(folder, 'two'))).toBe(hashOf(path.join(folder, 'one')));
  }, 60_000);

  test('LA-14: every bundle loads in plain Node away from the project and exports an async handler', () => {
    cpSync(path.join(folder, 'one'), elsewhere, { recursive: true });
    const load = `const found = {};
      for (const name of ${JSON.stringify(functionNames())}) { const { handler } = await import('./' + name + '/index.mjs'); found[name] = [typeof handler, handler.length <= 2]; }
      console.log(JSON.stringify(found));`;
    const found = execFileSync(process.execPath, ['--input-type=module', '-e', load], { cwd: elsewhere, env: ENVIRONMENT, encoding: 'utf8' });
    expect(JSON.parse(found)).toEqual(Object.fromEntries(functionNames().map((name) => [name, ['function', true]])));
  });

  test('no bundle carries the credential chain that Lambda never runs', () => {
    for (const { name } of bundles) expect([name, /sso-oidc|credential_process/i.test(textOf(name))]).toEqual([name, false]);
  });

  test('no bundle imports a module of Node whole: each takes what it uses', () => {
    for (const { name } of bundles) expect([name, textOf(name).match(/\b(?:import|from) ?['"](?:node:)?[a-z_/]+['"]/g)]).toEqual([name, null]);
  });

  test('every bundle is plain ASCII: one letter beyond it doubles what the engine has to hold and read', () => {
    for (const { name } of bundles) expect([name, [...textOf(name)].find((character) => character > '\x7f')]).toEqual([name, undefined]);
  });

  test('no bundle looks for configuration files, which Lambda does not have', () => {
    for (const { name } of bundles) expect([name, /AWS_CONFIG_FILE|latest\/meta-data/.test(textOf(name))]).toEqual([name, false]);
  });

  test('DB-03: what says which condition failed is still read, in every function that writes', () => {
    for (const name of ['open-handoff', 'request-acceptance', 'answer-offer', 'carry-out-order'])
      expect([name, ['ConditionalCheckFailedException', 'TransactionCanceledException', 'BackupInUseException'].map((error) => textOf(name).includes(error))]).toEqual([
        name,
        [true, true, false],
      ]);
  });

  test('no bundle knows a path of the machine it was made on', () => {
    for (const { name } of bundles) {
      const map = readFileSync(path.join(folder, 'one', name, 'index.mjs.map'), 'utf8');
      expect([name, `${textOf(name)}${map}`.includes(process.cwd())]).toEqual([name, false]);
    }
  });

  test('a bundle over its budget stops the build and is named (planted fault)', async () => {
    const large = path.join(folder, 'large.ts');
    writeFileSync(large, `export const handler = async () => ${JSON.stringify('x'.repeat(BUNDLE_BUDGET))};\n`);
    await expect(bundle(path.resolve(folder, 'three'), { large: path.resolve(large) })).rejects.toThrow('large');
  });
});

describe('modules of Node', () => {
  const load = async (name: string): Promise<Record<string, unknown>> => import(`data:text/javascript,${encodeURIComponent(facadeOf(name))}`);

  test('what a module exports is what Node exports, by name and whole', async () => {
    const [facade, crypto] = [await load('node:crypto'), process.getBuiltinModule('node:crypto')];
    expect([facade.createHash, facade.default]).toEqual([crypto.createHash, crypto]);
  });

  test('the stream of a file is known as one, and loads nothing before somebody asks', async () => {
    const { ReadStream } = (await load('node:fs')) as { ReadStream: typeof import('node:fs').ReadStream };
    expect([{} instanceof ReadStream, Buffer.from('') instanceof (ReadStream as unknown as typeof Buffer)]).toEqual([false, false]);
    const stream = new ReadStream(Buffer.from(process.execPath) as never);
    expect([stream instanceof ReadStream, stream instanceof process.getBuiltinModule('node:fs').ReadStream]).toEqual([true, true]);
    stream.destroy();
  });

  test('a web stream is known as one, and can be made', async () => {
    const { ReadableStream: Facade } = (await load('node:stream/web')) as { ReadableStream: typeof ReadableStream };
    const isOne = (value: unknown) => value instanceof Facade;
    expect([isOne(new ReadableStream()), isOne({}), isOne(undefined), new Facade() instanceof ReadableStream]).toEqual([true, false, false, true]);
  });
});

describe('errors of the SDK', () => {
  const schemas = (name: string, members: string) =>
    `export var ${name}$ = [-3, n0, _X,\n    { [_e]: _c },\n    [${members}],\n    [0]\n];\nn0_registry.registerError(${name}$, ${name});\n`;
  const errors =
    'export class Plain extends __Base {\n    name = "Plain";\n    constructor() {\n    }\n}\nexport class Again extends __Base {\n    name = "Again";\n    $retryable = {};\n}\n';

  test('one that is nothing but a message needs no class; one that says more, or whether to try again, keeps it', () => {
    const kept = withoutPlainErrors(schemas('Plain', '_m') + schemas('Telling', '_m, _CR') + schemas('Again', '_m'), errors);
    expect([...kept.matchAll(/registerError\((\w+)/g)].map(([, name]) => name)).toEqual(['Telling', 'Again']);
  });

  test('an error without a class comes under its own name, with its message', async () => {
    const source = path.join(folder, 'client.ts');
    writeFileSync(source, "export { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';\n");
    await bundle(path.resolve(folder, 'four'), { client: path.resolve(source) });
    const { DynamoDBClient, GetItemCommand } = (await import(path.resolve(folder, 'four', 'client', 'index.mjs'))) as typeof import('@aws-sdk/client-dynamodb');
    const body = JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'no such table' });
    const requestHandler = { handle: async () => ({ response: { statusCode: 400, headers: {}, body: Readable.from([Buffer.from(body)]) } }) };
    const client = new DynamoDBClient({ region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' }, requestHandler });
    const fault = await client.send(new GetItemCommand({ TableName: 'T', Key: {} })).catch((error: Error) => error);
    expect(fault).toMatchObject({ name: 'ResourceNotFoundException', message: 'no such table', $fault: 'client', $metadata: { httpStatusCode: 400, attempts: 1 } });
  });
});

describe('constant keys', () => {
  test('a computed key that is a constant text is written out', () => {
    expect(withConstantKeys('const _e = "error";\nconst a = [{ [_e]: 1,\n [_e]: 2 }];')).toBe('const _e = "error";\nconst a = [{ "error": 1,\n "error": 2 }];');
  });

  test('anything else stays: unknown names, indexes, texts with escapes', () => {
    for (const source of ['const a = { [b]: 1 };', 'const _e = "x";\na[_e];', 'const _e = "a\\"b";\nconst a = { [_e]: 1 };', 'const _e = 5;\nconst a = { [_e]: 1 };'])
      expect(withConstantKeys(source)).toBe(source);
  });
});
