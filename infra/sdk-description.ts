import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Leaves of the package.json that each SDK client imports to state its version only name and version: the rest is 3 KB a client that nobody reads. */
export const sdkDescription: Plugin = {
  name: 'sdk-description',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: nameAndVersion(await readFile(path, 'utf8')),
      loader: 'json',
    }));
  },
};

function nameAndVersion(source: string): string {
  const { name, version } = JSON.parse(source) as { name: string; version: string };
  return JSON.stringify({ name, version });
}
