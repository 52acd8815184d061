const SHAPE = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
/** How far the clock of a sender may be ahead of ours. */
const AHEAD_MILLISECONDS = 300_000;

/** Before this, a time is some system's way to say "none". */
const EARLIEST = Date.UTC(2000, 0, 1);

/** The instant that a text with an offset names, as ISO in UTC and at most now; undefined without an offset, for a day that does not exist, or for a time still to come. */
export function statedInstant(text: string, receivedAt: string): string | undefined {
  const match = SHAPE.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  const milliseconds = Date.parse(text.trim().replace(' ', 'T').replace(',', '.'));
  if (Number.isNaN(milliseconds) || (day ?? 0) > lastDay) return undefined;
  if (milliseconds < EARLIEST || milliseconds > Date.parse(receivedAt) + AHEAD_MILLISECONDS) return undefined;
  return new Date(Math.min(milliseconds, Date.parse(receivedAt))).toISOString();
}
