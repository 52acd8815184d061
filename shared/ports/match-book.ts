import type { FindingKey, MatchEntry } from '../domain/matching.ts';

/** What has arrived under one key. `version` is 0 for a key that nobody has written yet; a write is conditional on it (ID-11). */
export type MatchRow = { key: MatchKey; version: number; entries: readonly MatchEntry[] };

/** A kind of key and its keyed hash: the book holds no identifier that anybody could read. A `thread` is a call, a conversation or a meeting. */
export type MatchKey = { kind: FindingKey | 'thread'; hash: string };

/** Finds requests that may be the same. Written only as part of the transaction that opens or links one (`Alongside.matches`). */
export interface MatchBook {
  /** A row for each key, in the order asked (consistent read). */
  rows(keys: readonly MatchKey[]): Promise<MatchRow[]>;
}
