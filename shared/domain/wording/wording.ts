// Which words a person gets, and how they read a time.

import type { Attempt } from '../attempts.ts';
import { localParts, plusDays } from '../local-time.ts';
import { en, type Wording } from './en.ts';
import { es } from './es.ts';

export type { Problem, Wording } from './en.ts';

export type Language = 'en' | 'es';

const CATALOGUES: Readonly<Record<Language, Wording>> = { en, es };

/** The sentences of a language. */
export const wordingFor = (language: Language): Wording => CATALOGUES[language];

/** The text of a code; a code that no catalogue knows is shown in plain letters, never hidden. */
export const said = (known: Readonly<Record<string, string>>, code: string): string => (Object.hasOwn(known, code) ? (known[code] ?? code) : code.replace(/[-_.]+/g, ' '));

/** What came of an attempt, to be read after the name of the person. */
export const saidOf = (attempt: Attempt, { attempts, reasons, saidNo }: Wording): string => (attempt.what === 'said-no' ? saidNo(reasons[attempt.reason]) : attempts[attempt.what]);

/** An instant in full, the same whenever it is read: for messages. `Wed, Jun 3, 2:02 PM PDT`. */
export function inFull(instant: string, zone: string, wording: Wording): string {
  return format(instant, wording, { timeZone: zone, weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
}

/** An instant as briefly as a text message needs: the time alone when it is on the day of `from`. */
export function inShort(instant: string, from: string, zone: string, wording: Wording): string {
  const sameDay = localParts(instant, zone).date === localParts(from, zone).date;
  return format(instant, wording, { timeZone: zone, hour: 'numeric', minute: '2-digit', ...(!sameDay && { weekday: 'short', month: 'short', day: 'numeric' }) });
}

/** An instant as somebody says it who reads it at `now`: for pages. `today, 2:02 PM`. */
export function asSaid(instant: string, now: string, zone: string, wording: Wording): string {
  const date = localParts(instant, zone).date;
  const today = localParts(now, zone).date;
  const time = format(instant, wording, { timeZone: zone, hour: 'numeric', minute: '2-digit' });
  if (date === today) return `${wording.today}, ${time}`;
  if (date === plusDays(today, 1)) return `${wording.tomorrow}, ${time}`;
  const sameYear = date.slice(0, 4) === today.slice(0, 4);
  const day = format(instant, wording, { timeZone: zone, weekday: 'short', month: 'short', day: 'numeric', ...(!sameYear && { year: 'numeric' }) });
  return `${day}, ${time}`;
}

/** The everyday name of a zone: `Pacific Daylight Time`. */
export function zoneName(instant: string, zone: string, wording: Wording): string {
  const parts = new Intl.DateTimeFormat(wording.locale, { timeZone: zone, timeZoneName: 'long' }).formatToParts(new Date(instant));
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}

/** Plain spaces only: the narrow ones of `Intl` break text messages and searches. */
const format = (instant: string, wording: Wording, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(wording.locale, options).format(new Date(instant)).replace(/\s+/g, ' ');
