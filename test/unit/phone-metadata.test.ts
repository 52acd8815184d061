// The bundle reads phone numbers with metadata from which the formats were taken out. It must read every number alike.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import whole from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { withoutFormats } from '../../infra/phone-metadata.ts';

const folder = path.dirname(createRequire(import.meta.url).resolve('libphonenumber-js/package.json'));
const stripped = withoutFormats(readFileSync(path.join(folder, 'metadata.max.json.js'), 'utf8'));
const lean = JSON.parse(stripped.replace(/^export default /, '')) as MetadataJson;
const full = whole as unknown as MetadataJson;

const countries = Object.keys(full.countries) as (keyof MetadataJson['countries'])[];

/** A number as people write it, and some that are none. */
function spellings(country: string): string[] {
  const national = (examples as Record<string, string>)[country] ?? '5035550142';
  const code = (full.countries[country as 'US'] as unknown as unknown[])[0] as string;
  const digits = [...national];
  const wrong = digits.map((digit, at) => digits.with(at, String((Number(digit) + 3) % 10)).join(''));
  return [
    national,
    `0${national}`,
    `1${national}`,
    `8${national}`,
    `+${code}${national}`,
    `00${code}${national}`,
    `011${code}${national}`,
    `+${code} (0) ${national} ext 7`,
    national.slice(1),
    `${national}0`,
    '911',
    ...wrong,
  ];
}

const read = (text: string, country: string, metadata: MetadataJson) => {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: country as 'US', extract: false }, metadata);
  return parsed === undefined ? undefined : [parsed.number, parsed.isValid(), parsed.ext, parsed.country];
};

describe('phone numbers in the bundle', () => {
  test('ID-03: are read alike in every country, valid or not', () => {
    expect(countries.length).toBeGreaterThan(200);
    for (const country of countries) for (const text of spellings(country)) expect(read(text, country, lean), `${text} in ${country}`).toEqual(read(text, country, full));
  });

  test('the formats are gone, and nothing else', () => {
    expect(stripped.length).toBeLessThan(JSON.stringify(full).length - 45_000);
    for (const country of countries)
      expect((lean.countries[country] as unknown as unknown[]).toSpliced(4, 1)).toEqual((full.countries[country] as unknown as unknown[]).toSpliced(4, 1));
  });

  test('metadata of an unknown version stops the bundler', () => {
    expect(() => withoutFormats('export default {"version":5,"countries":{}}')).toThrow('unknown way');
  });
});
