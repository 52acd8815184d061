// Local wall time in an IANA zone, from `Intl` alone. Never reads the zone of the machine (TM-12).

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** What a clock on the wall of a zone shows: `date` as `YYYY-MM-DD`, `time` as `HH:MM` (00:00 to 23:59). */
export type LocalParts = { date: string; time: string; weekday: (typeof WEEKDAYS)[number] };

/** An instant found for a local time. `adjusted` says that no clock ever showed that time, so the instant lies later by the length of the gap. */
export type FromLocal = { instant: string; adjusted: boolean };

const LOCAL_TEXT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Building a format costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** What people in the zone call this instant. Throws `RangeError` for an unknown zone or an instant that is none. */
export function localParts(instant: string, zone: string): LocalParts {
  const text = localText(Date.parse(instant), zone);
  const date = text.slice(0, 10);
  return { date, time: text.slice(11, 16), weekday: weekdayOf(date) };
}

/**
 * The instant at which clocks in the zone show `text` (`YYYY-MM-DDTHH:mm`).
 * Shown twice (clocks set back): the earlier instant, whatever today is (TM-01).
 * Never shown (clocks set forward): later by the length of the gap, and flagged (TM-02).
 * Throws `RangeError` for a text that names no real date and time; ask `isLocalText` first.
 */
export function fromLocal(text: string, zone: string): FromLocal {
  if (!isLocalText(text)) throw new RangeError(`not a local time such as 2026-03-08T09:30: ${text}`);
  const asIfUtc = Date.parse(`${text}:00Z`);
  const before = offsetAt(asIfUtc - DAY_MS, zone);
  const after = offsetAt(asIfUtc + DAY_MS, zone);
  const shown = [asIfUtc - before, asIfUtc - after].filter((candidate) => localText(candidate, zone).slice(0, 16) === text);
  if (shown.length > 0) return { instant: iso(Math.min(...shown)), adjusted: false };
  return { instant: iso(asIfUtc - before), adjusted: true };
}

/** Whether a text is a real date and time in the form `YYYY-MM-DDTHH:mm`: the 31st of February is not. */
export function isLocalText(text: string): boolean {
  if (!LOCAL_TEXT.test(text)) return false;
  const ms = Date.parse(`${text}:00Z`);
  return !Number.isNaN(ms) && iso(ms).startsWith(text);
}

/** Whether this is the name of a zone, such as `America/Los_Angeles`; a bare offset is not, for it knows no change of clocks. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatFor(zone);
    return true;
  } catch {
    return false;
  }
}

/** The date so many calendar days later; a day is a date, not 24 hours (TM-03). */
export const plusDays = (date: string, days: number): string => iso(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).slice(0, 10);

export const weekdayOf = (date: string): LocalParts['weekday'] => WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'sun';

/** How far the clock of a zone is ahead of UTC at an instant, both in milliseconds. */
export const offsetAt = (ms: number, zone: string): number => Date.parse(`${localText(ms, zone)}Z`) - Math.floor(ms / 1000) * 1000;

const iso = (ms: number): string => new Date(ms).toISOString();

function localText(ms: number, zone: string): string {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatFor(zone).formatToParts(ms)) parts[type] = value;
  return `${(parts.year ?? '').padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}
