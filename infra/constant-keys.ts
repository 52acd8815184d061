import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { withoutPlainErrors } from './plain-errors.ts';

/**
 * Writes the constant keys of the SDK's schemas as texts: `{ [_e]: _c }` becomes `{ "error": _c }`. It means the same, but
 * esbuild must assume that a computed key has a side effect and so keeps the schemas of every operation, used or not
 * (60 KB of the S3 client).
 */
export const constantKeys: Plugin = {
  name: 'constant-keys',
  setup(build) {
    build.onLoad({ filter: /[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/ }, async ({ path: file }) => {
      const [schemas, errors] = await Promise.all([readFile(file, 'utf8'), readFile(path.join(path.dirname(file), '../models/errors.js'), 'utf8')]);
      return { contents: withConstantKeys(withoutPlainErrors(schemas, errors)) };
    });
  },
};

/** The source with every computed key replaced whose name is a constant text of the same source. */
export function withConstantKeys(source: string): string {
  const constants = new Map([...source.matchAll(/^const (\w+) = ("[^"\\]*");$/gm)].map(([, name, text]) => [name, text]));
  return source.replace(/([{,]\s*)\[(\w+)\]:/g, (found, before: string, name: string) => (constants.has(name) ? `${before}${constants.get(name)}:` : found));
}
