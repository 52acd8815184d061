import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourcePlace } from '../../shared/lambda/source-place.ts';

let folder: string;
let frame: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'baton-source-'));
  const source = path.join(folder, 'fails.ts');
  writeFileSync(source, `type Words = string;\n\nexport function handler(words: Words) {\n  throw new Error(words);\n}\n`);
  const outfile = path.join(folder, 'index.mjs');
  await build({ entryPoints: [source], outfile, bundle: true, minify: true, format: 'esm', sourcemap: 'linked', sourcesContent: false, logLevel: 'error' });
  // In a process of its own: a test runner maps stacks by itself.
  const script = `const { handler } = await import(${JSON.stringify(pathToFileURL(outfile).href)}); try { handler('planted'); } catch (fault) { console.log(fault.stack.split('\\n')[1].trim()); }`;
  frame = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a fault in a bundle is told with its place in the source', () => {
  expect(sourcePlace(frame)).toBe('at fails.ts:4:9');
});

test.each(['at nowhere (/no/such/file.mjs:1:2)', 'at <anonymous>', ''])('a frame without a map stays as it is: %s', (one) => {
  expect(sourcePlace(one)).toBe(one);
});
