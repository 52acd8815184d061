// How figures are printed and summed up.

/** Prints one figure as one JSON line. */
export type Print = (figure: string, value: number, unit: string, more?: Record<string, unknown>) => void;

export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value that so many percent of the values do not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const rounded = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits;
