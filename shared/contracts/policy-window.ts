// How long something may take, as a policy file says it: `5m` of wall time, `4 business hours`, `2 business days`.

import * as z from 'zod';
import type { Window } from '../domain/policy.ts';
import { Duration, group, slug } from './policy-fields.ts';

const SECONDS = { minute: 60, hour: 3600 } as const;
const MAX_BUSINESS_DAYS = 60;
const OPEN = 'expected open time such as 5m, 4h or 2 business days';
const BUSINESS = /^([1-9]\d{0,3}) business (minute|hour|day)s?$/;

/** Stands for the contract's own calendar until that is known. */
const OWN = '';

const BusinessTime = z
  .string({ error: OPEN })
  .regex(BUSINESS, { error: OPEN, abort: true })
  .transform((text): Window & { calendar: string } => {
    const [, count = '', unit] = BUSINESS.exec(text) ?? [];
    return unit === 'day' ? { days: Number(count), calendar: OWN } : { seconds: Number(count) * SECONDS[unit as keyof typeof SECONDS], calendar: OWN };
  })
  .refine((window) => !('days' in window) || window.days <= MAX_BUSINESS_DAYS, { error: `expected at most ${MAX_BUSINESS_DAYS} business days` });

const DAY = 'expected business days, or hours: a day of a calendar is no number of hours';
const OpenTime = z.string({ error: OPEN }).transform((text, context): Window => {
  if (/^\d+d$/.test(text)) context.addIssue({ code: 'custom', message: DAY });
  return pass<Window>(text.includes('business') ? BusinessTime : Duration, text, context);
});

/** Open time of a calendar that is not the contract's own. */
const InCalendar = group({ open: OpenTime, calendar: slug('the name of a calendar') }).transform(({ open, calendar }): Window => ({ ...open, calendar }));

/** `5m`, `2h`, `1d` on the wall clock; `30 business minutes`, `2 business days` by the contract's calendar; `{ open: 4h, calendar: name }` by another. */
export const WindowField = z.unknown().transform((written, context): Window => {
  if (typeof written === 'object' && written !== null) return pass<Window>(InCalendar, written, context);
  return pass<Window>(typeof written === 'string' && written.includes('business') ? BusinessTime : Duration, written, context);
});

/** Puts the contract's calendar into every window that says just `business`; `missing` hears of those when there is none. */
export function inOwnCalendar<Value>(value: Value, own: string | undefined, missing: (path: (string | number)[]) => void): Value {
  const walk = (here: unknown, path: (string | number)[]): unknown => {
    if (Array.isArray(here)) return here.map((one, index) => walk(one, [...path, index]));
    if (typeof here !== 'object' || here === null) return here;
    if (!isBusinessWindow(here)) return Object.fromEntries(Object.entries(here).map(([key, one]) => [key, walk(one, [...path, key])]));
    if (here.calendar === OWN && own === undefined) missing(path);
    return here.calendar === OWN ? { ...here, calendar: own ?? OWN } : here;
  };
  return walk(value, []) as Value; // the same shape: nothing but names of calendars changed
}

/** Every window of a value that names a calendar, with its path. */
export function businessWindows(value: unknown): { path: (string | number)[]; window: Window & { calendar: string } }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isBusinessWindow(value)) return [{ path: [], window: value }];
  const entries: [string | number, unknown][] = Array.isArray(value) ? value.map((one, index) => [index, one]) : Object.entries(value);
  return entries.flatMap(([key, one]) => businessWindows(one).map(({ path, window }) => ({ path: [key, ...path], window })));
}

const isBusinessWindow = (value: object): value is Window & { calendar: string } => 'calendar' in value && ('seconds' in value || 'days' in value);

function pass<Value>(schema: z.ZodType<Value>, written: unknown, context: z.core.$RefinementCtx): Value {
  const result = schema.safeParse(written);
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.addIssue({ ...issue, input: written } as Parameters<typeof context.addIssue>[0]); // an issue that was found is one that can be told on
  return z.NEVER;
}
