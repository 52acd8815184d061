import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withoutDescriptions } from '../../infra/schema-descriptions.ts';

describe('descriptions of contracts in bundles', () => {
  it.each([
    ["z.string().check(z.describe('Names it.'))", 'z.string()'],
    ['z.string().check(z.describe(description))', 'z.string()'],
    ['z.boolean().check(z.describe("A provider\'s own."))', 'z.boolean()'],
    ["z.int().check(z.positive(), z.describe('How many (at most).'))", 'z.int().check(z.positive())'],
    ["z.int().check(z.describe('How many.'), z.positive())", 'z.int().check(z.positive())'],
    ["z.string().check(\n  z.minLength(1),\n  z.describe('It\\'s named.'),\n)", 'z.string().check(\n  z.minLength(1),\n)'],
  ])('%s loses the description and nothing else', (source, bare) => {
    expect(withoutDescriptions(source)).toBe(bare);
  });

  it('a description written in a way that is not known stops the bundling, instead of staying unnoticed', () => {
    expect(() => withoutDescriptions('z.string().check(z.describe(nameOf(what)))')).toThrow('describes a schema');
  });

  it('every contract is written in a way that is known', () => {
    for (const file of globSync('shared/contracts/*.ts')) expect(withoutDescriptions(readFileSync(file, 'utf8'), file)).not.toContain('z.describe(');
  });
});
