import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { schemaFiles } from '../../shared/contracts/generate-schemas.ts';

type Described = { description?: string; properties?: Record<string, Described> };

const folder = new URL('../../shared/contracts/schemas/', import.meta.url);

describe('generated JSON Schemas', () => {
  test.each(schemaFiles())('$name is current: run node shared/contracts/generate-schemas.ts', ({ name, text }) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
  });

  test('no schema stands there that nothing generates', () => {
    expect(readdirSync(folder).sort()).toEqual(
      schemaFiles()
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('every field of the signal event says what it means', () => {
    const schema = JSON.parse(schemaFiles().find(({ name }) => name === 'signal-event.json')?.text ?? '{}');
    const silent: string[] = [];
    const look = (node: Described, path: string): void => {
      for (const [key, child] of Object.entries(node.properties ?? {})) {
        if (child.description === undefined) silent.push(`${path}${key}`);
        look(child, `${path}${key}.`);
      }
    };
    look(schema, '');
    expect(silent).toEqual([]);
  });
});
