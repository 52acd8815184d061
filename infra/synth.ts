// Bundles and synthesizes, but only when an input changed: `node infra/synth.ts` prints nothing and takes no time otherwise.
// `--app` is how the CDK CLI calls it (cdk.json): always synthesizes, into the folder the CLI names.

import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '..');
const ASSEMBLY = path.join(PROJECT, 'cdk.out');
const MARK = '.inputs';

/** Everything that decides what the template and the bundles are. The local runtime only reads the result. */
const INPUTS = ['functions/**/*', 'shared/**/*', 'infra/*.ts', 'infra/constructs/**/*', 'statemachines/**/*', 'package-lock.json', 'cdk.json'];

export type Synthesis = { assembly: string; changed: boolean };

/**
 * Brings cdk.out up to date and says whether anything had to be done. Everything is made beside it and put in its place at
 * the end, so that a synthesis that fails, or two at once, never leave half an assembly. Throws what esbuild, CDK or
 * cdk-nag complained about.
 */
export async function synthesize(assembly = ASSEMBLY): Promise<Synthesis> {
  const inputs = hashOfInputs();
  if (markOf(assembly) === inputs) return { assembly, changed: false };
  const made = `${assembly}.${process.pid}`;
  // cdk-nag still runs; CDK's own check against CloudFormation's rules takes longer than everything else, and every deployment and the stack's test make it.
  process.env.CDK_VALIDATION ??= 'false';
  try {
    await build(made);
    writeFileSync(path.join(made, MARK), inputs);
    replace(assembly, made, inputs);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return { assembly, changed: true };
}

/** Whether cdk.out is what `synthesize()` would make. */
export const isSynthesized = (): boolean => markOf(ASSEMBLY) === hashOfInputs();

function markOf(assembly: string): string | undefined {
  const mark = path.join(assembly, MARK);
  return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined;
}

/** Puts the new assembly in its place, unless another process put the same one there meanwhile. A runtime that reads from it misses no file for longer than a rename takes. */
function replace(assembly: string, made: string, inputs: string): void {
  const before = `${made}.before`;
  for (let attempt = 1; markOf(assembly) !== inputs; attempt++) {
    try {
      if (existsSync(assembly)) renameSync(assembly, before);
      renameSync(made, assembly);
    } catch (error) {
      if (attempt === 3) throw error;
    } finally {
      rmSync(before, { recursive: true, force: true });
    }
  }
}

/** The bundler and CDK are loaded only when they have work. Bundles go to a folder of this process; CDK copies them into the assembly. */
async function build(outdir: string): Promise<void> {
  const bundles = path.join(PROJECT, '.build', `synth-${process.pid}`);
  try {
    const [{ bundle }, { batonApp }] = await Promise.all([import('./bundle.ts'), import('./app.ts')]);
    await bundle(bundles);
    batonApp({ outdir, bundles }).synth();
  } finally {
    rmSync(bundles, { recursive: true, force: true });
  }
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
