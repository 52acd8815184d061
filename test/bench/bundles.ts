// How large each function is, and how long its code takes to load in a fresh process.

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { synthesize } from '../../infra/synth.ts';

export type Print = (figure: string, value: number, unit: string, more?: Record<string, unknown>) => void;

const BUNDLES = '.build/functions';
const RUNS = 7;
const BUDGET = { kilobytes: 450, milliseconds: 60 };

/** What a function's environment holds, so that its module loads as it does on AWS. Nothing is called. */
const ENVIRONMENT = [
  'HANDOFF_TABLE',
  'HANDOFF_BUS',
  'HANDOFF_MACHINE',
  'REPORT_BUCKET',
  'BATON_SECRET',
  'MAIL_FROM',
  'SMS_FROM',
  'OPS_EMAIL',
  'WEBSITE_SECRET',
  'TYPEFORM_SECRET',
  'TWILIO_SECRET',
  'SOURCE_SECRETS_PREFIX',
  'FETCH_SECRETS_PREFIX',
];

export async function bundleFigures(print: Print): Promise<void> {
  await synthesize();
  for (const name of readdirSync(BUNDLES).sort()) {
    const file = resolve(join(BUNDLES, name, 'index.mjs'));
    print('bundle', Math.round(statSync(file).size / 1024), 'KB', { function: name, budget: BUDGET.kilobytes });
    print('cold-import', median(Array.from({ length: RUNS }, () => coldImport(file))), 'ms', { function: name, budget: BUDGET.milliseconds, runs: RUNS });
  }
}

/** Milliseconds from the import statement to its end, in a process of its own. */
function coldImport(file: string): number {
  const env = { ...process.env, ...Object.fromEntries(ENVIRONMENT.map((name) => [name, 'arn:aws:x:us-east-1:000000000000:y'])) };
  const settings = {
    ...env,
    PUBLIC_URL: 'https://go.example.com',
    REPORT_ZONE: 'UTC',
    DEFAULT_COUNTRY: 'US',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  const script = `const at = performance.now(); await import(${JSON.stringify(file)}); process.stdout.write(String(performance.now() - at)); process.exit(0);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: settings, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  return Math.round(Number(stdout) * 10) / 10;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
