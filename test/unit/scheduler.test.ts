import { describe, expect, it } from 'vitest';
import { nextFiring, readExpression } from '../../infra/local/services/scheduler/expression.ts';

const firings = (text: string, zone: string, from: string, count: number): string[] => {
  const expression = readExpression(text, zone);
  const found: string[] = [];
  for (let after = Date.parse(from); found.length < count; ) {
    const next = nextFiring(expression, after, Date.parse(from));
    if (next === undefined) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    after = next;
  }
  return found;
};

describe('cron', () => {
  it.each([
    ['every quarter of an hour', 'cron(0/15 * * * ? *)', '2026-03-02T10:01:00Z', ['2026-03-02T10:15', '2026-03-02T10:30', '2026-03-02T10:45']],
    ['on weekdays', 'cron(0 9 ? * MON-FRI *)', '2026-03-06T09:00:00Z', ['2026-03-09T09:00', '2026-03-10T09:00']],
    ['a range that wraps around the week', 'cron(0 9 ? * FRI-MON *)', '2026-03-02T09:00:00Z', ['2026-03-06T09:00', '2026-03-07T09:00', '2026-03-08T09:00', '2026-03-09T09:00']],
    ['on the last day of the month', 'cron(0 0 L * ? *)', '2026-01-15T00:00:00Z', ['2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00']],
    ['on the weekday nearest to a Saturday the first, without leaving the month', 'cron(0 0 1W 8 ? *)', '2026-01-01T00:00:00Z', ['2026-08-03T00:00', '2027-08-02T00:00']],
    ['on the last weekday', 'cron(0 0 LW 5 ? *)', '2026-01-01T00:00:00Z', ['2026-05-29T00:00']],
    ['on the second Tuesday', 'cron(0 0 ? * 3#2 *)', '2026-03-01T00:00:00Z', ['2026-03-10T00:00', '2026-04-14T00:00']],
    ['on the last Friday', 'cron(0 0 ? * 6L *)', '2026-03-01T00:00:00Z', ['2026-03-27T00:00', '2026-04-24T00:00']],
    ['on 29 February', 'cron(0 0 29 2 ? *)', '2026-03-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['with lists, names and steps', 'cron(5,35 8-10/2 ? JAN,jul SUN 2026-2027)', '2026-07-05T08:00:00Z', ['2026-07-05T08:05', '2026-07-05T08:35', '2026-07-05T10:05']],
    ['never again after its year', 'cron(0 0 1 1 ? 2025)', '2026-01-01T00:00:00Z', []],
  ])('fires %s', (_name, text, from, expected) => expect(firings(text, 'UTC', from, Math.max(expected.length, 1))).toEqual(expected));

  it.each([
    ['five fields', 'cron(0 9 * * ?)'],
    ['both days given', 'cron(0 9 1 * MON *)'],
    ['neither day given', 'cron(0 9 ? * ? *)'],
    ['a minute beyond 59', 'cron(60 9 * * ? *)'],
    ['a step of nothing', 'cron(0/0 9 * * ? *)'],
    ['an unknown name', 'cron(0 9 ? * FOO *)'],
    ['a sixth Tuesday', 'cron(0 9 ? * 3#6 *)'],
    ['a year before time', 'cron(0 9 * * ? 1969)'],
    ['seconds', 'cron(0 0 9 * * ? *)'],
    ['something else', 'every day'],
  ])('refuses %s', (_name, text) => expect(() => readExpression(text, 'UTC')).toThrow());

  it('refuses an unknown zone', () => expect(() => readExpression('cron(0 9 * * ? *)', 'Mars/Olympus')).toThrow(/time zone/));
});

describe('SC-02: the change nights of 2026', () => {
  it.each([
    ['New York skips 02:30 in spring', 'America/New_York', 'cron(30 2 * * ? *)', '2026-03-07T12:00:00Z', ['2026-03-09T06:30', '2026-03-10T06:30']],
    ['New York repeats 01:30 in autumn, fired once', 'America/New_York', 'cron(30 1 * * ? *)', '2026-10-31T12:00:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    ['London skips 01:30 in spring', 'Europe/London', 'cron(30 1 * * ? *)', '2026-03-28T12:00:00Z', ['2026-03-30T00:30']],
    ['London repeats 01:30 in autumn, fired once', 'Europe/London', 'cron(30 1 * * ? *)', '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'nine in the morning stays nine in the morning',
      'America/New_York',
      'cron(0 9 * * ? *)',
      '2026-03-07T12:00:00Z',
      ['2026-03-07T14:00', '2026-03-08T13:00', '2026-03-09T13:00'],
    ],
    ['Lord Howe moves by half an hour', 'Australia/Lord_Howe', 'cron(15 2 * * ? *)', '2026-10-02T20:00:00Z', ['2026-10-04T15:15']],
    ['midnight that does not exist', 'America/Santiago', 'cron(0 0 * * ? *)', '2026-09-05T05:00:00Z', ['2026-09-07T03:00']],
  ])('%s', (_name, zone, text, from, expected) => expect(firings(text, zone, from, expected.length)).toEqual(expected));

  it('TM-10: every minute across both changes, each local reading once, always forward', () => {
    for (const [from, minutes] of [
      ['2026-03-08T05:00:00Z', 180],
      ['2026-11-01T04:00:00Z', 180],
    ] as const) {
      const found = firings('cron(* * * * ? *)', 'America/New_York', from, minutes);
      expect(new Set(found).size).toBe(minutes);
      expect([...found].sort()).toEqual(found);
    }
  });

  it('a rate of one day is 24 hours whatever the clock does', () =>
    expect(firings('rate(1 day)', 'America/New_York', '2026-03-07T12:00:00Z', 2)).toEqual(['2026-03-08T12:00', '2026-03-09T12:00']));
});

describe('rate and at', () => {
  it('a rate begins with its schedule and keeps its rhythm', () => {
    const rate = readExpression('rate(5 minutes)', 'UTC');
    expect(nextFiring(rate, 0, 60_000)).toBe(60_000);
    expect(nextFiring(rate, 60_000, 60_000)).toBe(360_000);
    expect(nextFiring(rate, 400_000, 60_000)).toBe(660_000);
  });
  it.each(['rate(1 minutes)', 'rate(5 minute)', 'rate(0 minutes)', 'rate(5 weeks)', 'rate(-1 minutes)'])('refuses %s', (text) =>
    expect(() => readExpression(text, 'UTC')).toThrow(),
  );
  it('at() is local time and happens once', () => expect(firings('at(2026-07-01T09:00:00)', 'America/New_York', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-07-01T13:00']));
  it('at() inside a skipped hour still happens', () => expect(firings('at(2026-03-08T02:30:00)', 'America/New_York', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-03-08T07:30']));
  it('refuses at() with a zone or fraction', () => {
    expect(() => readExpression('at(2026-07-01T09:00:00Z)', 'UTC')).toThrow();
    expect(() => readExpression('at(2026-13-01T09:00:00)', 'UTC')).toThrow();
  });
});
