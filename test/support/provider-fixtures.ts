// The recorded deliveries of each provider, as shared/sources/README.md describes them.

import { existsSync, readFileSync } from 'node:fs';
import type { Delivery } from '../../shared/ports/signal-source.ts';

type Change = { url?: string; headers?: Record<string, string | null>; rawBody?: string; nowUnix?: number };
export type Negative = Change & { name: string; expect?: 'accept' };
export type Vector = {
  id: string;
  url: string;
  headers: Record<string, string>;
  rawBody: string;
  nowUnix: number;
  secret: string;
  reads: Record<string, unknown>[] | { ignored: string };
  negatives: Negative[];
};
export type Fixture = { vectors: Vector[]; without?: string };

const FOLDER = new URL('../../shared/sources/fixtures/', import.meta.url);

/** The fixture of a provider; undefined when it has none. */
export function fixtureOf(name: string): Fixture | undefined {
  const file = new URL(`${name}.json`, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Fixture) : undefined;
}

export const instant = (unix: number): string => new Date(unix * 1000).toISOString();

/** A vector as it arrives, or with a change. */
export function deliveryOf(vector: Vector, change: Change = {}): { delivery: Delivery; now: string } {
  const headers = Object.entries({ ...vector.headers, ...change.headers }).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    delivery: { url: change.url ?? vector.url, headers: Object.fromEntries(headers), body: new TextEncoder().encode(change.rawBody ?? vector.rawBody) },
    now: instant(change.nowUnix ?? vector.nowUnix),
  };
}
