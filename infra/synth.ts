// Bundles and synthesizes, but only when an input changed: `node infra/synth.ts` prints nothing and takes no time otherwise.
// `--app` is how the CDK CLI calls it (cdk.json): always synthesizes, into the folder the CLI names.

import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '..');
const ASSEMBLY = path.join(PROJECT, 'cdk.out');
const MARK = '.inputs';

/** Everything that decides what the template and the bundles are. The local runtime only reads the result. */
const INPUTS = ['functions/**/*', 'shared/**/*', 'infra/*.ts', 'infra/constructs/**/*', 'statemachines/**/*', 'package-lock.json', 'cdk.json'];

export type Synthesis = { assembly: string; changed: boolean };

/**
 * Brings cdk.out up to date and says whether anything had to be done. A synthesis that fails leaves no assembly that
 * looks current. Throws what esbuild, CDK or cdk-nag complained about.
 */
export async function synthesize(assembly = ASSEMBLY): Promise<Synthesis> {
  const mark = path.join(assembly, MARK);
  const inputs = hashOfInputs();
  if (existsSync(mark) && readFileSync(mark, 'utf8') === inputs) return { assembly, changed: false };
  rmSync(assembly, { recursive: true, force: true });
  await build(assembly);
  writeFileSync(mark, inputs);
  return { assembly, changed: true };
}

/** The bundler and CDK are loaded only when they have work. */
async function build(outdir: string): Promise<void> {
  const [{ bundle }, { batonApp }] = await Promise.all([import('./bundle.ts'), import('./app.ts')]);
  await bundle();
  batonApp({ outdir }).synth();
}

function hashOfInputs(): string {
  const hash = createHash('sha256');
  for (const file of globSync(INPUTS, { cwd: PROJECT }).sort()) {
    const at = path.join(PROJECT, file);
    if (statSync(at).isFile()) hash.update(`${file}\0`).update(readFileSync(at)).update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  if (process.argv.includes('--app')) await build(process.env.CDK_OUTDIR ?? ASSEMBLY);
  else if ((await synthesize()).changed) console.log('synthesized into cdk.out');
}
