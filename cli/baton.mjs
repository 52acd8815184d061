#!/usr/bin/env node
// Node 24 runs the TypeScript beside this file as it is; an older Node is told so in one sentence.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(`baton needs Node 24 (this is ${process.versions.node}); run it as "npx baton" inside the project, which brings its own.`);
  process.exit(2);
}
// What was compiled once is compiled for good: starts in half the time. Kept at once, since a kill must not lose it.
const [{ enableCompileCache, flushCompileCache }, { join }] = await Promise.all([import('node:module'), import('node:path')]);
enableCompileCache(join(import.meta.dirname, '..', '.build', 'compiled'));
const { main } = await import('./baton.ts');
flushCompileCache();
process.exitCode = await main(process.argv.slice(2));
