import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Lets zod make the same schema once: the optional form of a schema, the list of a schema, and plain texts, whole numbers and
 * booleans. A schema never changes once it is made; contracts ask for the same few some two hundred times, and each one that
 * is made costs every cold start.
 */
export const sharedSchemas: Plugin = {
  name: 'shared-schemas',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]mini[\\/]schemas\.js$/ }, async ({ path }) => ({ contents: withSharedSchemas(await readFile(path, 'utf8')) }));
  },
};

/** The makers whose result depends on their first parameter alone, as long as no other is given. */
const MAKERS: Readonly<Record<string, string>> = { exactOptional: 'innerType', array: 'element, params', string: 'params', int: 'params', boolean: 'params' };

const KEPT = `const kept = /* @__PURE__ */ new Map();
function once(maker, key, make) {
  const known = kept.get(maker) ?? new Map();
  if (!known.has(key)) kept.set(maker, known.set(key, make()));
  return known.get(key);
}
`;

/** Zod's module with these makers remembering what they made. Throws when one is written in a way that this code does not know. */
export function withSharedSchemas(source: string): string {
  return Object.entries(MAKERS).reduce((text, [name, parameters]) => {
    const head = `export function ${name}(${parameters}) {\n`;
    const [before, after] = text.split(head);
    if (before === undefined || after === undefined) throw new Error(`zod makes ${name} in another way than infra/shared-schemas.ts knows`);
    const end = after.indexOf('\n}\n');
    const [key, other = key] = parameters.split(', ');
    const asked = other === 'params' ? 'params === undefined' : 'true';
    return `${before}${head}    const make = () => {\n${after.slice(0, end)}\n    };\n    return ${asked} ? once('${name}', ${key}, make) : make();${after.slice(end)}`;
  }, `${source}\n${KEPT}`);
}
