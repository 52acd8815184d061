/**
 * Marks every constant of a contract as something that may be left out where nobody uses it. Building a schema is a call,
 * which esbuild must keep, since it cannot know that it has no effect: a function built every schema of every contract file
 * that it takes one schema from, at every cold start.
 */
export function withOptionalConstants(source: string): string {
  return source.replace(CONSTANT, (found, head: string, value: string) => (BUILT.test(value) ? `${head}/* @__PURE__ */ (() => (${value}))();` : found));
}

/** A constant of the module: it begins in the first column, and ends where the next line does not go on with it. */
const CONSTANT = /^((?:export )?const \w+(?:: [^=]+)? = )([\s\S]*?);(?=[ \t]*(?:\/\/.*)?\n(?![ \t)\]}]))/gm;

/** Made by a call or holding one; a function that is only defined here costs nothing. */
const BUILT = /^(?:z\s*\.|\w+\(|\{|Object\.)/;
