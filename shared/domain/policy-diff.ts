// What changes between two policies, in lines that a business person reads: whose window, whose owner, which postal codes.

import type { Calendar, Contract, Roster } from './policy.ts';

/** A policy on whatever versions. */
export type WholePolicy = { contracts: readonly Contract[]; roster: Roster; calendars: readonly Calendar[] };

/** One line a difference, in the order of the files; none when both say the same. */
export function diffPolicies(before: WholePolicy, after: WholePolicy): string[] {
  const [old, next] = [said(before), said(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((path) => {
    const [was, is] = [old.get(path), next.get(path)];
    if (was === is) return [];
    if (was === undefined) return [`${path}: new, ${is}`];
    return [is === undefined ? `${path}: gone, was ${was}` : `${path}: ${was} → ${is}`];
  });
}

/** Everything a policy says, as text by its path. */
function said({ contracts, roster, calendars }: WholePolicy): Map<string, string> {
  const leaves = new Map<string, string>();
  for (const { version: _, hours: __, name, ...contract } of contracts) collect(`contract ${name}`, contract, leaves);
  for (const { id, ...person } of roster.people) collect(`person ${id}`, person, leaves);
  if (roster.messagesPerHour !== undefined) collect('everybody messagesPerHour', roster.messagesPerHour, leaves);
  for (const { name, ...territory } of roster.territories ?? []) collect(`territory ${name}`, territory, leaves);
  for (const { name, ...calendar } of calendars) collect(`calendar ${name}`, calendar, leaves);
  return leaves;
}

function collect(path: string, value: unknown, leaves: Map<string, string>): void {
  const text = textOf(value);
  if (text !== undefined) {
    leaves.set(path, text);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, one] of (value as unknown[]).entries()) collect(`${path} ${index + 1}`, one, leaves);
    return;
  }
  for (const [key, one] of Object.entries(value as object)) collect(`${path} ${key}`, PRIVATE.has(key) && typeof one === 'string' ? masked(one) : one, leaves);
}

/** Addresses of staff are personal data: that one changed is told, what it is is not. */
const PRIVATE: ReadonlySet<string> = new Set(['email', 'sms', 'slack']);
const masked = (address: string): string => `address ${shortHash(address)}`;

/** Tells two addresses apart without showing either. */
function shortHash(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36);
}

/** A value that is said in one go; undefined for one that has parts of its own. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    const texts = value.map((one: unknown) => (typeof one === 'object' ? spanOf(one) : String(one)));
    return texts.includes(undefined) ? undefined : texts.join(', ') || 'nothing';
  }
  return windowOf(value) ?? spanOf(value);
}

function windowOf(value: object): string | undefined {
  const of = 'calendar' in value ? ` of ${String(value.calendar)}` : '';
  if ('days' in value) return `${Number(value.days)} days${of}`;
  return 'seconds' in value ? `${lengthOf(Number(value.seconds))}${of}` : undefined;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

function lengthOf(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0 && seconds >= size) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/** Hours and days off: `08:00-17:00`, `2026-08-03 to 2026-08-14`. */
function spanOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const keys = Object.keys(value);
  if (keys.length !== 2 || !('from' in value) || !('to' in value)) return undefined;
  return `${String(value.from)}${String(value.from).length > 5 ? ' to ' : '-'}${String(value.to)}`;
}
