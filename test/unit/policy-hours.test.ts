import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { holidayDates } from '../../shared/contracts/holiday-sets.ts';
import { type PolicyFiles, readPolicy } from '../../shared/contracts/policy-files.ts';
import type { ExceptionClass } from '../../shared/domain/policy.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONTRACT = 'contracts/roof-inspection.yaml';
const SAMPLE: PolicyFiles = Object.fromEntries([CONTRACT, 'roster.yaml', 'calendars.yaml'].map((path) => [path, readFileSync(join(ROOT, 'policy', path), 'utf8')]));

/** A policy with one calendar file of a few lines, for what calendars say. */
const withCalendars = (yaml: string): PolicyFiles => ({ ...SAMPLE, 'calendars.yaml': yaml });
const HOURS = `weekly: { mon: [09:00-17:00], tue: [09:00-17:00], wed: [09:00-17:00], thu: [09:00-17:00], fri: [09:00-17:00] }`;
const NAMES = ['portland-office', 'portland-sales'];
const calendarFile = (more: string, weekly = HOURS): string =>
  `calendars:\n${NAMES.map((name) => `  - name: ${name}\n    zone: America/Los_Angeles\n    ${name === 'portland-sales' ? HOURS : weekly}\n${name === 'portland-office' ? more : ''}`).join('\n')}`;

function withChange(path: string, piece: string, instead: string): PolicyFiles {
  const text = SAMPLE[path] ?? '';
  if (!text.includes(piece)) throw new Error(`${path} does not contain ${piece}`);
  return { ...SAMPLE, [path]: text.replace(piece, instead) };
}

function findings(files: PolicyFiles): string[] {
  const read = readPolicy(files);
  return read.kind === 'invalid' ? read.findings : [];
}

function valid(files: PolicyFiles) {
  const read = readPolicy(files);
  if (read.kind === 'invalid') throw new Error(read.findings.join('\n'));
  return read.policy;
}

const contractOf = (files: PolicyFiles) => {
  const [contract] = valid(files).contracts;
  if (contract === undefined) throw new Error('no contract');
  return contract;
};
const officeOf = (files: PolicyFiles) => valid(files).calendars.find((one) => one.name === 'portland-office');
const windowOf = (text: string) => contractOf(withChange(CONTRACT, 'respond: 15m,', `respond: ${text},`)).exceptions['system-fault']?.respond;

