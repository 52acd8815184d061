import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, describe, expect, it } from 'vitest';

const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as IConfiguration;
const planted = mkdtempSync(join(tmpdir(), 'layering-'));
afterAll(() => rmSync(planted, { recursive: true, force: true }));

async function cruised(folders: string[], baseDir?: string): Promise<ICruiseResult> {
  const { tsConfig: _unused, ...options } = config.options ?? {};
  const { output } = await cruise(folders, { ...options, ruleSet: { forbidden: config.forbidden ?? [] }, validate: true, ...(baseDir !== undefined && { baseDir }) });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

/** A tree with one wrong import; answers with the names of the rules it breaks. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  const tree = mkdtempSync(join(planted, 'tree-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const { summary } = await cruised([...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))], tree);
  return [...new Set(summary.violations.map((violation) => violation.rule.name))].sort();
}

const imports = (path: string) => `import { x } from '${path}';\nexport const y = x;\n`;
const X = 'export const x = 1;\n';

describe('the layer table', () => {
  it('is kept by the whole tree, and a sensible number of modules was looked at', { timeout: 60_000 }, async () => {
    const { summary } = await cruised(['shared', 'functions', 'infra', 'cli']);
    expect(summary.violations.map((violation) => `${violation.from} → ${violation.to} (${violation.rule.name})`)).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(150);
    expect(summary.totalDependenciesCruised ?? 0).toBeGreaterThan(400);
  });

  const faults: [string, Record<string, string>][] = [
    ['domain-is-pure', { 'shared/domain/a.ts': imports('node:fs') }],
    ['contracts-describe', { 'shared/contracts/a.ts': imports('../ports/b.ts'), 'shared/ports/b.ts': X }],
    ['ports-are-interfaces', { 'shared/ports/a.ts': imports('../contracts/b.ts'), 'shared/contracts/b.ts': X }],
    ['adapters-know-no-use-case', { 'shared/adapters/a.ts': imports('../../functions/f/f.ts'), 'functions/f/f.ts': X }],
    ['use-cases-are-plain', { 'functions/f/f.ts': imports('../../shared/adapters/b.ts'), 'shared/adapters/b.ts': X }],
    ['handlers-wire', { 'functions/f/handler.ts': imports('node:fs') }],
    ['functions-stand-alone', { 'functions/f/f.ts': imports('../g/g.ts'), 'functions/g/g.ts': X }],
    ['stack-names-handlers-by-path', { 'infra/stack.ts': imports('../functions/g/g.ts'), 'functions/g/g.ts': X }],
    ['local-runtime-knows-no-leads', { 'infra/local/a.ts': imports('../../shared/domain/b.ts'), 'shared/domain/b.ts': X }],
    ['nothing-imports-test', { 'cli/a.ts': imports('../test/b.ts'), 'test/b.ts': X }],
    ['no-circular', { 'cli/a.ts': imports('./b.ts'), 'cli/b.ts': "import { y } from './a.ts';\nexport const x = y;\n" }],
  ];
  it.each(faults)('%s bites on a planted fault', async (rule, files) => {
    expect(await brokenRules(files)).toContain(rule);
  });
});
