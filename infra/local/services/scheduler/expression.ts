import { type Cron, InvalidExpression, lastDayOf, readCron } from './cron.ts';
import { instantsOf, isZone, wallTime } from './zone.ts';

/** When a schedule fires. */
export type Expression = { kind: 'at'; at: number } | { kind: 'rate'; period: number } | { kind: 'cron'; cron: Cron; zone: string };

const UNITS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const LAST_YEAR = 2199;

const readRate = (text: string): Expression => {
  const [, amountText = '', unit = '', plural] = /^(\d+)\s+(minute|hour|day)(s?)$/.exec(text.trim()) ?? [];
  const amount = Number(amountText);
  const period = amount * (UNITS[unit as keyof typeof UNITS] ?? 0);
  if (period <= 0) throw new InvalidExpression(`a rate is a positive number of minutes, hours or days: "${text}"`);
  if ((amount === 1) === (plural === 's')) throw new InvalidExpression(`"${text}": one is singular, more are plural`);
  return { kind: 'rate', period };
};

/** The instant of a local time; inside a skipped hour the moment the clock jumps over it. */
const readAt = (text: string, zone: string): Expression => {
  const wall = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text.trim()) ? Date.parse(`${text.trim()}Z`) : Number.NaN;
  if (Number.isNaN(wall)) throw new InvalidExpression(`at(…) takes yyyy-mm-ddThh:mm:ss, not "${text}"`);
  const [first] = instantsOf(wall, zone);
  return { kind: 'at', at: first ?? wall - (wallTime(wall - UNITS.day, zone) - (wall - UNITS.day)) };
};

/** Reads `cron(…)`, `rate(…)` or `at(…)` in a zone. Throws `InvalidExpression` for what AWS refuses. */
export const readExpression = (text: string, zone: string): Expression => {
  if (!isZone(zone)) throw new InvalidExpression(`"${zone}" is not a time zone`);
  const [, kind, inner = ''] = /^(cron|rate|at)\((.*)\)$/.exec(text.trim()) ?? [];
  if (kind === 'cron') return { kind: 'cron', cron: readCron(inner), zone };
  if (kind === 'rate') return readRate(inner);
  if (kind === 'at') return readAt(inner, zone);
  throw new InvalidExpression(`a schedule expression is cron(…), rate(…) or at(…), not "${text}"`);
};

/** Local readings of one day that the expression names, in order. */
function* readingsOf(cron: Cron, day: number): Generator<number> {
  for (const hour of cron.hours) for (const minute of cron.minutes) yield day + hour * UNITS.hour + minute * UNITS.minute;
}

/** Months that the expression names, from a year on. */
function* monthsOf(cron: Cron, firstYear: number): Generator<{ year: number; month: number }> {
  for (let year = firstYear; year <= LAST_YEAR; year += 1) {
    for (let month = 1; month <= 12; month += 1) if (cron.isYear(year) && cron.isMonth(month)) yield { year, month };
  }
}

/** Midnights of the days that the expression names, from a day on. */
function* daysOf(cron: Cron, from: number): Generator<number> {
  for (const { year, month } of monthsOf(cron, new Date(from).getUTCFullYear())) {
    for (let day = 1; day <= lastDayOf(year, month); day += 1) {
      const midnight = Date.UTC(year, month - 1, day);
      if (midnight >= from && cron.isDay({ year, month, day })) yield midnight;
    }
  }
}

/**
 * The first firing after `after`. AWS's rule for the clock change: a local time that is skipped does not fire, one that is
 * repeated fires once, the first time round.
 */
const nextCron = (cron: Cron, zone: string, after: number): number | undefined => {
  const wall = wallTime(after, zone);
  const today = wall - (wall % UNITS.day);
  for (const day of daysOf(cron, today)) {
    for (const reading of readingsOf(cron, day)) {
      const [instant] = reading < wall ? [] : instantsOf(reading, zone);
      if (instant !== undefined && instant > after) return instant;
    }
  }
  return undefined;
};

/** When a schedule fires next after `after`, counted from its beginning (creation or StartDate) for rates. Undefined when never again. */
export const nextFiring = (expression: Expression, after: number, beginning: number): number | undefined => {
  if (expression.kind === 'at') return expression.at > after ? expression.at : undefined;
  if (expression.kind === 'cron') return nextCron(expression.cron, expression.zone, Math.max(after, beginning - 1));
  if (after < beginning) return beginning;
  return beginning + (Math.floor((after - beginning) / expression.period) + 1) * expression.period;
};