describe('how long something may take', () => {
  test.each([
    ['5m', { seconds: 300 }],
    ['1d', { seconds: 86_400 }],
    ['30 business minutes', { seconds: 1800, calendar: 'portland-sales' }],
    ['1 business hour', { seconds: 3600, calendar: 'portland-sales' }],
    ['2 business days', { days: 2, calendar: 'portland-sales' }],
    ['{ open: 5m, calendar: portland-office }', { seconds: 300, calendar: 'portland-office' }],
    ['{ open: 3 business days, calendar: portland-office }', { days: 3, calendar: 'portland-office' }],
  ])('C-06: %s', (text, window) => {
    expect(windowOf(text)).toEqual(window);
  });

  test.each([
    ['0 business days', 'ask[0].window: expected open time such as 5m, 4h or 2 business days, got "0 business days"'],
    ['2 business weeks', 'ask[0].window: expected open time such as 5m, 4h or 2 business days'],
    ['61 business days', 'ask[0].window: expected at most 60 business days'],
    ['{ open: 1d, calendar: portland-office }', 'ask[0].window.open: expected business days, or hours: a day of a calendar is no number of hours, got "1d"'],
    ['{ open: soon, calendar: portland-office }', 'ask[0].window.open: expected a duration such as 5m, got "soon"'],
    ['{ open: 5m }', 'ask[0].window.calendar: expected the name of a calendar, got nothing'],
    ['{ open: 5m, calendar: portland-office, zone: UTC }', 'ask[0].window.zone: no rule reads this key'],
    ['{ open: 5m, calendar: seattle }', 'ask[0].window.calendar: expected a calendar of calendars.yaml (portland-office, portland-sales), got "seattle"'],
    ['9999 business hours', 'ask[0].window: expected a window that ends within 26 weeks of portland-sales, got "9999 business hours"'],
    ['[5m]', 'ask[0].window: expected '],
  ])('C-03, TM-03: %s is refused', (text, finding) => {
    const found = findings(withChange(CONTRACT, 'window: 5m', `window: ${text}`));
    expect(found.join('\n')).toContain(finding);
    expect(found[0]).toMatch(/^policy\/contracts\/roof-inspection\.yaml:\d+ /);
  });

  test('C-06: business time needs a calendar, of the contract or of its own', () => {
    const files = withChange(CONTRACT, 'calendar: portland-sales          #', '#');
    expect(findings(files).join('\n')).toContain('exceptions.prior-opt-out.review: expected calendar: in the contract, since this counts business time, got "1 business day"');
    expect(findings(withChange(CONTRACT, 'calendar: portland-sales ', 'calendar: seattle ')).join('\n')).toContain('calendar: expected a calendar of calendars.yaml');
  });

  test('C-08: closed hours need a calendar that says when it is closed', () => {
    const bare = withChange(CONTRACT, 'calendar: portland-sales          #', '#');
    const files = { ...bare, [CONTRACT]: (bare[CONTRACT] ?? '').replace('review: 1 business day', 'review: 1d') };
    expect(findings(files).join('\n')).toContain('closedHours: expected calendar: in the contract, which says when it is closed');
    expect(findings(withChange(CONTRACT, 'startsAt: at-once', 'startsAt: tomorrow')).join('\n')).toContain(
      'closedHours.startsAt: expected one of next-opening, at-once, got "tomorrow"',
    );
  });

  test('C-06, C-08: the sample asks on the wall clock at any hour, reviews in business time, and names its closed hours', () => {
    const contract = contractOf(SAMPLE);
    expect(contract).toMatchObject({ calendar: 'portland-sales', closedHours: { startsAt: 'at-once', tellCustomer: 'we-answer-when-we-open' } });
    expect(contract.ask.map(({ window }) => window)).toEqual([{ seconds: 300 }, { seconds: 300 }]);
    expect(contract.exceptions['prior-opt-out']?.review).toEqual({ days: 1, calendar: 'portland-sales' });
    expect(contract.exceptions['regulated-request']?.review).toEqual({ seconds: 28_800, calendar: 'portland-office' });
    expect(contract.accept.ifOverdue.grace).toEqual({ seconds: 7200 });
  });

  test('C-04: a contract carries the calendars that it names, and no others', () => {
    expect(contractOf(SAMPLE).hours?.map((one) => one.name)).toEqual(NAMES);
    const files = withChange(CONTRACT, 'review: { open: 8h, calendar: portland-office }', 'review: 8h');
    expect(contractOf(files).hours?.map((one) => one.name)).toEqual(['portland-sales']);
    expect(Object.keys(contractOf(files).exceptions)).toContain('regulated-request' satisfies ExceptionClass);
  });
});

