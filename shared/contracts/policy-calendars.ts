// `policy/calendars.yaml`: when people work. Named holiday sets become dates while the file is read, so that what is published says every date.

import * as z from 'zod';
import { isZone } from '../domain/local-time.ts';
import type { Calendar, Interval } from '../domain/policy.ts';
import { HolidaySet, holidayDates } from './holiday-sets.ts';
import { group, LocalDate, listOf, slug } from './policy-fields.ts';

export const Zone = z.string({ error: 'expected a zone such as America/Los_Angeles' }).refine(isZone, { error: 'expected a zone such as America/Los_Angeles' });

const HOURS = 'expected hours such as 08:00-17:00; an end before the start runs past midnight';
const Hours = z
  .string({ error: HOURS })
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { error: HOURS, abort: true })
  .transform((text): Interval => ({ from: text.slice(0, 5), to: text.slice(6) }))
  .refine(({ from, to }) => from !== to && !(from > '00:00' && to === '00:00'), { error: 'expected an end that differs from the start; midnight at the end of a day is 24:00' });

const Day = z
  .array(Hours, { error: 'expected a list of hours' })
  .optional()
  .transform((hours): readonly Interval[] => hours ?? []);

const SpecialHours = group({ on: LocalDate, hours: listOf(Hours, 'hours') });

const CalendarForm = group({
  name: slug('the name of the calendar'),
  zone: Zone,
  weekly: group({ mon: Day, tue: Day, wed: Day, thu: Day, fri: Day, sat: Day, sun: Day }),
  holidays: listOf(HolidaySet, 'holiday sets').optional(),
  closedOn: listOf(LocalDate, 'dates').optional(),
  openOn: listOf(LocalDate, 'dates').optional(),
  specialHours: listOf(SpecialHours, 'special hours').optional(),
}).transform(({ holidays, closedOn, openOn, specialHours, ...same }, context): Calendar => {
  const object = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  const own = closedOn ?? [];
  const named = new Set((holidays ?? []).flatMap(holidayDates));
  openOn?.forEach((date, index) => {
    if (!named.has(date)) object(['openOn', index], 'expected a date that one of the holiday sets closes');
    if (own.includes(date)) object(['openOn', index], 'expected a date that closedOn does not close');
  });
  specialHours?.forEach(({ on }, index) => {
    if (own.includes(on)) object(['specialHours', index, 'on'], 'expected a date that closedOn does not close');
    if (specialHours.findIndex((one) => one.on === on) !== index) object(['specialHours', index, 'on'], 'expected each date once');
  });
  const holiday = [...named].filter((date) => !(openOn ?? []).includes(date));
  const special = Object.fromEntries((specialHours ?? []).map(({ on, hours }) => [on, hours]));
  return {
    ...same,
    closedOn: holiday.length === 0 ? own : [...new Set([...own, ...holiday])].sort(),
    ...(specialHours !== undefined && { specialHours: special }),
  };
});

/** The calendars file. */
export const CalendarsFile = group({ calendars: z.array(CalendarForm, { error: 'expected a list of calendars' }) });
