import { describe, expect, test } from 'vitest';
import type { Contract, Person, Policy } from '../../shared/domain/policy.ts';
import { diffPolicies, type WholePolicy } from '../../shared/domain/policy-diff.ts';
import { aCalendar, anExceptionRule, aPerson, aPolicy, DANA, SAM } from '../support/builders.ts';

const whole = (more: Parameters<typeof aPolicy>[0] = {}, territories?: Policy['roster']['territories']): WholePolicy => {
  const { contract, roster, calendars } = aPolicy(more);
  return { contracts: [contract], roster: { ...roster, ...(territories !== undefined && { territories }) }, calendars };
};
const diff = (contract: Partial<Contract>) => diffPolicies(whole(), whole({ contract }));
const staffed = (...people: Person[]) => whole({ people });

describe('what a change of policy says', () => {
  test('C-04: nothing, when both say the same, whatever their versions', () => {
    expect(diffPolicies(whole(), whole({ contract: { version: 'c2' } }))).toEqual([]);
  });

  test('C-04: whose window, whose owner, whose turn', () => {
    expect(diff({ ask: [{ role: 'seller', order: 'fair-turn', window: { seconds: 600 } }] })).toEqual([
      'contract roof-inspection ask 1 order: fixed → fair-turn',
      'contract roof-inspection ask 1 window: 5m → 10m',
    ]);
    expect(diff({ exceptions: { default: anExceptionRule({ owner: DANA, review: { days: 2, calendar: 'office' } }) } })).toEqual([
      'contract roof-inspection exceptions default owner: omar → dana',
      'contract roof-inspection exceptions default review: 4h → 2 days of office',
    ]);
    expect(diff({ lateAcceptance: 'deny' })).toEqual(['contract roof-inspection lateAcceptance: allow-if-unclaimed → deny']);
  });

  test('C-04: a step, a rule or a person that is new or gone', () => {
    const ask: Contract['ask'] = [
      { role: 'seller', order: 'fixed', window: { seconds: 300 } },
      { role: 'seller', order: 'fixed', people: [SAM], window: { seconds: 90 } },
    ];
    expect(diff({ ask })).toEqual([
      'contract roof-inspection ask 2 role: new, seller',
      'contract roof-inspection ask 2 order: new, fixed',
      'contract roof-inspection ask 2 people: new, sam',
      'contract roof-inspection ask 2 window: new, 90s',
    ]);
    expect(diffPolicies(staffed(aPerson('rosa'), aPerson('sam')), staffed(aPerson('rosa')))).toContain('person sam roles: gone, was seller');
  });

  test('C-04 O-09: how many messages an hour, of one person and of everybody', () => {
    const before = staffed(aPerson('rosa', { messagesPerHour: { sms: 4 } }));
    const after = staffed(aPerson('rosa', { messagesPerHour: { sms: 6 } }));
    expect(diffPolicies(before, { ...after, roster: { ...after.roster, messagesPerHour: { email: 30 } } })).toEqual([
      'person rosa messagesPerHour sms: 4 → 6',
      'everybody messagesPerHour email: new, 30',
    ]);
  });

  test('C-04: whose postal codes, days off and capacity; the order of people says nothing', () => {
    const before = staffed(aPerson('rosa', { territories: ['97201-97239'] }), aPerson('sam', { capacity: 5 }));
    const after = staffed(aPerson('sam'), aPerson('rosa', { territories: ['97201-97229', '97231'], away: [{ from: '2026-08-03', to: '2026-08-14' }] }));
    expect(diffPolicies(before, after)).toEqual([
      'person rosa territories: 97201-97239 → 97201-97229, 97231',
      'person rosa away: nothing → 2026-08-03 to 2026-08-14',
      'person sam capacity: gone, was 5',
    ]);
  });

  test('C-04: boundaries and hours', () => {
    const west = { name: 'west', postalCodes: ['97201'], regions: [] };
    expect(diffPolicies(whole({}, [west]), whole({}, [{ ...west, postalCodes: ['97202'] }]))).toEqual(['territory west postalCodes: 97201 → 97202']);
    const closed = whole({ calendars: [aCalendar({ closedOn: ['2026-12-25'] })] });
    expect(diffPolicies(whole({ calendars: [aCalendar()] }), closed)).toEqual(['calendar office closedOn: nothing → 2026-12-25']);
  });

  test('PI-01: that an address changed is told, the address is not', () => {
    const [line, ...more] = diffPolicies(staffed(aPerson('rosa')), staffed(aPerson('rosa', { email: 'private@roof.example' })));
    expect(line).toMatch(/^person rosa email: address \w+ → address \w+$/);
    expect(more).toEqual([]);
  });
});
