import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { withOptionalConstants } from './unused-schemas.ts';

/**
 * Leaves the descriptions of contracts out of the bundles. They are for the published JSON Schemas; in a function each one
 * costs a second copy of its schema at every cold start, and its text.
 */
export const schemaDescriptions: Plugin = {
  name: 'schema-descriptions',
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]contracts[\\/][\w-]+\.ts$/ }, async ({ path }) => ({
      contents: withOptionalConstants(withoutDescriptions(await readFile(path, 'utf8'), path)),
      loader: 'ts',
    }));
  },
};

/** `z.describe(…)` of a literal text or of a name. */
const DESCRIPTION = String.raw`z\.describe\((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+)\)`;
const ALONE = new RegExp(String.raw`\.check\(\s*${DESCRIPTION},?\s*\)`, 'g');
const LATER = new RegExp(String.raw`,\s*${DESCRIPTION}`, 'g');
const FIRST = new RegExp(String.raw`${DESCRIPTION},\s*`, 'g');

/** The source without descriptions; everything that decides stays. Throws when one is written in a way that this code does not know. */
export function withoutDescriptions(source: string, file = 'a contract'): string {
  const bare = source.replace(ALONE, '').replace(LATER, '').replace(FIRST, '');
  if (bare.includes('z.describe(')) throw new Error(`${file} describes a schema in a way that infra/schema-descriptions.ts does not know`);
  return bare;
}
