// Bundles every function in one go: functions/<name>/handler.ts(x) → .build/functions/<name>/index.mjs. The stack only
// takes the folders it finds there, so a synthesis never starts a bundler of its own.

import { existsSync, globSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { absentFiles } from './absent-files.ts';
import { builtins } from './builtin-modules.ts';
import { BUNDLES } from './bundles.ts';
import { constantKeys } from './constant-keys.ts';
import { phoneMetadata } from './phone-metadata.ts';
import { schemaDescriptions } from './schema-descriptions.ts';
import { sdkDescription } from './sdk-description.ts';

const PROJECT = path.resolve(import.meta.dirname, '..');

/** Largest bundle a function may have, in bytes (cold starts grow with it). */
export const BUNDLE_BUDGET = 450 * 1024;

/** The SDK still contains CommonJS code that requires Node's own modules; without this line it stops at run time with "dynamic require" (LA-14). */
const BANNER = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

export type Bundle = { name: string; bytes: number };

/** Names of all functions: the folders of functions/ that have a handler. */
export function functionNames(): string[] {
  return globSync('functions/*/handler.{ts,tsx}', { cwd: PROJECT })
    .map((file) => path.basename(path.dirname(file)))
    .sort();
}

/**
 * Builds all bundles: ESM for Node 24, minified, SDK included, source map beside it. The same sources give the same bytes.
 * Throws when a bundle is over its budget, naming it.
 */
export async function bundle(outdir = BUNDLES, handlers = allHandlers()): Promise<Bundle[]> {
  const names = Object.keys(handlers);
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const result = await build({
    absWorkingDir: PROJECT,
    entryPoints: Object.entries(handlers).map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    keepNames: false,
    sourcemap: 'linked',
    sourcesContent: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    banner: { js: BANNER },
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    // Lambda always provides the role's credentials in the environment: see shared/lambda/environment-credentials.ts.
    alias: {
      '@aws-sdk/credential-provider-node': './shared/lambda/environment-credentials.ts',
      '@smithy/core/event-streams': './shared/lambda/absent-sdk-parts.ts',
      'mnemonist/lru-cache': './shared/lambda/absent-sdk-parts.ts',
    },
    plugins: [absentFiles, builtins, constantKeys, phoneMetadata, schemaDescriptions, sdkDescription],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const bundles = names.map((name) => ({ name, bytes: bytesOf(result.metafile.outputs, name) }));
  const tooLarge = bundles.filter(({ bytes }) => bytes > BUNDLE_BUDGET);
  if (tooLarge.length > 0) throw new Error(`over the budget of ${BUNDLE_BUDGET} bytes: ${tooLarge.map(({ name, bytes }) => `${name} (${bytes})`).join(', ')}`);
  return bundles;
}

/** File of each handler by the name of its function. */
const allHandlers = (): Record<string, string> => Object.fromEntries(functionNames().map((name) => [name, handlerOf(name)]));

const handlerOf = (name: string): string => {
  const file = `functions/${name}/handler.ts`;
  return existsSync(path.join(PROJECT, file)) ? file : `${file}x`;
};

function bytesOf(outputs: Record<string, { bytes: number }>, name: string): number {
  const found = Object.entries(outputs).find(([file]) => file.endsWith(`${name}/index.mjs`));
  if (found === undefined) throw new Error(`esbuild wrote no bundle for ${name}`);
  return found[1].bytes;
}

if (import.meta.main) for (const { name, bytes } of await bundle()) console.log(`${name.padEnd(22)} ${(bytes / 1024).toFixed(0).padStart(4)} KB`);
