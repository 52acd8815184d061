// What the ownership audit says about policies that are valid and still leave something to luck.

import { describe, expect, test } from 'vitest';
import { auditContract, auditRoster } from '../../shared/contracts/policy-audit.ts';
import type { Advice } from '../../shared/contracts/policy-check.ts';
import { readPolicy } from '../../shared/contracts/policy-files.ts';
import { type Contract, EXCEPTION_CLASSES, type Policy } from '../../shared/domain/policy.ts';
import { aCalendar, anExceptionRule, aPerson, aPolicy, DANA, INA, OMAR, ROSA, SAM } from '../support/builders.ts';
import { SAMPLE } from '../support/sample-policy.ts';

const pair = { person: INA, backup: OMAR };
const everyClass = Object.fromEntries(EXCEPTION_CLASSES.map((name) => [name, anExceptionRule()])) as Contract['exceptions'];
const staff = [aPerson('ina', { roles: ['intake'] }), aPerson('omar', { roles: ['operations'] }), aPerson('dana', { roles: ['owner'] })];

/** A policy that the audit has nothing to say about, with what a test changes. */
function audited(
  more: { contract?: Partial<Contract>; people?: Policy['roster']['people']; calendars?: Policy['calendars']; territories?: Policy['roster']['territories'] } = {},
  day?: string,
) {
  const responsible = { observer: pair, decisionOwner: pair, approver: { person: DANA, backup: INA }, executor: { person: ROSA, backup: SAM }, incidentOwner: pair };
  const exceptions = { ...everyClass, default: anExceptionRule() };
  const policy = aPolicy({
    people: more.people ?? [aPerson('rosa'), aPerson('sam'), ...staff],
    contract: { responsible, exceptions, ...more.contract },
    ...(more.calendars !== undefined && { calendars: more.calendars }),
  });
  return told(auditContract({ ...policy, roster: { ...policy.roster, ...(more.territories !== undefined && { territories: more.territories }) } }, day));
}

const told = (advice: readonly Advice[]) => advice.map(({ path, sentence, rule }) => `${path.join('.')}: ${sentence} (${rule})`);

