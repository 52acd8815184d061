// Postal codes, as text: leading zeros count, and a code that nobody stated is on nobody's side.

const RANGE = /^(\d+)-(\d+)$/;
const ZIP_PLUS_4 = /^(\d{5})-?\d{4}$/;

/** The form codes are compared in: upper case, no spaces; a ZIP+4 is its ZIP. */
export function postalCode(text: string): string {
  const plain = text.replace(/\s+/g, '').toUpperCase();
  return ZIP_PLUS_4.exec(plain)?.[1] ?? plain;
}

/**
 * The entry of a territory list that covers this code, or undefined. An entry is one code (`97201`, `V6B 1A1`) or an
 * inclusive range of codes that are all digits and equally long (`97201-97299`).
 */
export function coveringEntry(territories: readonly string[], code: string): string | undefined {
  const wanted = postalCode(code);
  return territories.find((entry) => covers(entry, wanted));
}

/** The ends of a range entry, or undefined when the entry is a single code. */
export function rangeOf(entry: string): { from: string; to: string } | undefined {
  const [, from, to] = RANGE.exec(entry.replace(/\s+/g, '')) ?? [];
  return from !== undefined && to !== undefined && from.length === to.length ? { from, to } : undefined;
}

function covers(entry: string, wanted: string): boolean {
  const range = rangeOf(entry);
  if (range === undefined) return postalCode(entry) === wanted;
  return /^\d+$/.test(wanted) && wanted.length === range.from.length && wanted >= range.from && wanted <= range.to;
}
