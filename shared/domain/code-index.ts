// Finds which of many postal codes and ranges cover one code, without looking at each.

import { postalCode, rangeOf } from './territory.ts';

type Range<Value> = { from: string; to: string; value: Value };

/** Ranges of equally long codes, by their start; `furthest` is the highest end up to each. */
type Ranges<Value> = { sorted: readonly Range<Value>[]; furthest: readonly string[] };

export type CodeIndex<Value> = { covering(code: string): Value[] };

/** Indexes entries such as `97201` and `97201-97299`. What covers a code is the same as in `coveringEntry`, in no particular order. */
export function indexCodes<Value>(entries: readonly { entry: string; value: Value }[]): CodeIndex<Value> {
  const single = new Map<string, Value[]>();
  const byLength = new Map<number, Range<Value>[]>();
  for (const { entry, value } of entries) {
    const range = rangeOf(entry);
    if (range === undefined) listIn(single, postalCode(entry)).push(value);
    else listIn(byLength, range.from.length).push({ ...range, value });
  }
  const ranges = new Map([...byLength].map(([length, list]) => [length, sortedRanges(list)] as const));
  return {
    covering(code) {
      const wanted = postalCode(code);
      const found = single.get(wanted) ?? [];
      const within = /^\d+$/.test(wanted) ? ranges.get(wanted.length) : undefined;
      return within === undefined ? [...found] : [...found, ...stabbed(within, wanted)];
    },
  };
}

function sortedRanges<Value>(list: Range<Value>[]): Ranges<Value> {
  const sorted = [...list].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  let highest = '';
  const furthest = sorted.map(({ to }) => {
    if (to > highest) highest = to;
    return highest;
  });
  return { sorted, furthest };
}

/** Walks back from the last range that starts early enough, until none before can reach so far. */
function stabbed<Value>({ sorted, furthest }: Ranges<Value>, wanted: string): Value[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.from ?? '') <= wanted) low = middle + 1;
    else high = middle;
  }
  const found: Value[] = [];
  for (let at = low - 1; at >= 0 && (furthest[at] ?? '') >= wanted; at -= 1) {
    const range = sorted[at];
    if (range !== undefined && range.to >= wanted) found.push(range.value);
  }
  return found;
}

/** The list under a key, made when there is none. */
export function listIn<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  map.set(key, made);
  return made;
}
