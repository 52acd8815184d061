// The READMEs promise commands, options and files. This holds them to what exists.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../cli/baton.ts';

const README = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const readmes = globSync('**/README.md', { exclude: (path) => ['node_modules', 'cdk.out', '.baton'].includes(path) }).map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** What stands in the first column of a README's tables, in backticks. */
const rows = (text: string) => [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, command = '']) => command);

const namedIn = (text: string) => [...text.matchAll(/\bnpx baton ([a-z]+)/g)].map(([, name = '']) => name);

describe('the README', () => {
  it('lists every command of the command line, in its order, and no other', () => {
    expect(rows(README).flatMap(namedIn)).toEqual(COMMANDS.map(({ name }) => name));
  });

  it('lists every npm script, and no other', () => {
    const listed = rows(README).flatMap((command) => /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? []);
    expect(listed.sort()).toEqual(Object.keys(scripts).sort());
  });

  it('gives `npm start` the options that it has', () => {
    const flags = (text: string) => [...new Set(text.match(/--(?!\s)[a-z-]+/g))].sort();
    const row = rows(README).find((command) => command.startsWith('npm start')) ?? '';
    const help = COMMANDS.find(({ name }) => name === 'start')?.help.split('\n')[0] ?? '';
    expect(flags(row)).toEqual(flags(help));
  });

  it('would notice a command that does not exist', () => {
    expect(rows('| `npx baton dance` | x |').flatMap(namedIn)).toEqual(['dance']);
    expect(COMMANDS.map(({ name }) => name)).not.toContain('dance');
  });
});

describe('every README', () => {
  it.each(readmes)('$file names only commands that exist', ({ text }) => {
    const known = COMMANDS.map(({ name }) => name);
    expect(namedIn(text).filter((name) => !known.includes(name))).toEqual([]);
    const run = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it.each(readmes)('$file links only to files that exist', ({ file, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => join(dirname(file), link));
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });
});

describe('every command', () => {
  it.each(COMMANDS)('$name says how it is written, in its help', ({ name, help }) => {
    expect(help.split('\n')[0]).toMatch(new RegExp(`^(baton ${name}\\b|npm start)`));
    expect(help.includes('--data DIR'), 'every command but the offline one says which Baton it speaks to').toBe(name !== 'verify');
  });
});
