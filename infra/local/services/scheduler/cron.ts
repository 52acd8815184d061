/** A date without a zone. */
export type LocalDate = { year: number; month: number; day: number };

/** When a cron expression fires, in local time. */
export type Cron = { minutes: readonly number[]; hours: readonly number[]; isYear(year: number): boolean; isMonth(month: number): boolean; isDay(date: LocalDate): boolean };

export class InvalidExpression extends Error {}

type Field = { name: string; least: number; most: number; names?: readonly string[] };

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const FIELDS = {
  minutes: { name: 'minutes', least: 0, most: 59 },
  hours: { name: 'hours', least: 0, most: 23 },
  dayOfMonth: { name: 'day-of-month', least: 1, most: 31 },
  month: { name: 'month', least: 1, most: 12, names: MONTHS },
  dayOfWeek: { name: 'day-of-week', least: 1, most: 7, names: WEEKDAYS },
  year: { name: 'year', least: 1970, most: 2199 },
} satisfies Record<string, Field>;

const fail = (field: Field, text: string): never => {
  throw new InvalidExpression(`"${text}" is not a valid ${field.name} field`);
};

const numberOf = (field: Field, text: string): number => {
  const named = field.names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + field.least : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= field.least && value <= field.most ? value : fail(field, text);
};

const rangeOf = (field: Field, text: string): [number, number] => {
  if (text === '*') return [field.least, field.most];
  const [from = '', to, ...rest] = text.split('-');
  if (rest.length > 0) return fail(field, text);
  const first = numberOf(field, from);
  return [first, to === undefined ? first : numberOf(field, to)];
};

/** One part of a list: `5`, `1-5`, `*`, `2/3`, `1-30/5`. A range may wrap around, as FRI-MON does. */
const partOf = (field: Field, text: string): number[] => {
  const [base = '', stepText, ...rest] = text.split('/');
  if (rest.length > 0) return fail(field, text);
  const [first, last] = rangeOf(field, base);
  const step = stepText === undefined ? 1 : /^[1-9]\d{0,3}$/.test(stepText) ? Number(stepText) : fail(field, text);
  const openEnd = stepText !== undefined && !base.includes('-') ? field.most : last;
  const span = field.most - field.least + 1;
  const end = openEnd < first ? openEnd + span : openEnd;
  const values: number[] = [];
  for (let value = first; value <= end; value += step) values.push(value > field.most ? value - span : value);
  return values;
};

const listOf = (field: Field, text: string): number[] => [...new Set(text.split(',').flatMap((part) => partOf(field, part)))].sort((a, b) => a - b);

export const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
/** 1 is Sunday, as AWS counts. */
const weekdayOf = ({ year, month, day }: LocalDate): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;

/** The weekday (Monday to Friday) nearest to a day, without leaving its month. */
const nearestWeekday = (date: LocalDate): number => {
  const last = lastDayOf(date.year, date.month);
  const wanted = Math.min(date.day, last);
  const weekday = weekdayOf({ ...date, day: wanted });
  if (weekday === 7) return wanted === 1 ? 3 : wanted - 1;
  if (weekday === 1) return wanted === last ? wanted - 2 : wanted + 1;
  return wanted;
};

type IsDay = (date: LocalDate) => boolean;

const dayOfMonth = (text: string): IsDay => {
  if (text === 'L') return ({ year, month, day }) => day === lastDayOf(year, month);
  if (text === 'LW') return (date) => date.day === nearestWeekday({ ...date, day: lastDayOf(date.year, date.month) });
  const nearest = /^(\d{1,2})W$/.exec(text);
  if (nearest) {
    const wanted = numberOf(FIELDS.dayOfMonth, nearest[1] ?? '');
    return (date) => wanted <= lastDayOf(date.year, date.month) && date.day === nearestWeekday({ ...date, day: wanted });
  }
  const days = listOf(FIELDS.dayOfMonth, text);
  return ({ day }) => days.includes(day);
};

const dayOfWeek = (text: string): IsDay => {
  if (text === 'L') return (date) => weekdayOf(date) === 7;
  const last = /^(\w+)L$/.exec(text);
  if (last) {
    const wanted = numberOf(FIELDS.dayOfWeek, last[1] ?? '');
    return (date) => weekdayOf(date) === wanted && date.day + 7 > lastDayOf(date.year, date.month);
  }
  const [name, nth] = text.split('#');
  if (nth !== undefined) {
    const wanted = numberOf(FIELDS.dayOfWeek, name ?? '');
    const number = /^[1-5]$/.test(nth) ? Number(nth) : fail(FIELDS.dayOfWeek, text);
    return (date) => weekdayOf(date) === wanted && Math.ceil(date.day / 7) === number;
  }
  const days = listOf(FIELDS.dayOfWeek, text);
  return (date) => days.includes(weekdayOf(date));
};

/** Reads the six fields inside `cron(…)`. One of day-of-month and day-of-week must be `?`. */
export const readCron = (text: string): Cron => {
  const [minutes, hours, monthDay, month, weekDay, year, ...rest] = text.trim().split(/\s+/);
  if (minutes === undefined || hours === undefined || monthDay === undefined || month === undefined || weekDay === undefined || year === undefined || rest.length > 0)
    throw new InvalidExpression(`a cron expression has six fields (minutes hours day-of-month month day-of-week year): "${text}"`);
  if ((monthDay === '?') === (weekDay === '?')) throw new InvalidExpression(`exactly one of day-of-month and day-of-week must be "?": "${text}"`);
  const months = listOf(FIELDS.month, month);
  const years = new Set(listOf(FIELDS.year, year));
  return {
    minutes: listOf(FIELDS.minutes, minutes),
    hours: listOf(FIELDS.hours, hours),
    isYear: (value) => years.has(value),
    isMonth: (value) => months.includes(value),
    isDay: monthDay === '?' ? dayOfWeek(weekDay) : dayOfMonth(monthDay),
  };
};