describe('named holidays', () => {
  const oregon = { country: 'US', region: 'OR', years: { first: 2026, last: 2026 } };

  test('C-07: become dates, substitute days included', () => {
    const dates = holidayDates(oregon);
    expect(dates).toEqual([...dates].sort());
    for (const date of ['2026-01-01', '2026-07-03', '2026-07-04', '2026-11-26', '2026-12-25']) expect(dates).toContain(date);
    expect(dates.every((date) => date.startsWith('2026-'))).toBe(true);
  });

  test('TM-08: are the local dates of their country, whatever the zone of the machine and also over a change of clocks', () => {
    const before = process.env.TZ;
    const answers = ['UTC', 'America/New_York', 'Pacific/Chatham'].map((zone) => {
      process.env.TZ = zone;
      return JSON.stringify([holidayDates(oregon), holidayDates({ country: 'AU', region: 'NSW', years: { first: 2026, last: 2027 } })]);
    });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"2026-04-05","2026-04-06"'); // Easter Sunday in Sydney has 25 hours and is one day
  });

  test('C-07: the firm corrects them: a day it works on, and days of its own', () => {
    const files = withCalendars(
      calendarFile(
        '    holidays: [{ country: US, region: OR, years: 2026 }]\n    openOn: [2026-10-12]\n    closedOn: [2026-11-27]\n    specialHours: [{ on: 2026-11-26, hours: [09:00-11:00] }]\n',
      ),
    );
    const office = officeOf(files);
    expect(office?.closedOn).not.toContain('2026-10-12');
    expect(office?.closedOn).toEqual(expect.arrayContaining(['2026-11-26', '2026-11-27', '2026-12-25']));
    expect(office?.specialHours).toEqual({ '2026-11-26': [{ from: '09:00', to: '11:00' }] });
  });

  test('C-07: only public holidays, unless the file says otherwise', () => {
    const closed = (kinds: string) => officeOf(withCalendars(calendarFile(`    holidays: [{ country: CL, years: 2026${kinds} }]\n`)))?.closedOn ?? [];
    expect(closed('')).not.toContain('2026-12-31');
    expect(closed(', kinds: [public, bank]')).toContain('2026-12-31');
  });

  test('C-04: dates are part of the version, and the same file is the same version whenever it is read', () => {
    const versionOf = (years: string) => contractOf(withCalendars(calendarFile(`    holidays: [{ country: US, years: ${years} }]\n`))).version;
    expect(versionOf('2026-2027')).toBe(versionOf('2026-2027'));
    expect(versionOf('2026-2027')).not.toBe(versionOf('2026-2028'));
  });

  test.each([
    ['holidays: [{ country: XX, years: 2026 }]', 'calendars[0].holidays[0].country: expected a country whose holidays are known, such as US or CA, got "XX"'],
    ['holidays: [{ country: US, region: ZZ, years: 2026 }]', 'calendars[0].holidays[0].region: expected one of AL, AK'],
    ['holidays: [{ country: US, years: always }]', 'calendars[0].holidays[0].years: expected years such as 2026-2028, got "always"'],
    ['holidays: [{ country: US, years: 2028-2026 }]', 'calendars[0].holidays[0].years: expected years that run forward, at most 10 of them'],
    ['holidays: [{ country: US, years: 2020-2040 }]', 'calendars[0].holidays[0].years: expected years that run forward, at most 10 of them'],
    ['openOn: [2026-10-12]', 'calendars[0].openOn[0]: expected a date that one of the holiday sets closes, got "2026-10-12"'],
    [
      'closedOn: [2026-12-24]\n    specialHours: [{ on: 2026-12-24, hours: [09:00-12:00] }]',
      'calendars[0].specialHours[0].on: expected a date that closedOn does not close, got "2026-12-24"',
    ],
    ['specialHours: [{ on: 2026-12-24, hours: [] }]', 'calendars[0].specialHours[0].hours: expected at least one of: hours'],
    [
      'specialHours: [{ on: 2026-12-24, hours: [09:00-12:00] }, { on: 2026-12-24, hours: [09:00-13:00] }]',
      'calendars[0].specialHours[1].on: expected each date once, got "2026-12-24"',
    ],
  ])('C-03: %s is refused', (text, finding) => {
    expect(findings(withCalendars(calendarFile(`    ${text}\n`))).join('\n')).toContain(finding);
  });
});

describe('hours that could not be meant', () => {
  test.each([
    ['weekly: {}', 'calendars[0].weekly: expected hours on at least one day'],
    ['weekly: { mon: [09:00-12:00, 11:00-17:00] }', 'calendars[0].weekly.mon[1]: expected hours that do not overlap other hours, got "11:00-17:00"'],
    ['weekly: { mon: [22:00-06:00], tue: [05:00-12:00] }', 'calendars[0].weekly.tue[0]: expected hours that do not overlap other hours, got "05:00-12:00"'],
    ['weekly: { sun: [22:00-06:00], mon: [00:00-01:00] }', 'calendars[0].weekly.mon[0]: expected hours that do not overlap other hours'],
  ])('C-03: %s is refused', (weekly, finding) => {
    expect(findings(withCalendars(calendarFile('', weekly))).join('\n')).toContain(finding);
  });

  test('C-03: hours that touch, and shifts one after another, are fine', () => {
    const found = findings(withCalendars(calendarFile('', 'weekly: { mon: [00:00-12:00, 12:00-24:00], tue: [22:00-06:00], wed: [06:00-12:00] }')));
    expect(found.filter((one) => one.includes('overlap'))).toEqual([]);
  });

  test('C-03, TM-10: a calendar that closes for a quarter of a year is refused', () => {
    const mondays = Array.from({ length: 14 }, (_, week) => new Date(Date.parse('2026-01-05') + week * 7 * 86_400_000).toISOString().slice(0, 10));
    const found = findings(withCalendars(calendarFile(`    closedOn: [${mondays.join(', ')}]\n`, 'weekly: { mon: [09:00-17:00] }')));
    expect(found.join('\n')).toContain('calendars[0].closedOn: expected a calendar that opens again within 92 days');
  });
});