describe('what a contract leaves to luck', () => {
  test('C-03: nothing, when everything has an owner', () => {
    expect(audited()).toEqual([]);
  });

  test('C-02: one person who approves and carries out, by name or by role', () => {
    const responsible = { observer: pair, decisionOwner: pair, approver: pair, executor: pair, incidentOwner: pair };
    expect(audited({ contract: { responsible } })[0]).toMatch(/^responsible\.executor: ina approves and carries out: name different people.*\(C-02\)$/);
    const byRole = { ...responsible, executor: { role: 'intake', backup: OMAR } };
    expect(audited({ contract: { responsible: byRole } })[0]).toMatch(/^responsible\.executor: ina approves/);
  });

  test('C-03: classes without a rule of their own', () => {
    const { 'territory-unknown': _, ...rest } = everyClass;
    expect(audited({ contract: { exceptions: { ...rest, default: anExceptionRule() } } })).toEqual([
      'exceptions: territory-unknown has no rule of its own and falls to omar by default: write who has the authority (C-03)',
    ]);
  });

  test('C-03: a category that nobody sells, and one that hangs on one person', () => {
    const starts: Contract['starts'] = [{ on: 'form.submitted', from: ['website'], category: ['slate', 'solar', 'tiles', 'warranty'] }];
    const people = [aPerson('rosa', { products: ['slate', 'tiles'] }), aPerson('sam', { products: ['tiles'] }), ...staff];
    expect(audited({ contract: { starts, service: { categories: ['warranty'] } }, people })).toEqual([
      expect.stringMatching(/^starts\.0\.where\.category\.0: only rosa sells slate: .*\(C-03\)$/),
      expect.stringMatching(/^starts\.0\.where\.category\.1: nobody who is asked sells solar: /),
    ]);
  });

  test('C-03: a combination that is promised and that nobody serves', () => {
    const serves = { products: ['tiles'], languages: ['en', 'es'], territories: ['97201-97239', 'coast'] };
    const people = [aPerson('rosa', { languages: ['es'], territories: ['97201-97210'] }), aPerson('sam', { territories: ['97201-97299', 'coast'] }), ...staff];
    const territories = [
      { name: 'coast', postalCodes: ['97101'], regions: [] },
      { name: 'west', postalCodes: ['97201-97299'], regions: [] },
    ];
    expect(audited({ contract: { serves }, people, territories })).toEqual([
      'serves: nobody who is asked serves tiles · es · 97201-97239: add somebody, or promise less (C-03)',
      'serves: nobody who is asked serves tiles · es · coast: add somebody, or promise less (C-03)',
    ]);
    expect(audited({ contract: { serves: { products: ['tiles'], territories: ['moon'] } } })[0]).toContain('moon is no territory of roster.yaml');
  });

  test('C-03: a licence that nobody holds, or nobody on that day', () => {
    const contract = { licences: [{ licence: 'ccb' }] };
    expect(audited({ contract })[0]).toMatch(/^licences\.0: nobody who is asked holds ccb/);
    const people = [aPerson('rosa', { licences: [{ name: 'ccb', until: '2026-06-30' }] }), aPerson('sam'), ...staff];
    expect(audited({ contract, people }, '2026-06-30')).toEqual([]);
    expect(audited({ contract, people }, '2026-07-01')[0]).toBe("licences.0: nobody's ccb is valid on 2026-07-01 (rosa): renew it, and enter the new date (C-03)");
  });

  test('C-03: a territory that nobody serves', () => {
    const territories = [
      { name: 'west', postalCodes: ['97201'], regions: [] },
      { name: 'coast', postalCodes: ['97101'], regions: [] },
    ];
    const people = [aPerson('rosa', { territories: ['west'] }), aPerson('sam', { territories: ['west'] }), ...staff];
    expect(audited({ people, territories })).toEqual(['ask: nobody who is asked serves coast: name somebody in roster.yaml (C-03)']);
    expect(audited({ people: [...people, aPerson('kim')], territories })).toEqual([]);
  });

  test('C-03: hours of the contract in which no owner of a class is on duty', () => {
    const saturday = aCalendar({ name: 'shop', weekly: { ...aCalendar().weekly, sat: [{ from: '09:00', to: '12:00' }] } });
    const people = [aPerson('rosa'), aPerson('sam'), ...staff.map((person) => ({ ...person, calendar: 'office' }))];
    const both = { contract: { calendar: 'shop' }, calendars: [aCalendar(), saturday] };
    expect(audited({ ...both, people })[0]).toMatch(/shop is open 3 hours a week, first sat 09:00, when none of omar, dana, ina is on duty: name somebody who is \(C-03\)$/);
    expect(audited({ ...both })).toEqual([]);
  });

  test('C-03: an owner and the backup away on the same day, and everybody who is asked away at once', () => {
    const away = (from: string, to: string) => ({ away: [{ from, to }] });
    const owners = [
      aPerson('ina', { roles: ['intake'], ...away('2026-08-01', '2026-08-10') }),
      aPerson('omar', { roles: ['operations'], ...away('2026-08-05', '2026-08-20') }),
      aPerson('dana', { roles: ['owner'] }),
    ];
    expect(audited({ people: [aPerson('rosa'), aPerson('sam'), ...owners] })).toEqual([
      'custodianUntilAccepted.backup: ina and omar are both away on 2026-08-05: name another backup, or move the days (C-03)',
    ]);
    const sellers = [aPerson('rosa', away('2026-12-20', '2026-12-31')), aPerson('sam', away('2026-12-25', '2027-01-02'))];
    expect(audited({ people: [...sellers, ...staff] })).toEqual([
      "ask: everybody who is asked is away on 2026-12-25: each request becomes no-eligible-owner; move somebody's days (C-03)",
    ]);
  });

  test('R-04: more people than a handoff asks', () => {
    const people = [...Array.from({ length: 51 }, (_, n) => aPerson(`p${n}`)), ...staff];
    const responsible = { observer: pair, decisionOwner: pair, approver: { person: DANA, backup: INA }, executor: { role: 'seller', backup: INA }, incidentOwner: pair };
    expect(audited({ people, contract: { responsible } })).toEqual([expect.stringMatching(/^ask: names 51 people; .* the first 50/)]);
  });
});

describe('what a roster leaves to luck', () => {
  test('C-03: somebody whom nothing reaches', () => {
    const closed = aPerson('rosa', { closedChannels: [{ channel: 'email', because: 'bounced' }] });
    expect(told(auditRoster({ version: 'r', people: [aPerson('sam'), closed] }))).toEqual([
      'people.1: nothing reaches rosa (e-mail bounced), so nobody asks them: give an address that works, or take them off the roster (C-03)',
    ]);
  });

  test('R-06: boundaries that overlap, by codes or by region', () => {
    const roster = (one: object, other: object) =>
      told(
        auditRoster({
          version: 'r',
          people: [],
          territories: [
            { name: 'west', postalCodes: [], regions: [], ...one },
            { name: 'east', postalCodes: [], regions: [], ...other },
          ],
        }),
      );
    expect(roster({ postalCodes: ['97201-97230'] }, { postalCodes: ['97230-97299'] })).toEqual([
      'territories.1: shares 97230-97299 with west: an address there is on two sides and goes to the owner of territory-unknown; draw one boundary (R-06)',
    ]);
    expect(roster({ regions: ['OR'] }, { regions: ['OR'] })).toHaveLength(1);
    expect(roster({ postalCodes: ['97201-97229'] }, { postalCodes: ['97230-97299', '97200'] })).toEqual([]);
  });
});

describe('holiday sets', () => {
  const advice = (day: string) => {
    const read = readPolicy(SAMPLE, 'policy', day);
    return read.kind === 'valid' ? read.warnings.filter((one) => one.includes('holidays of US')) : ['invalid'];
  };

  test('C-07: their last year is a warning with its place, and so is every day after it', () => {
    expect(advice('2027-12-31')).toEqual([]);
    expect(advice('2028-01-01')).toEqual([expect.stringMatching(/^policy\/calendars\.yaml:29.*end with 2028, this year: extend the years/)]);
    expect(advice('2029-06-01')).toEqual([expect.stringContaining('ended with 2028: every holiday since is an ordinary day')]);
  });
});
