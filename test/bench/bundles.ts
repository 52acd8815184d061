// How large each function is, and how long its code takes to load in a fresh process.

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { synthesize } from '../../infra/synth.ts';
import { median, type Print, rounded } from './figure.ts';

const RUNS = Number(process.env.BENCH_IMPORTS ?? 7);
const BUDGET = { kilobytes: 450, milliseconds: 60 };

/** Bundle size and cold import of each function of the template. Both are printed beside their budgets, whatever they are. */
export async function bundleFigures(print: Print): Promise<void> {
  const { assembly } = await synthesize();
  for (const { name, file, variables } of functionsOf(assembly)) {
    print('bundle', rounded(statSync(file).size / 1024, 0), 'KB', { function: name, budget: BUDGET.kilobytes });
    importFigure(print, name, file, variables);
  }
  importFigure(
    print,
    `nothing but Node's own modules for HTTPS and signing`,
    'data:text/javascript,import "node:https"; import "node:crypto"; import "node:zlib"; import "node:stream/web";',
    [],
  );
}

/** The median, and the fastest run, which says most on a busy machine. */
function importFigure(print: Print, name: string, file: string, variables: readonly string[]): void {
  const imports = Array.from({ length: RUNS }, () => coldImport(file, variables));
  const [wall, cpu] = [imports.map((one) => one.wall), imports.map((one) => one.cpu)];
  print('cold-import', median(wall), 'ms', { function: name, cpu: median(cpu), fastest: Math.min(...wall), fastestCpu: Math.min(...cpu), budget: BUDGET.milliseconds, runs: RUNS });
}

type Resource = { Type: string; Metadata?: { 'aws:cdk:path'?: string }; Properties: { Code: { S3Key?: string }; Environment?: { Variables?: Record<string, unknown> } } };
export type DeployedFunction = { name: string; file: string; variables: readonly string[] };

/** The functions as they are deployed: name of the construct, bundle, and names of their environment variables. */
export function functionsOf(assembly: string): DeployedFunction[] {
  const template = JSON.parse(readFileSync(join(assembly, 'Baton.template.json'), 'utf8')) as { Resources: Record<string, Resource> };
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([id, { Metadata, Properties }]) => ({
      name: Metadata?.['aws:cdk:path']?.split('/')[1] ?? id,
      file: resolve(assembly, `asset.${(Properties.Code.S3Key ?? '').replace('.zip', '')}`, 'index.mjs'),
      variables: Object.keys(Properties.Environment?.Variables ?? {}),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** What stands in a variable while nothing is called. */
const STAND_IN: Readonly<Record<string, string>> = { PUBLIC_URL: 'https://go.example.com', REPORT_ZONE: 'UTC' };

/** Milliseconds from the import statement to its end, by the clock and of processor time, in a process of its own. */
function coldImport(file: string, variables: readonly string[]): { wall: number; cpu: number } {
  const settings = Object.fromEntries(variables.map((name) => [name, STAND_IN[name] ?? 'arn:aws:x:us-east-1:000000000000:y']));
  const env = { ...process.env, ...settings, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  const script = `const before = process.cpuUsage(); const at = performance.now(); await import(${JSON.stringify(file)});
    const wall = performance.now() - at; const { user, system } = process.cpuUsage(before);
    process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000 })); process.exit(0);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  const { wall, cpu } = JSON.parse(stdout) as { wall: number; cpu: number };
  return { wall: rounded(wall), cpu: rounded(cpu) };
}
