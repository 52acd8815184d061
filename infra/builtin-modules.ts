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
  const exported = Object.keys(process.getBuiltinModule(name) ?? {}).filter((key) => /^[A-Za-z]\w*$/.test(key) && key !== 'default');
  const one = name === 'node:stream/web' ? whenUsed : atOnce;
  return `const all = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});\nexport default all;\n${exported.map(one).join('')}`;
}

const atOnce = (key: string): string => `export const ${key} = /* @__PURE__ */ (() => all.${key})();\n`;

/** Web streams are loaded by whoever makes or meets one: the SDK and middy only ask whether something is one. */
const whenUsed = (key: string): string =>
  `export const ${key} = /* @__PURE__ */ new Proxy(function () {}, { get: (_, name) => globalThis.${key}[name], construct: (_, values) => new globalThis.${key}(...values) });\n`;
