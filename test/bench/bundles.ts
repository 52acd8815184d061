// How large each function is, and how long its code takes to load in a fresh process.

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { synthesize } from '../../infra/synth.ts';
import { median, type Print, rounded } from './figure.ts';

const RUNS = Number(process.env.BENCH_IMPORTS ?? 7);
const BUDGET = { kilobytes: 450, milliseconds: 60 };

/** What every function needs of Node itself, whatever its code. */
const BASELINE = `nothing but Node's own modules for HTTPS and signing`;
const BASELINE_CODE = 'data:text/javascript,process.getBuiltinModule("node:https"); process.getBuiltinModule("node:crypto");';

/**
 * Bundle size and cold import of each function of the template, beside their budgets, whatever they are. Each round starts
 * one process a function and one for the baseline, so that a busy moment is shared by all. The fastest says
 * most; while the machine has other work, the processor's time of the importing thread, which no other work counts into.
 */
export async function bundleFigures(print: Print): Promise<void> {
  const { assembly } = await synthesize();
  const functions = functionsOf(assembly);
  for (const { name, file } of functions) print('bundle', rounded(statSync(file).size / 1024, 0), 'KB', { function: name, budget: BUDGET.kilobytes });

  const measured = [{ name: BASELINE, file: BASELINE_CODE, variables: [] }, ...functions].map((one) => ({ ...one, runs: [] as Import[] }));
  for (let round = 0; round < RUNS; round++) for (const { file, variables, runs } of measured) runs.push(coldImport(file, variables));
  const baseline = measured[0]?.runs ?? [];
  for (const { name, runs } of measured) {
    const above = (of: keyof Import) => rounded(fastest(runs, of) - fastest(baseline, of));
    const clock = { of: 'fastest', aboveBaseline: above('wall'), median: median(runs.map((one) => one.wall)) };
    const processor = { cpu: fastest(runs, 'cpu'), cpuAboveBaseline: above('cpu'), cpuMedian: median(runs.map((one) => one.cpu)) };
    print('cold-import', fastest(runs, 'wall'), 'ms', { function: name, ...clock, ...processor, budget: BUDGET.milliseconds, runs: RUNS });
  }
}

type Import = { wall: number; cpu: number };

const fastest = (runs: readonly Import[], of: keyof Import): number => Math.min(...runs.map((one) => one[of]));

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
const standIn = (name: string): string => STAND_IN[name] ?? (name.endsWith('_BUCKET') ? 'a-bucket' : 'arn:aws:x:us-east-1:000000000000:y');

/** Milliseconds from the import statement to its end, by the clock and of this thread's processor time, in a process of its own. */
function coldImport(file: string, variables: readonly string[]): Import {
  const settings = Object.fromEntries(variables.map((name) => [name, standIn(name)]));
  const env = { ...settings, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }; // what Lambda and the stack give, and nothing of this machine, such as certificates of its own to read
  const script = `const before = process.threadCpuUsage(); const at = performance.now(); await import(${JSON.stringify(file)});
    const wall = performance.now() - at; const { user, system } = process.threadCpuUsage(before);
    process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000 })); process.exit(0);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  const { wall, cpu } = JSON.parse(stdout) as { wall: number; cpu: number };
  return { wall: rounded(wall), cpu: rounded(cpu) };
}
