import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAssembly } from '../../../infra/local/cloudformation/assembly.ts';
import { createKernel } from '../../../infra/local/kernel/create-kernel.ts';
import { JOURNAL_FORMAT } from '../../../infra/local/kernel/journal.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (dataDir = folder) => createKernel({ dataDir, assets: new Map() });

test('B-9: a folder that is in use is named, and free again when its user is gone', () => {
  const first = open();
  expect(() => open()).toThrow(`Another local runtime is using ${folder}. Stop it, or choose another folder with --data.`);
  first.close();
  open().close();
});

test('B-8: a clock that is told where to begin does so once, in a new folder', () => {
  const at = (startsAt: string) => {
    const kernel = createKernel({ dataDir: folder, assets: new Map(), startsAt });
    const now = kernel.time.now();
    kernel.close();
    return new Date(now).toISOString().slice(0, 10);
  };
  expect(at('2031-05-05T12:00:00.000Z')).toBe('2031-05-05');
  expect(at('2040-01-01T12:00:00.000Z')).toBe('2031-05-05');
});

test('B-9: a folder that a newer version wrote is refused before anything in it is touched, and let go of', () => {
  open().close();
  const journal = new DatabaseSync(join(folder, 'runtime.sqlite'));
  journal.prepare("UPDATE runtime_facts SET value = ? WHERE name = 'journal.format'").run(String(JOURNAL_FORMAT + 1));
  const written =
    /runtime\.sqlite was written by a newer version \(format 2; this one reads 1\): use that version, choose another folder with --data, or begin anew with --fresh\.$/;
  expect(() => open()).toThrow(written);
  expect(() => open()).toThrow(written);
  journal.exec("DELETE FROM runtime_facts WHERE name = 'journal.format'");
  journal.close();
  open().close();
});

test('B-9: a journal that is no journal, and a folder that is a file, are refused with the way out', () => {
  writeFileSync(join(folder, 'runtime.sqlite'), 'not a database at all, but long enough to be taken for one'.repeat(20));
  expect(() => open()).toThrow(/runtime\.sqlite cannot be read \(file is not a database\): choose another folder with --data, or begin anew with --fresh\.$/);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => open(file)).toThrow(/file cannot be used as data folder .*Choose another folder with --data\.$/);
  mkdirSync(join(folder, 'odd', 'lock.sqlite'), { recursive: true });
  expect(() => open(join(folder, 'odd'))).toThrow(/odd cannot be used as data folder/);
});

const manifest = (artifacts: unknown) => writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: '40.0.0', artifacts }));
const stack = { type: 'aws:cloudformation:stack', properties: { templateFile: 'A.template.json' } };

test.each([
  ['an empty folder', () => {}, /^There is no .*manifest\.json, and it is what a synthesis writes first\. Synthesize again \(cdk synth\), or name the folder it wrote\.$/],
  [
    'a manifest that was cut off',
    () => writeFileSync(join(folder, 'manifest.json'), '{"artifacts":'),
    /manifest\.json is not JSON: it was cut off, or written by something else\. Synthesize again/,
  ],
  ['a manifest of something else', () => writeFileSync(join(folder, 'manifest.json'), '7'), /manifest\.json holds no JSON object/],
  ['no stack', () => manifest({}), /holds 0 stacks/],
  ['two stacks', () => manifest({ A: stack, B: stack }), /holds 2 stacks \(A, B\); the local runtime runs exactly one/],
  ['a stack without its template', () => manifest({ A: stack }), /There is no .*A\.template\.json, and the stack has its template there/],
])('B-9: an assembly with %s is refused by the name of the file', (_, make, sentence) => {
  make();
  expect(() => readAssembly(folder)).toThrow(sentence);
});
