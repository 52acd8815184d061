const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
};

/** True for a name of the IANA database. */
export const isZone = (zone: string): boolean => {
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
};

/** The wall-clock reading in a zone at an instant, written as if it were UTC milliseconds. */
export const wallTime = (instant: number, zone: string): number => {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute, parts.second);
};

const DAY = 86_400_000;

/**
 * The instants at which a zone's wall clock shows this reading, earliest first: none inside the hour that spring skips,
 * two inside the one that autumn repeats.
 */
export const instantsOf = (wall: number, zone: string): number[] => {
  const offsets = new Set([wall - DAY, wall + DAY].map((around) => wallTime(around, zone) - around));
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => wallTime(instant, zone) === wall)
    .sort((a, b) => a - b);
};
