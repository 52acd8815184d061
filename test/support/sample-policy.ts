// The sample business as text, to be spoiled in one place at a time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PolicyFiles, readPolicy } from '../../shared/contracts/policy-files.ts';

const ROOT = join(import.meta.dirname, '../..');
export const CONTRACT = 'contracts/roof-inspection.yaml';
export const SAMPLE: PolicyFiles = Object.fromEntries([CONTRACT, 'roster.yaml', 'calendars.yaml'].map((path) => [path, readFileSync(join(ROOT, 'policy', path), 'utf8')]));

/** The sample with one piece of text replaced; the piece must be there. */
export function withChange(path: string, piece: string, instead: string): PolicyFiles {
  const text = SAMPLE[path] ?? '';
  if (!text.includes(piece)) throw new Error(`${path} does not contain ${piece}`);
  return { ...SAMPLE, [path]: text.replace(piece, instead) };
}

/** What is wrong with files; nothing, when they are in order. */
export function findings(files: PolicyFiles): string[] {
  const read = readPolicy(files);
  return read.kind === 'invalid' ? read.findings : [];
}

/** The policy of files that are in order. */
export function valid(files: PolicyFiles) {
  const read = readPolicy(files);
  if (read.kind === 'invalid') throw new Error(read.findings.join('\n'));
  return read.policy;
}

/** The line on which a piece of text stands. */
export const lineOf = (files: PolicyFiles, path: string, piece: string): number => (files[path] ?? '').slice(0, (files[path] ?? '').indexOf(piece)).split('\n').length;
