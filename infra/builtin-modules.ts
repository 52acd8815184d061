import type { Plugin } from 'esbuild';

/**
 * Takes Node's own modules from `process.getBuiltinModule` instead of an import. An import asks a module for the value of
 * everything it exports, used or not: `node:process` then opens the standard streams, `node:fs` loads its promises, and
 * those the web streams. That cost every cold start 6 ms and gave nothing.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) => (kind === 'import-statement' ? { path, namespace: 'builtin', sideEffects: false } : undefined));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: facadeOf(path) }));
  },
};

/** A module that exports what Node's own exports; what nobody uses falls away. */
export function facadeOf(name: string): string {
  const from = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const exported = Object.keys(process.getBuiltinModule(name) ?? {}).filter((key) => /^[A-Za-z]\w*$/.test(key) && key !== 'default');
  const one = (key: string): string => (name === 'node:stream/web' || STREAM_OF_A_FILE.test(key) ? whenUsed(from, key) : atOnce(key));
  return `const all = /* @__PURE__ */ ${from};\nexport default all;\n${exported.map(one).join('')}`;
}

const atOnce = (key: string): string => `export const ${key} = /* @__PURE__ */ (() => all.${key})();\n`;

/** As web streams, they are loaded by whoever makes or meets one: the SDK and middy only ask whether something is one. */
const STREAM_OF_A_FILE = /^(?:File)?(?:Read|Write)Stream$/;

const whenUsed = (from: string, key: string): string =>
  `export const ${key} = /* @__PURE__ */ new Proxy(function () {}, { get: (_, name) => ${from}.${key}[name], construct: (_, values) => new (${from}.${key})(...values) });\n`;
