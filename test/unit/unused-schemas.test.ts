import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { schemaDescriptions } from '../../infra/schema-descriptions.ts';
import { withOptionalConstants } from '../../infra/unused-schemas.ts';

test('a constant made by calls becomes one that may fall away, on however many lines', () => {
  const source = [
    'export const A: z.ZodMiniType<string> = z.object({',
    '  a: z.string(),',
    '}); // why',
    'const B = text();',
    'const f = (a: string) => z.literal(a);',
    'const N = 3;',
    '',
  ].join('\n');
  const marked = withOptionalConstants(source);
  expect(marked).toContain('export const A: z.ZodMiniType<string> = /* @__PURE__ */ (() => (z.object({\n  a: z.string(),\n})))(); // why');
  expect(marked).toContain('const B = /* @__PURE__ */ (() => (text()))();');
  expect(marked).toContain('const f = (a: string) => z.literal(a);\nconst N = 3;');
});

test('LA-14: a function carries and builds no schema that it does not read (planted: one contract of a file of many)', async () => {
  expect(readFileSync('shared/contracts/table-items.ts', 'utf8')).toContain('Hash of the body as received.');
  const stdin = { contents: "export { LoadItem } from './shared/contracts/table-items.ts'", resolveDir: process.cwd(), loader: 'ts' as const };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    plugins: [schemaDescriptions],
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  expect(text).toContain('turns:');
  expect(text).not.toContain('bodyHash');
  expect(text).not.toContain('handoff.opened');
});
