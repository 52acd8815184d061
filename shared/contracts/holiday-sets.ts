// Named holidays, such as those of a state, as dates (C-07). Which years is written in the file: the same file is the same dates, whenever it is read.

import Holidays, { type HolidaysTypes } from 'date-holidays';
import * as z from 'zod';
import { plusDays } from '../domain/local-time.ts';
import { group, listOf, oneOf } from './policy-fields.ts';

const MOST_YEARS = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS = ['public', 'bank', 'school', 'optional', 'observance'] as const;
const YEARS = 'expected years such as 2026-2028';

const registry = new Holidays();
const countries = registry.getCountries();

const Years = z
  .string({ error: YEARS })
  .regex(/^20\d{2}(-20\d{2})?$/, { error: YEARS, abort: true })
  .transform((text) => ({ first: Number(text.slice(0, 4)), last: Number(text.slice(-4)) }))
  .refine(({ first, last }) => first <= last && last - first < MOST_YEARS, { error: `expected years that run forward, at most ${MOST_YEARS} of them` });

/** A set of holidays: a country, a region of it where holidays differ, the years it is wanted for, and which kinds of days (default: public). */
export const HolidaySet = group({
  country: z.string({ error: 'expected a country such as US' }),
  region: z.string().optional(),
  years: Years,
  kinds: listOf(oneOf(KINDS), 'kinds').optional(),
}).superRefine(({ country, region }, context) => {
  if (!(country in countries)) return context.addIssue({ code: 'custom', path: ['country'], message: 'expected a country whose holidays are known, such as US or CA' });
  const regions = Object.keys(registry.getStates(country) ?? {});
  if (region !== undefined && !regions.includes(region))
    context.addIssue({ code: 'custom', path: ['region'], message: regions.length === 0 ? 'expected no region: the country has one set' : `expected one of ${regions.join(', ')}` });
});
export type HolidaySet = z.infer<typeof HolidaySet>;

/** Every local date of a set, substitute days included, in order and each once. A holiday of several days is all of them. */
export function holidayDates(set: HolidaySet): string[] {
  const key = JSON.stringify(set);
  const dates = expanded.get(key) ?? expand(set);
  expanded.set(key, dates);
  return dates;
}

/** Working them out takes longer than reading all the rest of a policy. */
const expanded = new Map<string, string[]>();

function expand({ country, region, years, kinds = ['public'] }: HolidaySet): string[] {
  const known = region === undefined ? new Holidays(country) : new Holidays(country, region);
  const dates = new Set<string>();
  for (let year = years.first; year <= years.last; year += 1) {
    for (const holiday of known.getHolidays(year).filter((one) => (kinds as readonly HolidaysTypes.HolidayType[]).includes(one.type))) {
      for (const date of datesOf(holiday)) dates.add(date);
    }
  }
  return [...dates].sort();
}

/** A change of clocks makes a day 23 or 25 hours long. */
function datesOf({ date, start, end }: HolidaysTypes.Holiday): string[] {
  const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
  return Array.from({ length: days }, (_, day) => plusDays(date.slice(0, 10), day));
}
