// How long things took, when some of them are not over yet (M-07).

/** A length of time; `still` says that it goes on, so the true length is at least this. */
export type Elapsed = { seconds: number; still: boolean };

/** One figure; `atLeast` when something unfinished could still make it larger. */
export type Quantile = { seconds: number; atLeast: boolean };

/** The middle and the tail, never an average: a few old ones matter more than a fast many. `still` of the `count` are not over. */
export type Spread = { count: number; still: number; median: Quantile; p90: Quantile; p95: Quantile; max: Quantile };

/**
 * The spread by nearest rank. What is not over takes part with its length so far and is never left out, so each figure is
 * a bound from below: two that took a minute and eight that wait since an hour have a median of "at least an hour".
 * Undefined when there is nothing to measure.
 */
export function spread(all: readonly Elapsed[]): Spread | undefined {
  if (all.length === 0) return undefined;
  const sorted = all.map((one) => one.seconds).sort((a, b) => a - b);
  const at = (share: number): Quantile => {
    const seconds = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    return { seconds, atLeast: all.some((one) => one.still && one.seconds <= seconds) };
  };
  return { count: all.length, still: all.filter((one) => one.still).length, median: at(0.5), p90: at(0.9), p95: at(0.95), max: at(1) };
}
