// Holiday sets end with their last year. After it every holiday is an ordinary day, and nobody would notice (C-07).

import * as z from 'zod';
import type { Advice } from './policy-check.ts';
import { type PolicyText, readAs } from './policy-yaml.ts';

const Written = z.object({ calendars: z.array(z.object({ name: z.string(), holidays: z.array(z.object({ country: z.string(), years: z.string() })).optional() })) });

/** Sets of a calendars file whose last year runs, or is over, on this local date. */
export function auditHolidays(text: PolicyText, day: string | undefined): Advice[] {
  const read = readAs(Written, text);
  if (day === undefined || read.kind === 'invalid') return [];
  const year = Number(day.slice(0, 4));
  return read.value.calendars.flatMap(({ name, holidays = [] }, calendar) =>
    holidays.flatMap(({ country, years }, set): Advice[] => {
      const last = Number(years.slice(-4));
      if (last > year) return [];
      const sentence =
        last === year
          ? `the holidays of ${country} in ${name} end with ${last}, this year: extend the years before it is over`
          : `the holidays of ${country} in ${name} ended with ${last}: every holiday since is an ordinary day; extend the years`;
      return [{ path: ['calendars', calendar, 'holidays', set, 'years'], sentence, rule: 'C-07' }];
    }),
  );
}
