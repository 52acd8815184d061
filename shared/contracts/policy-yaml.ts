// YAML as text that remembers its lines. Every scalar stays text, so that 02101 keeps its zero and `no` does not turn into false.

import { isNode, LineCounter, type Node, parseDocument } from 'yaml';
import * as z from 'zod';

type Path = readonly (string | number)[];

/** One thing to mend in a policy file, as one line: file, line, path, what was expected, what stands there, and the rule behind it. */
export type Finding = string;

/** A file that could be read as YAML: its plain value, and the place of every path in it. */
export type PolicyText = {
  file: string;
  value: unknown;
  lineOf(path: Path): number;
  /** What must be mended before the policy can be used. */
  finding(path: Path, expected: string, rule?: string): Finding;
  /** What can be used as it is, and should be looked at. */
  warning(path: Path, sentence: string, rule: string): Finding;
};

/** The rule that a file of the policy states everything, in words that are known. */
const WRITTEN_PLAINLY = 'C-01';

/** Reads one YAML document. Repeated keys, several documents and broken syntax are findings, not errors. */
export function readYaml(file: string, text: string): { kind: 'read'; text: PolicyText } | { kind: 'invalid'; findings: Finding[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].map((problem) => `${file}:${lines.linePos(problem.pos[0]).line} ${firstLine(problem.message)}`);
  if (broken.length > 0) return { kind: 'invalid', findings: broken };
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    return { kind: 'invalid', findings: [`${file}:1 ${firstLine(cause instanceof Error ? cause.message : String(cause))}`] };
  }
  const lineOf = (path: Path): number => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && hasPlace(node)) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const at = (path: Path) => `${file}:${lineOf(path)}`;
  const finding = (path: Path, expected: string, rule = WRITTEN_PLAINLY): Finding => `${at(path)} ${nameOf(path)}: ${expected}${got(value, path)} (${rule})`;
  const warning = (path: Path, sentence: string, rule: string): Finding => `${at(path)} warning: ${nameOf(path)}: ${sentence} (${rule})`;
  return { kind: 'read', text: { file, value, lineOf, finding, warning } };
}

/** The line on which a path of a YAML text stands, or that of the nearest thing around it. */
export function lineIn(file: string, text: string, path: Path): number {
  const read = readYaml(file, text);
  return read.kind === 'read' ? read.text.lineOf(path) : 1;
}

/** Reads a value through its schema; each thing that is wrong becomes one finding. */
export function readAs<Schema extends z.ZodType>(schema: Schema, text: PolicyText): { kind: 'read'; value: z.output<Schema> } | { kind: 'invalid'; findings: Finding[] } {
  const result = z.safeParse(schema, text.value);
  if (result.success) return { kind: 'read', value: result.data };
  return { kind: 'invalid', findings: result.error.issues.flatMap((issue) => findingsOf(issue, text)) };
}

function findingsOf(issue: z.core.$ZodIssue, text: PolicyText): Finding[] {
  const path = issue.path.filter((part): part is string | number => typeof part !== 'symbol');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => text.finding([...path, key], 'no rule reads this key; expected it to be absent'));
  return [text.finding(path, issue.message)];
}

const hasPlace = (node: Node): node is Node & { range: [number, number, number] } => Array.isArray(node.range);

const nameOf = (path: Path): string =>
  path.reduce<string>((name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), '') || '(whole file)';

function got(value: unknown, path: Path): string {
  let here: unknown = value;
  for (const part of path) here = typeof here === 'object' && here !== null ? (here as Record<string | number, unknown>)[part] : undefined;
  if (here === undefined || here === null || here === '') return ', got nothing';
  if (typeof here === 'string') return `, got "${here.length > 60 ? `${here.slice(0, 60)}…` : here}"`;
  return Array.isArray(here) ? ', got a list' : ', got a group of keys';
}

const firstLine = (message: string): string => message.split('\n')[0] ?? message;
