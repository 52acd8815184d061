import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Leaves out of the phone metadata how numbers are formatted for people. Baton reads numbers and writes E.164, which needs
 * the patterns that tell valid numbers (ID-03) and none of the formats: 50 KB of every bundle that reads a phone number.
 */
export const phoneMetadata: Plugin = {
  name: 'phone-metadata',
  setup(build) {
    build.onLoad({ filter: /[\\/]libphonenumber-js[\\/]metadata\.max\.json\.js$/ }, async ({ path }) => ({ contents: withoutFormats(await readFile(path, 'utf8')) }));
  },
};

type Metadata = { version: number; countries: Record<string, unknown[]>; nonGeographic?: Record<string, unknown[]> };

/** Where a country's formats stand in version 4 of the metadata. */
const FORMATS = 4;

/** The module with the formats of every country removed. Throws when the metadata is laid out in another way than this code knows. */
export function withoutFormats(source: string): string {
  const metadata = JSON.parse(/\{.*\}/s.exec(source)?.[0] ?? '') as Metadata;
  if (metadata.version !== 4) throw new Error(`phone metadata of version ${metadata.version} is laid out in an unknown way`);
  for (const country of [...Object.values(metadata.countries), ...Object.values(metadata.nonGeographic ?? {})]) country[FORMATS] = 0;
  return `export default ${JSON.stringify(metadata)}`;
}
